import { isUtf8 } from "node:buffer";
import type { Leave } from "../../../audit/event.ts";
import type { AskedCall, Policy, PolicyVerdict } from "../../../policy/permissions/policy.ts";
import type { AnomalyHeed } from "../../audit/heed-anomaly.ts";
import { type Call, type CallResult, toCall } from "../../call/call.ts";
import { type Approve, createPermission } from "../../call/permission.ts";
import { createPlan } from "../../call/plan.ts";
import { OWN_SERVER_ENTRY, READING_COMMAND, toCommandRecord, WRITING_COMMAND } from "./command-record.ts";
import type { CommandRequest } from "./command-request.ts";

export type CommandCall = Pick<Call, "run" | "session" | "signal"> &
  Partial<Pick<Call, "number" | "hold">> & {
    readonly request: CommandRequest;
    readonly readOnly: boolean;
    /** So often it was started before, and nobody knows what it did. */
    readonly repeat: number | undefined;
    /** Told who let it be run, or did not. */
    onDecided?(leave: Leave): void;
  };

/** The stages that a command passes, which `commands.allow` allows already. The request may come back with other arguments. */
export type CommandPermission = (
  call: CommandCall,
  next: (args: Readonly<Record<string, unknown>>) => Promise<unknown>,
) => Promise<unknown>;

export function createCommandPermission(
  policy: Policy,
  approve: Approve,
  heed?: AnomalyHeed,
): CommandPermission {
  const own = withoutSecurityLevel(policy);
  const plan = createPlan(own);
  const permission = createPermission(own, approve, heed);
  return async ({ request, readOnly, repeat, onDecided, ...whose }, next) => {
    const tool = toCommandRecord(request.command, readOnly);
    const call = toCall({ ...whose, server: OWN_SERVER_ENTRY, tool, args: toShownCommand(request) });
    const run = async ({ args }: Call): Promise<CallResult> => {
      tellDecided();
      const from = { server: OWN_SERVER_ENTRY.name, tool: tool.name, callId: call.id };
      return { value: await next(args), content: [], from };
    };
    const asked = repeat === undefined ? call : { ...call, repeat };
    const tellDecided = () => {
      if (call.trace.leave !== undefined) onDecided?.(toCommandLeave(call.trace.leave));
    };
    try {
      return (await plan(asked, (planned) => permission(planned, run))).value;
    } catch (error) {
      tellDecided();
      throw error;
    }
  };
}

/** What no rule speaks of is allowed by the list. */
function toCommandLeave(leave: Leave): Leave {
  const isListed = leave.decision === "allow" && leave.approved !== "person";
  return isListed ? { ...leave, by: '"commands.allow"' } : leave;
}

/** Whether somebody may have to be asked for some command: by a rule, whatever its arguments turn out to be. */
export function mayAskForCommand(policy: Policy, whose: Omit<AskedCall, "tool" | "args">): boolean {
  return [READING_COMMAND, WRITING_COMMAND].some((tool) => {
    const { verdicts, rules } = policy.explain({ tool, args: {}, ...whose });
    const isAsked = verdicts.some(({ decision, by }) =>
      by.kind === "rule" && by.rule.time !== undefined
        ? true
        : decision === "ask" && by.kind !== "securityLevel",
    );
    return isAsked || rules.some((rule) => rule.decision === "ask");
  });
}

/** As rules and people see it: with what the command is to read, which can be a program of its own. */
export function toShownCommand({ command, args, cwd, input }: CommandRequest): Record<string, unknown> {
  const bytes = Buffer.from(input);
  return {
    command,
    args: [...args],
    ...(cwd === "" ? {} : { cwd }),
    ...(bytes.length === 0
      ? {}
      : isUtf8(bytes)
        ? { input: bytes.toString() }
        : // As text, too: a rule that speaks of it must not be passed by a byte that is none.
          { input: bytes.toString(), inputBase64: bytes.toString("base64") }),
  };
}

/**
 * Rules and levels count. `securityLevel` says what is asked for where nobody has decided, and here the user has: by the list of
 * commands, of which none can do more than the program itself.
 */
function withoutSecurityLevel(policy: Policy): Policy {
  return {
    ...policy,
    decide(asked) {
      const call = { ...asked, tool: asked.tool.annotations.readOnly ? READING_COMMAND : WRITING_COMMAND };
      try {
        const strictest = strictestForCommand(policy.explain(call).verdicts);
        return strictest ?? { decision: "allow", reason: "", by: { kind: "error" } };
      } catch {
        return policy.decide(call);
      }
    },
  };
}

/** Of the verdicts that count for a command, one that does not let it pass. */
export function strictestForCommand(verdicts: readonly PolicyVerdict[]): PolicyVerdict | undefined {
  const counting = verdicts.filter(({ by }) => by.kind !== "securityLevel");
  return (
    counting.find(({ decision }) => decision === "deny") ??
    counting.find(({ decision }) => decision === "ask")
  );
}
