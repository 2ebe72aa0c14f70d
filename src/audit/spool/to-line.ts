import { type AuditEvent, classOf } from "../event.ts";

/** What of an event only those may read who have the key: `details` and `error` go into it. */
export type SealEvent = (event: AuditEvent) => object;

/** Whoever reads a spool never needs more memory for a line. */
export const MAX_LINE_LETTERS = 1_000_000;
const MAX_CUT_TEXT = 10_000;
const MAX_CUT_ITEMS = 200;

/** The one place where an event becomes the text that is hashed and kept: a line of JSON, without its end. */
export function toLine(event: AuditEvent, seal?: SealEvent): string {
  const whole = JSON.stringify(event);
  const isLong = whole.length > MAX_LINE_LETTERS;
  // What the log says of itself has to be read by whoever verifies it, and has nothing of anybody in it.
  if (seal === undefined || classOf(event.action) === "audit") return isLong ? cut(event) : whole;
  return JSON.stringify(seal(isLong ? JSON.parse(cut(event)) : event));
}

/** Long texts and lists lose their ends; the hashes beside them are of the whole. */
function cut(event: AuditEvent): string {
  const line = JSON.stringify(event, (_, value: unknown) => {
    if (typeof value === "string" && value.length > MAX_CUT_TEXT)
      return `${value.slice(0, MAX_CUT_TEXT)}… (${value.length} characters)`;
    return Array.isArray(value) ? value.slice(0, MAX_CUT_ITEMS) : value;
  });
  if (line.length <= MAX_LINE_LETTERS) return line;
  const { id, at, action, outcome, session, principal, run, call } = event;
  const error = "The event was too large to be kept";
  return JSON.stringify({ id, at, session, principal, run, call, action, outcome, error, details: {} });
}
