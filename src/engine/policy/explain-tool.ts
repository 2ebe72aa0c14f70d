import type { AskedCall, Explanation, Policy } from "../../policy/permissions/policy.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import { createToolFinder, type ToolMatch } from "../call/find-tool.ts";
import type { Project } from "../project.ts";
import { openPolicy } from "./open-policy.ts";

/** A call as a person writes it down to find out what would become of it. */
export type WrittenCall = {
  /** By any spelling with its server: `github.createIssue`, `github__create_issue`. */
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly principal?: string;
  readonly session?: string;
  readonly client?: string;
  readonly at?: Date;
};

export type ExplainedCall = Explanation & { readonly server: string; readonly tool: string };

/** What would be decided of calls, by the config as it is now. Nothing is called. */
export async function openExplainer(project: Project): Promise<{
  explain(call: WrittenCall): ExplainedCall;
  /** Takes a tool as it is now for the one that rules allow. */
  accept(tool: string): Promise<{ readonly server: string; readonly tool: string }>;
}> {
  const { policy, allowed } = openPolicy(project);
  await allowed.ready();
  const find = (name: string) => findWritten(project, name);
  return {
    explain: (call) => explainCall(policy, find(call.tool), call),
    async accept(name) {
      const { server, tool } = find(name);
      allowed.note(tool);
      await allowed.flush();
      return { server: server.name, tool: tool.name };
    },
  };
}

function explainCall(policy: Policy, { server, tool }: ToolMatch, call: WrittenCall): ExplainedCall {
  const asked: AskedCall = {
    tool,
    args: call.args ?? {},
    principal: call.principal ?? LOCAL_PRINCIPAL,
    session: call.session ?? "",
    client: call.client ?? "",
    now: call.at ?? new Date(),
  };
  return { server: server.name, tool: tool.name, ...policy.explain(asked) };
}

/** The first piece and the rest, as a program's `callMCPTool` hands them over. */
function findWritten({ catalog }: Project, name: string): ToolMatch {
  const [first = "", ...rest] = name.split(/__|[./:]/);
  return createToolFinder(catalog)(first, rest.join("__"));
}
