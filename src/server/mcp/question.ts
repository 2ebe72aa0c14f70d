import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { toApprovalLines } from "../../engine/approvals/approval-lines.ts";
import { type Approval, type ApprovalAnswer, scopesOf } from "../../engine/approvals/approvals-of-project.ts";
import { isRecord } from "../../text/is-record.ts";
import type { KeyholeCommand } from "../../text/keyhole-command.ts";
import { toPlainText } from "../../text/plain-text.ts";

/** A form is read in a window of its own, often a small one. */
const LIMITS = { calls: 20, excerptChars: 1_500, entries: 10 };
const MAX_ARGUMENTS = 2_000;
const MAX_ALL_ARGUMENTS = 10_000;
const MAX_REASON = 500;

/**
 * A question as a form that a client shows to the person who uses it.
 * @param session the client's
 */
export function toForm(
  approval: Approval,
  command: KeyholeCommand,
  session: string,
): ElicitRequestFormParams {
  return {
    mode: "form",
    message: toQuestion(approval, command),
    requestedSchema: toSchema(scopesOf(approval, session)),
  };
}

const MEANINGS = {
  once: "these calls",
  run: "each tool named here, for the rest of this program",
  session: "each tool named here, until this client's connection ends",
};

function toSchema(scopes: ReturnType<typeof scopesOf>): ElicitRequestFormParams["requestedSchema"] {
  return {
    type: "object",
    properties: {
      decision: {
        type: "string",
        title: "Decision",
        description: [...scopes.map((scope) => `${scope}: ${MEANINGS[scope]}`), "deny: none"].join("; "),
        enum: [...scopes, "deny"],
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
export function toFormAnswer(
  response: unknown,
  approval: Approval,
  session: string,
): ApprovalAnswer | undefined {
  if (!isRecord(response)) return undefined;
  const { action, content } = response;
  if (action === "decline") return { decision: "deny" };
  if (action !== "accept" || !isRecord(content)) return undefined;
  const { decision, reason } = content;
  const scope = scopesOf(approval, session).find((one) => one === decision);
  if (scope !== undefined) return { decision: "approve", scope };
  if (decision !== "deny") return undefined;
  const said = typeof reason === "string" ? toPlainText(reason.slice(0, MAX_REASON)).trim() : "";
  return { decision: "deny", ...(said === "" ? {} : { reason: said }) };
}

function toQuestion(approval: Approval, command: KeyholeCommand): string {
  const shown = Math.min(approval.calls.length, LIMITS.calls);
  const argumentChars = Math.min(MAX_ARGUMENTS, Math.floor(MAX_ALL_ARGUMENTS / Math.max(1, shown)));
  return toApprovalLines(approval, { ...LIMITS, argumentChars, command })
    .map(({ text }) => text)
    .join("\n");
}
