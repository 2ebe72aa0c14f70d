import { type Context, hintAt } from "./context.ts";
import { HINT } from "./hints.ts";
import type { Judged } from "./judged.ts";

const FORMS =
  /(?:\d{5}-\d{3,4}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z][ -]?\d[A-Z]\d|\d{4} ?[A-Z]{2}|\d{4}-\d{3}|\d{3}-\d{4}|\d{3} \d{2,3}|\d{2}-\d{3}|[A-Z]\d{2} ?[A-Z\d]{4}|[A-Z]{1,2}-\d{4,5}|\d{4,7})(?![\w-])/iy;

/** The postal code that starts here, where a word or the key says that one does. */
export function postalAt(context: Context, start: number): (Judged & { readonly end: number }) | undefined {
  if ((context.hints & HINT.postal) === 0) return undefined;
  FORMS.lastIndex = start;
  const match = FORMS.exec(context.text);
  if (match === null) return undefined;
  const end = start + match[0].length;
  if (hintAt(context, start, end) !== HINT.postal) return undefined;
  return { class: "POSTAL_CODE", rule: "postal-in-context", confidence: 0.92, end };
}
