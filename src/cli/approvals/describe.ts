import type { Approval } from "../../engine/approvals/approvals-of-project.ts";
import { isRecord } from "../../text/is-record.ts";
import { toExcerpt, toVisibleText } from "../../text/plain-text.ts";
import { age, count } from "../format.ts";
import type { Output } from "../output.ts";

/** What the contract promises, and what a person would like to have. */
export function toApprovalJson(approval: Approval) {
  const { id, runId, session, principal, status, calls, about, createdAt, expiresAt, answer } = approval;
  const { risk, ...rest } = about;
  return {
    id,
    runId,
    session,
    principal,
    status,
    calls: calls.map(({ number, server, tool, args, reason }) => ({ number, server, tool, args, reason })),
    risk: risk ?? null,
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    ...(answer && { answer: { ...answer, at: new Date(answer.at).toISOString() } }),
  };
}

/** One line of the list. */
export function approvalLine({ id, status, calls, about, createdAt, runId }: Approval): string {
  const names = [...new Set(calls.map(({ server, tool }) => `${server}.${tool}`))];
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  const what = `${count(calls.length, "call")} of ${names.slice(0, 3).join(", ")}${more}`;
  const risk = about.risk === undefined ? "" : `, risk ${about.risk.level}`;
  const asked = age(new Date(createdAt).toISOString());
  return `${id}  ${status.padEnd(8)}  ${toExcerpt(what, 160)}${risk}, asked ${asked}, run ${toExcerpt(runId, 40)}`;
}

export type ShownLimits = { readonly calls: number; readonly argumentChars: number };

const WHOLE: ShownLimits = { calls: Number.POSITIVE_INFINITY, argumentChars: Number.POSITIVE_INFINITY };

/** Everything a person should know to answer, in lines for a terminal; what is foreign in it can't pass for a line of ours. */
export function describeApproval(
  approval: Approval,
  { style }: Pick<Output, "style">,
  limits: ShownLimits = WHOLE,
): string[] {
  const { id, runId, session, status, calls, about, expiresAt, answer } = approval;
  const facts: [string, string][] = [
    ["status", status],
    ["run", `${runId}, session ${session}`],
    ["answer by", new Date(expiresAt).toISOString()],
    ...(about.risk === undefined
      ? []
      : [["risk", `${about.risk.level} (${about.risk.score} of 100)`] as [string, string]]),
    ...(about.plan === undefined ? [] : [["plan", describePlan(about.plan)] as [string, string]]),
    ...describeImpact(about.impact).map((line): [string, string] => ["impact", line]),
  ];
  if (answer) facts.push(["answer", describeAnswer(answer)]);
  const shown = calls.slice(0, limits.calls);
  const unseen = calls.length - shown.length;
  return [
    style(
      "bold",
      `${id}: ${count(calls.length, "call")} that ${calls.length === 1 ? "needs" : "need"} a person`,
    ),
    ...facts.map(([name, value]) => `  ${name.padEnd(10)}${toExcerpt(value, 300)}`),
    ...shown.flatMap((call) => [
      "",
      `  ${style("bold", `Call ${call.number}: ${toExcerpt(call.server, 100)}.${toExcerpt(call.tool, 100)}`)}`,
      `    ${style("dim", toExcerpt(call.reason, 300))}`,
      ...argumentLines(call.args, limits.argumentChars).map((line) => `    ${line}`),
    ]),
    ...(unseen > 0 ? ["", style("yellow", `  and ${unseen} more: keyhole approvals show ${id}`)] : []),
    ...section("Program", about.excerpt === undefined ? [] : about.excerpt.split("\n").map(toVisibleText)),
    ...section(
      "Written already",
      about.written.map(({ server, tool, effect }) => toExcerpt(`${server}.${tool}: ${effect}`)),
    ),
    ...section(
      "Approved before in this run",
      about.approvedBefore.map((line) => toExcerpt(line)),
    ),
  ];
}

function describePlan({ guessFrom }: NonNullable<Approval["about"]["plan"]>): string {
  const all = "all that the program would write; nothing of it was done";
  return guessFrom === undefined
    ? all
    : `${all}. From call ${guessFrom} on it is a guess: it depends on what a write returns`;
}

function argumentLines(args: object, maxChars: number): string[] {
  const text = toVisibleText(JSON.stringify(args, null, 2));
  if (text.length <= maxChars) return text.split("\n");
  return [...text.slice(0, maxChars).split("\n"), `… and ${text.length - maxChars} characters more`];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `  ${title}`, ...lines.map((line) => `    ${line}`)];
}

function describeImpact(impact: unknown): string[] {
  if (!isRecord(impact)) return [];
  const change = impact["modifies"] === true ? "changes something" : "changes nothing that its text shows";
  const back = impact["reversible"] === true ? "can be changed back" : "can't be taken back";
  const dynamic = impact["dynamic"] === true ? ", calls tools that its text does not name" : "";
  return [`${change}${impact["modifies"] === true ? `, ${back}` : ""}${dynamic}`];
}

function describeAnswer(answer: NonNullable<Approval["answer"]>): string {
  const how =
    answer.decision === "approve"
      ? `approved, ${answer.scope}${answer.edits === undefined ? "" : ", with other arguments"}`
      : `denied${answer.reason === undefined ? "" : `: ${answer.reason}`}`;
  return `${how}, by ${answer.by}, ${new Date(answer.at).toISOString()}`;
}
