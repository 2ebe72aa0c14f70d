import type { TextFormat } from "./shape.ts";

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const NUMERIC = /^-?\d{1,18}(?:\.\d{1,18})?$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63})+$/;
const URI = /^[a-z][a-z0-9+.-]{1,11}:\/\/[^\s]+$/;
const MAX_LENGTH = 256;

/** The first character says which of them it can be. */
export function toTextFormat(text: string): TextFormat | undefined {
  if (text.length === 0 || text.length > MAX_LENGTH) return undefined;
  const first = text.charCodeAt(0);
  if ((first >= 48 && first <= 57) || first === 45) {
    if (NUMERIC.test(text)) return "numeric";
    if (DATE.test(text)) return "date";
    if (DATE_TIME.test(text)) return "date-time";
  }
  if (text.length === 36 && UUID.test(text)) return "uuid";
  if (text.includes("://")) return URI.test(text) ? "uri" : undefined;
  return text.includes("@") && EMAIL.test(text) ? "email" : undefined;
}
