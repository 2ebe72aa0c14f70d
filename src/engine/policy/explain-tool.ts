import type { Policy } from "../../policy/permissions/policy.ts";
import { unmatchedRules } from "../../policy/permissions/unmatched-rules.ts";
import { createToolFinder, type ToolMatch } from "../call/find-tool.ts";
import { READING_COMMAND, WRITING_COMMAND } from "../own-tools/commands/command-record.ts";
import type { Project } from "../project.ts";
import { explainCommand, isCommandName } from "./explain-command.ts";
import { openPolicy } from "./open-policy.ts";
import { type ExplainedCall, toAskedCall, type WrittenCall } from "./written-call.ts";

export type AcceptedTool = {
  readonly server: string;
  readonly tool: string;
  /** The hash of its definition. */
  readonly definition: string;
  readonly detail?: string;
};

/** What would be decided of calls, by the config as it is now. Nothing is called. */
export async function openExplainer(project: Project): Promise<{
  explain(call: WrittenCall): ExplainedCall;
  /** Rules that no tool of the connected servers meets, a line for each. */
  unmatched(): string[];
  /** Takes a tool, as its server lists it now, for the one that rules allow. */
  accept(tool: string): Promise<AcceptedTool>;
}> {
  const { policy, allowed } = openPolicy(project);
  await allowed.ready();
  const find = (name: string) => findWritten(project, name);
  return {
    explain: (call) =>
      isCommandName(call.tool)
        ? explainCommand(project, policy, call)
        : explainCall(policy, find(call.tool), call),
    unmatched: () =>
      unmatchedRules(project.config, project.catalog.entries(), [READING_COMMAND, WRITING_COMMAND]),
    async accept(name) {
      await project.catalog.bringUpToDate(find(name).server.name);
      const { server, tool } = find(name);
      const detail = allowed.hashOf(tool) === tool.hash ? undefined : allowed.describeChange(tool);
      allowed.note(tool);
      await allowed.flush();
      const named = { server: server.name, tool: tool.name, definition: tool.hash };
      return { ...named, ...(detail !== undefined && { detail }) };
    },
  };
}

function explainCall(policy: Policy, { server, tool }: ToolMatch, call: WrittenCall): ExplainedCall {
  return { server: server.name, tool: tool.name, ...policy.explain(toAskedCall(call, tool)) };
}

/** The first piece and the rest, as a program's `callMCPTool` hands them over. */
function findWritten({ catalog }: Project, name: string): ToolMatch {
  const [first = "", ...rest] = name.split(/__|[./:]/);
  return createToolFinder(catalog)(first, rest.join("__"));
}
