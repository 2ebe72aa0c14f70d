import type { Claims } from "./claims.ts";
import {
  gapAt,
  isSign,
  JOINED,
  kindAt,
  MIXED,
  NEW_LINE,
  NUMBER,
  SPACED,
  type Tokens,
  UPPER,
  wordAt,
} from "./tokens.ts";

const POSTAL_WORDS = new Set("zip zipcode postcode postal plz cap cep eircode pincode postnummer".split(" "));
const OLD = new Set("year years yr yrs y-o".split(" "));

/** Ages and postal codes: numbers that only the words beside them make personal. */
export function findNumbers(tokens: Tokens, claims: Claims): void {
  for (let at = 0; at < tokens.count; at++) {
    const kind = kindAt(tokens, at);
    if (kind === NUMBER && isAge(tokens, at)) claims.take("AGE", at, at + 1, "age", 0.75);
    else if (kind === NUMBER || kind === MIXED || kind === UPPER) {
      const end = postalEnd(tokens, at);
      if (end !== undefined) {
        const isAsked = isAfterPostalWord(tokens, at);
        const isOwnShape = kind === MIXED && isLetteredCode(tokens, at, end);
        if (isAsked || isOwnShape)
          claims.take(
            "POSTAL_CODE",
            at,
            end,
            isAsked ? "postal-context" : "postal-shape",
            isAsked ? 0.85 : 0.7,
          );
      }
    }
  }
}

function isAge(tokens: Tokens, at: number): boolean {
  const digits = wordAt(tokens, at);
  if (digits.length > 3 || Number(digits) > 120 || digits === "0" || isSign(tokens, at - 1, "$"))
    return false;
  const next = wordAt(tokens, at + 1);
  const dash = isSign(tokens, at + 1, "-") ? 1 : 0;
  const isOld =
    OLD.has(wordAt(tokens, at + 1 + dash)) &&
    /^old$|^age$/.test(wordAt(tokens, at + (isSign(tokens, at + 2 + dash, "-") ? 3 : 2) + dash));
  if (isOld) return true;
  if (next === "yo" || (next === "y" && wordAt(tokens, at + 3) === "o")) return true;
  if (digits.length !== 2) return false;
  const before = wordAt(tokens, at - 1);
  if (before === "aged" || before === "turned") return true;
  const label = isSign(tokens, at - 1, ":")
    ? wordAt(tokens, at - 2)
    : before === "is" || before === "of"
      ? wordAt(tokens, at - 2)
      : before;
  return (label === "age" || label === "alter" || label === "edad") && !isSign(tokens, at + 1, "%");
}

function isAfterPostalWord(tokens: Tokens, at: number): boolean {
  for (let before = at - 1; before >= 0 && before >= at - 4; before--) {
    const word = wordAt(tokens, before);
    if (POSTAL_WORDS.has(word)) return true;
    if (!["code", "is", "of", ":", "=", "s", "'", "#", "number"].includes(word)) return false;
  }
  return false;
}

/** Where a postal code that begins here ends, whichever country's. */
export function postalEnd(tokens: Tokens, at: number): number | undefined {
  const word = wordAt(tokens, at);
  const kind = kindAt(tokens, at);
  const next = wordAt(tokens, at + 1);
  const isNextNear = gapAt(tokens, at + 1) === SPACED;
  if (kind === NUMBER) {
    // ZIP+4 12345-6789, Poland 00-950, Portugal 1000-001, Brazil 01310-100, Japan 100-0001.
    if (
      isSign(tokens, at + 1, "-") &&
      gapAt(tokens, at + 2) === JOINED &&
      kindAt(tokens, at + 2) === NUMBER
    ) {
      const shape = `${word.length}-${wordAt(tokens, at + 2).length}`;
      return ["5-4", "2-3", "4-3", "5-3", "3-4"].includes(shape) ? at + 3 : undefined;
    }
    // Sweden, Greece, Czech Republic 394 13; Netherlands 1012 AB.
    if (isNextNear && word.length === 3 && next.length === 2 && kindAt(tokens, at + 1) === NUMBER)
      return at + 2;
    if (
      isNextNear &&
      word.length === 4 &&
      next.length === 2 &&
      kindAt(tokens, at + 1) === UPPER &&
      !isState(next)
    )
      return at + 2;
    return word.length >= 4 && word.length <= 6 ? at + 1 : undefined;
  }
  if (kind === MIXED && /^\d{4}[a-z]{2}$/.test(word)) return at + 1;
  // United Kingdom SW1A 1AA, Canada K1A 0B1; Latvia LV-1010.
  if (isLetteredCode(tokens, at, at + 2) && isNextNear) return at + 2;
  if (
    kind === UPPER &&
    word.length < 3 &&
    isSign(tokens, at + 1, "-") &&
    /^\d{4,5}$/.test(wordAt(tokens, at + 2)) &&
    gapAt(tokens, at + 1) === JOINED
  )
    return at + 3;
  return undefined;
}

const isState = (word: string) => ["ca", "ny", "tx", "fl", "il", "wa"].includes(word);

function isLetteredCode(tokens: Tokens, at: number, end: number): boolean {
  if (end !== at + 2 || gapAt(tokens, at + 1) >= NEW_LINE) return false;
  const both = `${wordAt(tokens, at)} ${wordAt(tokens, at + 1)}`;
  return (
    /^[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}$|^[a-z]\d[a-z] \d[a-z]\d$/.test(both) &&
    tokens.text[tokens.starts[at] as number] !== wordAt(tokens, at)[0]
  );
}
