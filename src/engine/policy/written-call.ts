import type { ToolRecord } from "../../catalog/tool.ts";
import type { AskedCall, Explanation, PolicyVerdict } from "../../policy/permissions/policy.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";

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

export type ExplainedCall = Omit<Explanation, "by" | "verdicts"> &
  ExplainedVerdict & {
    readonly server: string;
    readonly tool: string;
    readonly verdicts: readonly ExplainedVerdict[];
  };

type ExplainedVerdict = Omit<PolicyVerdict, "by"> & { readonly by: PolicyVerdict["by"] | ByCommands };

/** The lists of commands, each of which must have it. */
type ByCommands = {
  readonly kind: "commands";
  readonly entries: readonly { readonly file: string; readonly number: number }[];
};

export function toAskedCall(call: WrittenCall, tool: ToolRecord): AskedCall {
  return {
    tool,
    args: call.args ?? {},
    principal: call.principal ?? LOCAL_PRINCIPAL,
    session: call.session ?? "",
    client: call.client ?? "",
    now: call.at ?? new Date(),
  };
}
