import type { PiiClass } from "../../../pii-classes.ts";
import { weightedSum } from "./checksums.ts";
import { HINT } from "./hints.ts";
import type { Judged } from "./judged.ts";

type Document = { readonly class: PiiClass; readonly rule: string; readonly form: RegExp };

/** Numbers that prove nothing by themselves: a word or a key must say what they are. */
const DOCUMENTS: { readonly [hint: number]: Document } = {
  [HINT.account]: {
    class: "BANK_ACCOUNT",
    rule: "account-in-context",
    form: /^(?:\d{6,18}|[A-Z]{4}\d{6,14})$/,
  },
  [HINT.passport]: {
    class: "PASSPORT",
    rule: "passport-in-context",
    form: /^(?=.*\d{4})[A-Z]{0,3}\d[A-Z\d]{4,9}$/i,
  },
  [HINT.licence]: {
    class: "DRIVING_LICENCE",
    rule: "licence-in-context",
    form: /^(?=(?:[A-Z]*\d){4})[A-Z\d]{5,20}$/i,
  },
};

export function isDocument(hint: number): boolean {
  return DOCUMENTS[hint] !== undefined;
}

/** `value` is without spaces and hyphens. */
export function judgeDocument(value: string, hint: number): Judged | undefined {
  const document = DOCUMENTS[hint];
  if (document === undefined || !document.form.test(value)) return undefined;
  return { class: document.class, rule: document.rule, confidence: isRouting(value, hint) ? 0.95 : 0.92 };
}

function isRouting(value: string, hint: number): boolean {
  return (
    hint === HINT.account &&
    /^\d{9}$/.test(value) &&
    weightedSum(value, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
  );
}
