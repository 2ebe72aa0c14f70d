import { isUtf8 } from "node:buffer";
import type { Policy } from "../../../policy/permissions/policy.ts";
import { type Call, type CallResult, toCall } from "../../call/call.ts";
import { type Approve, createPermission } from "../../call/permission.ts";
import { OWN_SERVER_ENTRY, READING_COMMAND, WRITING_COMMAND } from "./command-record.ts";
import type { CommandRequest } from "./command-request.ts";

export type CommandCall = Pick<Call, "run" | "session" | "signal"> & {
  readonly request: CommandRequest;
  readonly readOnly: boolean;
};

/** The permission stage for a command, which `commands.allow` allows already. The request may come back with other arguments. */
export type CommandPermission = (
  call: CommandCall,
  next: (args: Readonly<Record<string, unknown>>) => Promise<unknown>,
) => Promise<unknown>;

export function createCommandPermission(policy: Policy, approve: Approve): CommandPermission {
  const stage = createPermission(withoutSecurityLevel(policy), approve);
  return async ({ run, session, signal, request, readOnly }, next) => {
    const tool = readOnly ? READING_COMMAND : WRITING_COMMAND;
    const call = toCall({
      run,
      session,
      signal,
      server: OWN_SERVER_ENTRY,
      tool,
      args: toShown(request),
    });
    const { value } = await stage(call, async (approved): Promise<CallResult> => {
      const from = { server: OWN_SERVER_ENTRY.name, tool: tool.name, callId: call.id };
      return { value: await next(approved.args), content: [], from };
    });
    return value;
  };
}

/** As rules and people see it: with what the command is to read, which can be a program of its own. */
function toShown({ command, args, cwd, input }: CommandRequest): Record<string, unknown> {
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
    decide(call) {
      try {
        const verdicts = policy.explain(call).verdicts.filter(({ by }) => by.kind !== "securityLevel");
        const strictest =
          verdicts.find(({ decision }) => decision === "deny") ??
          verdicts.find(({ decision }) => decision === "ask");
        return strictest ?? { decision: "allow", reason: "", by: { kind: "error" } };
      } catch {
        return policy.decide(call);
      }
    },
  };
}
