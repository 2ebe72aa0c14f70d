import type { PiiClass } from "../../../pii-classes.ts";
import type { PiiFinding } from "../finding.ts";
import type { Context } from "./context.ts";
import { HINT } from "./hints.ts";
import { isPlaceholder, looksRandom } from "./secret-value.ts";

type Rule = { readonly class: PiiClass; readonly rule: string; readonly fits: (value: string) => boolean };

/** Longer ones are texts. */
const LONGEST = 64;
const LONGEST_SECRET = 4_096;

/** Values that are what their key says, although nothing in them proves it. */
const RULES: { readonly [hint: number]: Rule } = {
  [HINT.password]: { class: "PASSWORD", rule: "key:password", fits: isPassword },
  [HINT.secret]: { class: "API_KEY", rule: "key:secret", fits: isSecret },
  [HINT.phone]: { class: "PHONE", rule: "key:phone", fits: isPhone },
  [HINT.postal]: {
    class: "POSTAL_CODE",
    rule: "key:postal",
    fits: (value) => /^(?=.*\d)[A-Z\d][A-Z\d -]{1,10}$/i.test(value),
  },
  [HINT.passport]: {
    class: "PASSPORT",
    rule: "key:passport",
    fits: (value) => /^(?=(?:.*\d){4})[A-Z\d][A-Z\d -]{5,11}$/i.test(value),
  },
  [HINT.licence]: {
    class: "DRIVING_LICENCE",
    rule: "key:licence",
    fits: (value) => /^(?=(?:.*\d){4})[A-Z\d][A-Z\d -]{4,24}$/i.test(value),
  },
  [HINT.account]: {
    class: "BANK_ACCOUNT",
    rule: "key:account",
    fits: (value) => /^(?=(?:.*\d){6})[\d][\d -]{5,24}$/.test(value),
  },
};

export function findKeyedValue({ text, key }: Context, findings: PiiFinding[]): void {
  const rule = RULES[key];
  if (rule === undefined || text.length > (isSecretClass(rule.class) ? LONGEST_SECRET : LONGEST)) return;
  const value = text.trim();
  if (value === "" || !rule.fits(value)) return;
  const start = text.indexOf(value);
  findings.push({ class: rule.class, start, end: start + value.length, rule: rule.rule, confidence: 0.94 });
}

function isSecret(value: string): boolean {
  return (
    looksRandom(value.replace(/^(?:bearer|token|basic) +/i, "")) || /^basic [a-z\d+/]{8,}={0,2}$/i.test(value)
  );
}

function isSecretClass(kind: PiiClass): boolean {
  return kind === "PASSWORD" || kind === "API_KEY";
}

/** Digits and what stands between them; no day, no time, no machine's address. */
function isPhone(value: string): boolean {
  if (!/^\+?[\d\s()./\u2010-\u2013-]{5,30}(?:[ ,]{0,2}(?:x|ext\.?|#) ?\d{1,6})?$/i.test(value)) return false;
  const digits = value.replace(/\D/g, "").length;
  return (
    digits >= 7 &&
    digits <= 24 &&
    !/^(?:\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{4}|\d+\.\d+|(?:\d{1,3}\.){3}\d{1,3})$/.test(value)
  );
}

/** One word or a few; a sentence under such a key tells of passwords. */
function isPassword(value: string): boolean {
  if (value.length < 3 || value.length > 256 || isPlaceholder(value)) return false;
  return !/^https?:\/\//i.test(value) && value.split(/\s+/).length <= 4 && !/^\d{4}-\d\d-\d\dT/.test(value);
}
