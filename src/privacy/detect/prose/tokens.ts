import type { Finding } from "../finding.ts";
import { BREAK, CAPITAL, DIGIT, foldCode, foldText, kindOf, OTHER, SMALL, SPACE } from "./letters.ts";
import { FUNCTION_WORD, WORD } from "./word-flags.ts";
import { addToHash, HASH_START, hashOf, type WordTable } from "./word-table.ts";

/** How a token is written. */
export const LOWER = 1;
export const CAPITALISED = 2;
export const UPPER = 3;
/** One capital letter. */
export const INITIAL = 4;
/** Capitals within, or letters with digits: code, products, ids. */
export const MIXED = 5;
export const NUMBER = 6;
export const SIGN = 7;
/** A part of what was found already. */
export const TAKEN = 8;

/** What stands before a token. */
export const JOINED = 0;
export const SPACED = 1;
export const NEW_LINE = 2;
export const BLANK_LINE = 3;

/** The words, numbers and signs of a piece of text, by index; no text is copied. */
export type Tokens = {
  readonly text: string;
  readonly count: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly kinds: Uint8Array;
  readonly gaps: Uint8Array;
  readonly hashes: Int32Array;
  readonly flags: Int32Array;
  readonly table: WordTable;
  /** Nothing in it has a capital, or all of it is in capitals: case tells nothing. */
  readonly isCaseless: boolean;
};

/** Longer ones are no words of a language. */
const LONGEST_WORD = 40;
export const PIECE_LENGTH = 32_768;

const starts = new Int32Array(PIECE_LENGTH);
const ends = new Int32Array(PIECE_LENGTH);
const kinds = new Uint8Array(PIECE_LENGTH);
const gaps = new Uint8Array(PIECE_LENGTH);
const hashes = new Int32Array(PIECE_LENGTH);
const flags = new Int32Array(PIECE_LENGTH);

/** The arrays are used again by the next call. */
export function readTokens(
  text: string,
  from: number,
  to: number,
  table: WordTable,
  found: readonly Finding[],
): Tokens {
  let count = 0;
  let gap = BLANK_LINE;
  let capitals = 0;
  let uppers = 0;
  let lowers = 0;
  let foundAt = 0;
  for (let at = from; at < to; ) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === SPACE) {
      if (gap === JOINED) gap = SPACED;
      at++;
      continue;
    }
    if (kind === BREAK) {
      gap = gap >= NEW_LINE ? BLANK_LINE : NEW_LINE;
      if (text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10) at++;
      at++;
      continue;
    }
    while (foundAt < found.length && (found[foundAt] as Finding).end <= at) foundAt++;
    const taken = found[foundAt];
    starts[count] = at;
    gaps[count] = gap;
    hashes[count] = 0;
    flags[count] = 0;
    if (taken !== undefined && taken.start <= at) {
      at = Math.min(taken.end, to);
      kinds[count] = TAKEN;
    } else if (kind === OTHER) {
      at++;
      kinds[count] = SIGN;
    } else {
      const stop = taken === undefined ? to : Math.min(to, taken.start);
      at = readWord(text, at, stop, count, table);
      const written = kinds[count];
      if (written === LOWER) lowers++;
      else if (written === CAPITALISED) capitals++;
      else if (written === UPPER) uppers++;
    }
    ends[count] = at;
    gap = JOINED;
    count++;
  }
  const isCaseless = capitals === 0 && (uppers === 0 || lowers === 0) && lowers + uppers > 2;
  return { text, count, starts, ends, kinds, gaps, hashes, flags, table, isCaseless };
}

function readWord(text: string, start: number, stop: number, index: number, table: WordTable): number {
  let at = start;
  let small = 0;
  let capital = 0;
  let digits = 0;
  let hash = HASH_START;
  let inner = 0;
  for (; at < stop; at++) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === SMALL) small++;
    else if (kind === CAPITAL) {
      capital++;
      if (small > 0) inner++;
    } else if (kind === DIGIT) digits++;
    else if (code === 39 || code === 0x2019) {
      if (!isWithin(text, at, start, stop)) break;
      hash = addToHash(hash, 39);
      // The capital after it is one of Dell'Acqua, not of camelCase.
      if (small > 0 && kindOf(text.charCodeAt(at + 1)) === CAPITAL) inner--;
      continue;
    } else if (code === 95) digits++;
    else break;
    hash = addToHash(hash, foldCode(code));
  }
  const letters = small + capital;
  hashes[index] = hash;
  if (letters === 0) {
    kinds[index] = NUMBER;
    for (let digit = start; digit < at; digit++) if (text.charCodeAt(digit) === 95) kinds[index] = MIXED;
    return at;
  }
  if (at - start > LONGEST_WORD || digits > 0) {
    kinds[index] = MIXED;
    return at;
  }
  const isFirstCapital = kindOf(text.charCodeAt(start)) === CAPITAL;
  kinds[index] =
    capital === 0
      ? LOWER
      : letters === 1
        ? INITIAL
        : small === 0
          ? UPPER
          : !isFirstCapital || (inner > 0 && !hasNamePrefix(text, start))
            ? MIXED
            : CAPITALISED;
  flags[index] = table.flagsOf(hash);
  return at;
}

/** don't, O'Brien; but not the end of a quotation or the s of Anna's. */
function isWithin(text: string, at: number, start: number, stop: number): boolean {
  if (at === start || at + 1 >= stop) return false;
  const next = kindOf(text.charCodeAt(at + 1));
  if (next === CAPITAL) return true;
  if (next !== SMALL) return false;
  const isOne = at + 2 >= stop || ![SMALL, CAPITAL].includes(kindOf(text.charCodeAt(at + 2)));
  return !(isOne && (text.charCodeAt(at + 1) | 32) === 115);
}

/** McDowell, MacLeod, DeVito, LaRue. */
function hasNamePrefix(text: string, start: number): boolean {
  return /^(?:Mc|Mac|De|La|Le|Di|Van|Fitz|O')\p{Lu}\p{Ll}+$/u.test(
    text.slice(start, start + 20).split(/[^\p{L}']/u)[0] ?? "",
  );
}

export const has = (tokens: Tokens, index: number, flag: number): boolean =>
  index >= 0 && index < tokens.count && ((tokens.flags[index] as number) & flag) !== 0;

export const kindAt = (tokens: Tokens, index: number): number =>
  index >= 0 && index < tokens.count ? (tokens.kinds[index] as number) : 0;

/** What stands between a token and the one before it. */
export const gapAt = (tokens: Tokens, index: number): number =>
  index > 0 && index < tokens.count ? (tokens.gaps[index] as number) : BLANK_LINE;

/** Folded: `"straße"` is `"strase"`. */
export function wordAt(tokens: Tokens, index: number): string {
  if (index < 0 || index >= tokens.count) return "";
  const start = tokens.starts[index] as number;
  const end = tokens.ends[index] as number;
  return end - start > LONGEST_WORD ? "" : foldText(tokens.text.slice(start, end));
}

export function isSign(tokens: Tokens, index: number, sign: string): boolean {
  return kindAt(tokens, index) === SIGN && tokens.text[tokens.starts[index] as number] === sign;
}

/** An ordinary word, also one with an ending that the list leaves out. */
export function isPlain(tokens: Tokens, index: number): boolean {
  if (has(tokens, index, WORD | FUNCTION_WORD)) return true;
  const start = tokens.starts[index] as number;
  const end = tokens.ends[index] as number;
  const length = end - start;
  if (length < 5 || length > LONGEST_WORD) return length < 2;
  const word = wordAt(tokens, index);
  const known = (stem: number, letter = "") => {
    let hash = hashOf(word, 0, stem);
    if (letter !== "") hash = addToHash(hash, letter.charCodeAt(0));
    return stem > 2 && (tokens.table.flagsOf(hash) & WORD) !== 0;
  };
  const quote = word.indexOf("'");
  if (quote !== -1 || word.includes("\u2019"))
    return kindOf(tokens.text.charCodeAt(start + Math.max(quote, word.indexOf("\u2019")) + 1)) !== CAPITAL;
  if (word.endsWith("s") && (known(length - 1) || (word.endsWith("es") && known(length - 2)))) return true;
  if (word.endsWith("ed") && (known(length - 2) || known(length - 1))) return true;
  if (word.endsWith("ing") && (known(length - 3) || known(length - 3, "e"))) return true;
  return word.endsWith("ly") && known(length - 2);
}
