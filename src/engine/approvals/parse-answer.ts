import { KeyholeError } from "../../errors.ts";
import type { ApprovalAnswer } from "../../policy/approvals/approval.ts";
import { isRecord } from "../../text/is-record.ts";
import { toPlainText } from "../../text/plain-text.ts";

const MAX_REASON = 500;
const KEYS = ["id", "decision", "scope", "reason", "edits"];
/** A rule is written where it can be shown before: on the machine itself. */
const SCOPES_FROM_AFAR = ["once", "run", "session"] as const;

/** An answer that came over the network. What is not understood is refused: it could be a condition. */
export function parseAnswer(body: unknown): ApprovalAnswer {
  if (!isRecord(body)) throw refused("The answer must be an object");
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw refused(`An answer has no such key; it has ${KEYS.slice(1).join(", ")}`);
  const { decision, scope = "once", reason, edits } = body;
  if (decision === "deny") {
    if (reason !== undefined && typeof reason !== "string") throw refused('"reason" must be a text');
    if (edits !== undefined) throw refused('"edits" go with "approve"');
    const said = toPlainText((reason ?? "").slice(0, MAX_REASON)).trim();
    return { decision, ...(said === "" ? {} : { reason: said }) };
  }
  if (decision !== "approve") throw refused('"decision" must be "approve" or "deny"');
  const known = SCOPES_FROM_AFAR.find((name) => name === scope);
  if (known === undefined)
    throw refused(
      '"scope" must be "once", "run" or "session"; for always, write a rule into permissions.rules',
    );
  return { decision, scope: known, ...(edits === undefined ? {} : { edits: readEdits(edits) }) };
}

function readEdits(edits: unknown): Record<string, Record<string, unknown>> {
  if (!isRecord(edits)) throw refused('"edits" must be an object: the arguments of a call by its number');
  return Object.fromEntries(
    Object.entries(edits).map(([number, args]) => {
      if (!isRecord(args)) throw refused('Each of "edits" must be an object: all arguments of the call');
      return [number, args];
    }),
  );
}

function refused(message: string): KeyholeError {
  return new KeyholeError("usage", message);
}
