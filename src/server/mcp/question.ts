import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { Approval, ApprovalAnswer } from "../../policy/approvals/approval.ts";
import { isSharedSession } from "../../session.ts";
import { isRecord } from "../../text/is-record.ts";
import { toExcerpt, toPlainText, toVisibleText } from "../../text/plain-text.ts";

const MAX_CALLS = 20;
const MAX_ARGUMENTS = 2_000;
const MAX_ALL_ARGUMENTS = 10_000;
const MAX_WRITTEN = 10;
const MAX_EXCERPT = 1_500;
const MAX_REASON = 500;

/** A question as a form that a client shows to the person who uses it. */
export function toForm(approval: Approval): ElicitRequestFormParams {
  return { mode: "form", message: toQuestion(approval), requestedSchema: toSchema(approval) };
}

function toSchema({ session }: Approval): ElicitRequestFormParams["requestedSchema"] {
  const isShared = isSharedSession(session);
  return {
    type: "object",
    properties: {
      decision: {
        type: "string",
        title: "Decision",
        description: `once: these calls; run: this tool for the rest of this program; ${isShared ? "" : "session: this tool until this client's connection ends; "}deny: none`,
        enum: ["once", "run", ...(isShared ? [] : ["session"]), "deny"],
      },
      reason: {
        type: "string",
        title: "Reason",
        description: "For the program, when you deny",
        maxLength: MAX_REASON,
      },
    },
    required: ["decision"],
  };
}

/** What came back: nothing where the form was put away, or filled in as nobody can. */
export function toFormAnswer(response: unknown, session: string): ApprovalAnswer | undefined {
  if (!isRecord(response)) return undefined;
  const { action, content } = response;
  if (action === "decline") return { decision: "deny" };
  if (action !== "accept" || !isRecord(content)) return undefined;
  const { decision, reason } = content;
  if (decision === "session" && isSharedSession(session)) return undefined;
  if (decision === "once" || decision === "run" || decision === "session")
    return { decision: "approve", scope: decision };
  if (decision !== "deny") return undefined;
  const said = typeof reason === "string" ? toPlainText(reason.slice(0, MAX_REASON)).trim() : "";
  return { decision: "deny", ...(said === "" ? {} : { reason: said }) };
}

/**
 * Arguments, names and reasons stand within a line each: none of them can look like a line of ours. What is not shown is
 * said before what is.
 */
function toQuestion({ id, calls, about }: Approval): string {
  const shown = calls.slice(0, MAX_CALLS);
  const room = Math.min(MAX_ARGUMENTS, Math.floor(MAX_ALL_ARGUMENTS / Math.max(1, shown.length)));
  const lines = shown.flatMap(({ number, server, tool, args, reason }) => [
    `${number}. ${toExcerpt(server, 100)}.${toExcerpt(tool, 150)} (${toExcerpt(reason, 200)})`,
    `   ${toArguments(args, room)}`,
  ]);
  const left = calls.length - shown.length;
  const count = calls.length === 1 ? "a call" : `${calls.length} calls`;
  return [
    ...(about.plan === undefined
      ? [`A program wants to make ${count} that needs your word.`]
      : [`A program would make ${count} that write; none is made before you answer.`]),
    ...(about.plan?.guessFrom === undefined
      ? []
      : [`From call ${about.plan.guessFrom} on this is a guess: it depends on what a write returns.`]),
    ...(left > 0
      ? [`Only ${shown.length} of them are shown here, all by: keyhole approvals show ${id}`]
      : []),
    ...lines,
    ...toRisk(about),
    ...toWritten(about),
    ...(about.excerpt === undefined ? [] : ["The program there:", ...quote(about.excerpt)]),
    `(approval ${id})`,
  ].join("\n");
}

function toArguments(args: unknown, room: number): string {
  const text = JSON.stringify(args) ?? "";
  if (text.length <= room) return toVisibleText(text);
  return `${toVisibleText(text.slice(0, room))}… (${text.length - room} more characters are not shown)`;
}

function toRisk({ risk }: Approval["about"]): string[] {
  return risk === undefined
    ? []
    : [`Risk of the program: ${toExcerpt(risk.level, 20)} (${risk.score} of 100)`];
}

function toWritten({ written, approvedBefore }: Approval["about"]): string[] {
  const lines = written
    .slice(0, MAX_WRITTEN)
    .map(
      ({ server, tool, effect }) =>
        `   ${toExcerpt(server, 100)}.${toExcerpt(tool, 150)}: ${toExcerpt(effect, 40)}`,
    );
  const left = written.length - lines.length;
  return [
    ...(lines.length === 0 ? ["It has changed nothing so far."] : ["It has done already:", ...lines]),
    ...(left > 0 ? [`   and ${left} more`] : []),
    ...(approvedBefore.length === 0 ? [] : [`Approved before in this run: ${approvedBefore.length}`]),
  ];
}

function quote(excerpt: string): string[] {
  const text = excerpt.length > MAX_EXCERPT ? `${excerpt.slice(0, MAX_EXCERPT)}…` : excerpt;
  return text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `   | ${toVisibleText(line)}`);
}
