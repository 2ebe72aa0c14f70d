import {
  CAPITALISED,
  gapAt,
  has,
  INITIAL,
  isIn,
  isPlain,
  isSign,
  isSignOf,
  JOINED,
  kindAt,
  LOWER,
  lengthAt,
  SPACED,
  type Tokens,
  UPPER,
  wordSet,
} from "./tokens.ts";
import { FAMILY, FREQUENT, FUNCTION_WORD, GIVEN, PARTICLE } from "./word-flags.ts";

/** WordSet in a row that are written as names are: capitalised, or where case tells nothing, not ordinary. */
export type NameRun = {
  readonly start: number;
  readonly end: number;
  /** The words, without particles, hyphens and dots. */
  readonly words: readonly number[];
};

const SHORT = wordSet("jr st sr");
const SENTENCE_SIGNS = ".!?:;\"(*-“‘'[|#>•/`";
const MOST_WORDS = 8;

export function readNameRun(tokens: Tokens, start: number): NameRun | undefined {
  if (!isCandidate(tokens, start, true)) return undefined;
  const words = [start];
  let end = afterInitial(tokens, start);
  while (words.length < MOST_WORDS && end < tokens.count) {
    const next = nextWord(tokens, end);
    if (next === undefined) break;
    words.push(next);
    end = afterInitial(tokens, next);
  }
  return { start, end, words };
}

function nextWord(tokens: Tokens, at: number): number | undefined {
  if (isSign(tokens, at, "-") && gapAt(tokens, at) === JOINED && gapAt(tokens, at + 1) === JOINED)
    return isCandidate(tokens, at + 1, false) || isSmallHalf(tokens, at) ? at + 1 : undefined;
  if (gapAt(tokens, at) !== SPACED && !(gapAt(tokens, at) === JOINED && isSign(tokens, at - 1, ".")))
    return undefined;
  if (isCandidate(tokens, at, false)) return at;
  // A small middle initial, as in "benjamin a seiler".
  if (tokens.isCaseless && lengthAt(tokens, at) === 1 && has(tokens, at - 1, GIVEN)) {
    const next = isSign(tokens, at + 1, ".") ? at + 2 : at + 1;
    return gapAt(tokens, next) === SPACED &&
      isCandidate(tokens, next, false) &&
      !has(tokens, at - 1, FUNCTION_WORD)
      ? next
      : undefined;
  }
  for (let word = at, particles = 0; particles < 3; word++, particles++) {
    if (gapAt(tokens, word) !== SPACED) return undefined;
    if (particles > 0 && isCandidate(tokens, word, false)) return word;
    if (!has(tokens, word, PARTICLE) || kindAt(tokens, word) !== LOWER) return undefined;
  }
  return isCandidate(tokens, at + 3, false) && gapAt(tokens, at + 3) === SPACED ? at + 3 : undefined;
}

/** Seo-yeon, Xiao-ming: the second half of a name is small in parts of Asia. */
function isSmallHalf(tokens: Tokens, hyphen: number): boolean {
  const isOne = (at: number) =>
    !isPlain(tokens, at) && lengthAt(tokens, at) >= 2 && lengthAt(tokens, at) <= 6;
  return (
    kindAt(tokens, hyphen - 1) === CAPITALISED &&
    kindAt(tokens, hyphen + 1) === LOWER &&
    isOne(hyphen - 1) &&
    isOne(hyphen + 1)
  );
}

function afterInitial(tokens: Tokens, at: number): number {
  const isShort = kindAt(tokens, at) === INITIAL || isIn(tokens, at, SHORT);
  return isShort && isSign(tokens, at + 1, ".") && gapAt(tokens, at + 1) === JOINED ? at + 2 : at + 1;
}

function isCandidate(tokens: Tokens, at: number, isFirst: boolean): boolean {
  const kind = kindAt(tokens, at);
  if (!tokens.isCaseless) return kind === CAPITALISED || kind === UPPER || kind === INITIAL;
  if (kind !== LOWER && kind !== UPPER) return false;
  if (has(tokens, at, FUNCTION_WORD | PARTICLE) || lengthAt(tokens, at) < 2) return false;
  if (!isPlain(tokens, at)) return true;
  return has(tokens, at, FREQUENT) ? !isFirst && has(tokens, at, FAMILY) : has(tokens, at, GIVEN | FAMILY);
}

/** Nothing of a sentence stands before it. */
export function isSentenceStart(tokens: Tokens, at: number): boolean {
  return gapAt(tokens, at) > SPACED || isSignOf(tokens, at - 1, SENTENCE_SIGNS);
}
