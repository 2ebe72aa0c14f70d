import type { Claims } from "./claims.ts";
import { readNameRun } from "./name-runs.ts";
import { personEnd } from "./people.ts";
import {
  CAPITALISED,
  DIGITS,
  gapAt,
  has,
  isIn,
  isPlain,
  isSign,
  JOINED,
  kindAt,
  LOWER,
  SPACED,
  TAKEN,
  type Tokens,
  UPPER,
  wordSet,
} from "./tokens.ts";
import { FUNCTION_WORD, GIVEN, HONORIFIC } from "./word-flags.ts";

const ALSO_WORDS = wordSet("miss sir madam lord lady professor reverend monsieur madame herr frau");

/** Mr. Ford, Dr. Anna Berg: the title proves the name. */
export function findTitled(tokens: Tokens, claims: Claims): void {
  if ((tokens.seen & HONORIFIC) === 0) return;
  for (let at = 0; at < tokens.count; at++) {
    if (!has(tokens, at, HONORIFIC) || kindAt(tokens, at) === TAKEN) continue;
    const hasDot = isSign(tokens, at + 1, ".") && gapAt(tokens, at + 1) === JOINED;
    const next = hasDot ? at + 2 : at + 1;
    if (gapAt(tokens, next) !== SPACED) continue;
    const kind = kindAt(tokens, next);
    const isSmall = kind === LOWER;
    if (!isSmall && kind !== CAPITALISED && kind !== UPPER) continue;
    // A small title before a small word is one only where case tells nothing, or with its dot.
    if (isSmall && !tokens.isCaseless) continue;
    if (isSmall && !hasDot && (isPlain(tokens, next) || !has(tokens, next, GIVEN))) continue;
    if (has(tokens, next, FUNCTION_WORD)) continue;
    // "12 ms. After that": a small title is one of milliseconds, or the end of a sentence.
    const isSmallTitle = kindAt(tokens, at) === LOWER && !tokens.isCaseless;
    if (isSmallTitle && (!hasDot || isPlain(tokens, next) || kindAt(tokens, at - 1) === DIGITS)) continue;
    if (hasDot && isIn(tokens, at, ALSO_WORDS)) continue;
    const isWritten = isIn(tokens, at, ALSO_WORDS) ? kindAt(tokens, at) !== LOWER || tokens.isCaseless : true;
    if (!isWritten) continue;
    // "Herrn Dr. Berg": the next title has the name.
    if (has(tokens, next, HONORIFIC)) {
      claims.take("TITLE", at, next, "honorific", 0.8);
      continue;
    }
    const run = readNameRun(tokens, next);
    const end = run === undefined ? next + 1 : personEnd(tokens, run, true);
    claims.take("TITLE", at, hasDot ? at + 2 : at + 1, "honorific", 0.8);
    claims.take("NAME", next, Math.max(end, next + 1), "titled", 0.9);
  }
}
