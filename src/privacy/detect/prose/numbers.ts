import type { Claims } from "./claims.ts";
import {
  DIGITS,
  gapAt,
  isIn,
  isSign,
  isSignOf,
  JOINED,
  kindAt,
  lengthAt,
  MIXED,
  NEW_LINE,
  SPACED,
  type Tokens,
  UPPER,
  wordAt,
  wordSet,
} from "./tokens.ts";

const POSTAL_WORDS = wordSet("zip zipcode postcode postal plz cap cep eircode pincode postnummer");
const BEFORE_POSTAL = wordSet("code is of s number");
const YEARS = wordSet("year years yr yrs");
const OLD = wordSet("old age");
const YO = wordSet("yo");
const BEFORE_AGE = wordSet("aged turned");
const AGE_LABELS = wordSet("age alter edad");
const LINKS = wordSet("is of");
const STATES = wordSet("ca ny tx fl il wa");

/** Ages and postal codes: numbers that only the words beside them make personal. */
export function findProseNumbers(tokens: Tokens, claims: Claims): void {
  for (let at = 0; at < tokens.count; at++) {
    const kind = kindAt(tokens, at);
    if (kind !== DIGITS && kind !== MIXED && kind !== UPPER) continue;
    if (kind === DIGITS && isAge(tokens, at)) claims.take("AGE", at, at + 1, "age", 0.75);
    else if (isAfterPostalWord(tokens, at)) {
      const end = postalEnd(tokens, at);
      if (end !== undefined) claims.take("POSTAL_CODE", at, end, "postal-context", 0.85);
    } else if (kind === MIXED && isLetteredCode(tokens, at))
      claims.take("POSTAL_CODE", at, at + 2, "postal-shape", 0.7);
  }
}

function isAge(tokens: Tokens, at: number): boolean {
  const length = lengthAt(tokens, at);
  if (length > 3 || isSignOf(tokens, at - 1, "$€£#.-/")) return false;
  const unit = isSign(tokens, at + 1, "-") ? at + 2 : at + 1;
  const old = isSign(tokens, unit + 1, "-") ? unit + 2 : unit + 1;
  if (isIn(tokens, unit, YEARS) && isIn(tokens, old, OLD)) return Number(wordAt(tokens, at)) <= 120;
  if (length !== 2) return false;
  if (isIn(tokens, at + 1, YO) || isIn(tokens, at - 1, BEFORE_AGE)) return true;
  const label = isSign(tokens, at - 1, ":") || isIn(tokens, at - 1, LINKS) ? at - 2 : at - 1;
  return isIn(tokens, label, AGE_LABELS) && !isSignOf(tokens, at + 1, "%+-");
}

function isAfterPostalWord(tokens: Tokens, at: number): boolean {
  for (let before = at - 1; before >= 0 && before >= at - 4; before--) {
    if (isIn(tokens, before, POSTAL_WORDS)) return true;
    if (!isSignOf(tokens, before, ":='#’") && !isIn(tokens, before, BEFORE_POSTAL)) return false;
  }
  return false;
}

/** Where a postal code that begins here ends, whichever country's. */
export function postalEnd(tokens: Tokens, at: number): number | undefined {
  const kind = kindAt(tokens, at);
  const length = lengthAt(tokens, at);
  if (length > 6) return undefined;
  if (kind === DIGITS) return numericEnd(tokens, at, length);
  if (kind === UPPER && length < 3)
    return isSign(tokens, at + 1, "-") &&
      gapAt(tokens, at + 1) === JOINED &&
      gapAt(tokens, at + 2) === JOINED &&
      kindAt(tokens, at + 2) === DIGITS &&
      (lengthAt(tokens, at + 2) === 4 || lengthAt(tokens, at + 2) === 5)
      ? at + 3
      : undefined;
  if (kind !== MIXED) return undefined;
  if (isLetteredCode(tokens, at)) return at + 2;
  return length === 6 && /^\d{4}[a-z]{2}$/.test(wordAt(tokens, at)) ? at + 1 : undefined;
}

function numericEnd(tokens: Tokens, at: number, length: number): number | undefined {
  // ZIP+4 12345-6789, Poland 00-950, Portugal 1000-001, Brazil 01310-100, Japan 100-0001.
  if (isSign(tokens, at + 1, "-") && gapAt(tokens, at + 2) === JOINED && kindAt(tokens, at + 2) === DIGITS)
    return ["5-4", "2-3", "4-3", "5-3", "3-4"].includes(`${length}-${lengthAt(tokens, at + 2)}`)
      ? at + 3
      : undefined;
  if (gapAt(tokens, at + 1) === SPACED && lengthAt(tokens, at + 1) === 2) {
    // Sweden, Greece, Czech Republic 394 13; Netherlands 1012 AB.
    if (length === 3 && kindAt(tokens, at + 1) === DIGITS) return at + 2;
    if (length === 4 && kindAt(tokens, at + 1) === UPPER && !isIn(tokens, at + 1, STATES)) return at + 2;
  }
  return length >= 4 ? at + 1 : undefined;
}

/** United Kingdom SW1A 1AA, Canada K1A 0B1. */
function isLetteredCode(tokens: Tokens, at: number): boolean {
  if (lengthAt(tokens, at) > 4 || lengthAt(tokens, at + 1) !== 3 || gapAt(tokens, at + 1) >= NEW_LINE)
    return false;
  const both = tokens.text.slice(tokens.starts[at], tokens.ends[at + 1]);
  return /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$|^[A-Z]\d[A-Z] \d[A-Z]\d$/.test(both);
}
