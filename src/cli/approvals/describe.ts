import { toApprovalLines } from "../../engine/approvals/approval-lines.ts";
import type { Approval } from "../../engine/approvals/approvals-of-project.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { age, count } from "../format.ts";
import type { Output } from "../output.ts";

/** One line of the list. */
export function approvalLine({ id, status, calls, about, createdAt, runId }: Approval): string {
  const names = [...new Set(calls.map(({ server, tool }) => `${server}.${tool}`))];
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  const what = `${count(calls.length, "call")} of ${names.slice(0, 3).join(", ")}${more}`;
  const risk = about.risk === undefined ? "" : `, risk ${about.risk.level}`;
  const repeated = calls.some(({ repeat }) => repeat !== undefined) ? ", may already have happened" : "";
  const asked = age(new Date(createdAt).toISOString());
  return `${id}  ${status.padEnd(8)}  ${toExcerpt(what, 160)}${repeated}${risk}, asked ${asked}, run ${toExcerpt(runId, 40)}`;
}

const STYLES = { title: "bold", heading: "bold", warning: "yellow" } as const;

/** Everything a person should know to answer, in lines for a terminal. */
export function describeApproval(
  approval: Approval,
  { style }: Pick<Output, "style">,
  limits?: Parameters<typeof toApprovalLines>[1],
): string[] {
  return toApprovalLines(approval, limits).map(({ kind, text }) => {
    const look = kind === "title" || kind === "heading" || kind === "warning" ? STYLES[kind] : undefined;
    return look === undefined ? text : style(look, text);
  });
}
