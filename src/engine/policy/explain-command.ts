import { type CommandRules, createCommandRules } from "../../policy/commands/command-rules.ts";
import type { Explanation, Policy } from "../../policy/permissions/policy.ts";
import { strictestForCommand, toShownCommand } from "../own-tools/commands/command-permission.ts";
import { OWN_SERVER_ENTRY, READING_COMMAND, WRITING_COMMAND } from "../own-tools/commands/command-record.ts";
import { toCommandRequest } from "../own-tools/commands/command-request.ts";
import type { Project } from "../project.ts";
import { type ExplainedCall, toAskedCall, type WrittenCall } from "./written-call.ts";

/** `runCommand`, `run_command`, `keyhole.runCommand`: no server's tool is named without its server. */
export function isCommandName(name: string): boolean {
  const words = name.toLowerCase().replace(/[^a-z]+/g, "");
  return words === "runcommand" || words === `${OWN_SERVER_ENTRY.name}runcommand`;
}

/** What would be decided of a command: by `commands.allow`, then by the rules for calls. */
export function explainCommand(
  { config }: Pick<Project, "config">,
  policy: Policy,
  call: WrittenCall,
): ExplainedCall {
  const request = toCommandRequest(call.args ?? {});
  const listed = createCommandRules(config.policies).check(request.command, request.args);
  const tool = listed.ok && listed.readOnly ? READING_COMMAND : WRITING_COMMAND;
  const explained = policy.explain(toAskedCall({ ...call, args: toShownCommand(request) }, tool));
  const names = { server: OWN_SERVER_ENTRY.name, tool: tool.name };
  return { ...names, ...explained, ...toDecision(listed, explained) };
}

type Decided = Pick<ExplainedCall, "decision" | "reason" | "by" | "verdicts">;

function toDecision(
  listed: ReturnType<CommandRules["check"]>,
  { verdicts }: Pick<Explanation, "verdicts">,
): Decided {
  if (!listed.ok) {
    const reason = `${listed.reason}. ${listed.hint}`;
    const denied = { decision: "deny", reason, by: { kind: "commands", entries: [] } } as const;
    return { ...denied, verdicts: [denied] };
  }
  const entries = listed.by.map(({ file, number }) => `entry ${number} of "commands.allow" of ${file}`);
  const allowed = {
    decision: "allow",
    reason: `It is allowed by ${entries.join(" and ")}`,
    by: { kind: "commands", entries: listed.by },
  } as const;
  const counting = verdicts.filter(({ by }) => by.kind !== "securityLevel");
  return { ...(strictestForCommand(verdicts) ?? allowed), verdicts: [allowed, ...counting] };
}
