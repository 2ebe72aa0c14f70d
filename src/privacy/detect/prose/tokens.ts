import type { PiiFinding } from "../finding.ts";
import {
  CAPITAL,
  DIGIT,
  foldCode,
  foldText,
  kindOf,
  OTHER,
  SMALL,
  SPACE,
  UNCASED,
  WORD_BREAK,
} from "./letters.ts";
import { FUNCTION_WORD, PLAIN, WORD } from "./word-flags.ts";
import { addToHash, HASH_START, hashOf, type WordTable } from "./word-table.ts";

/** How a token is written. */
export const LOWER = 1;
export const CAPITALISED = 2;
export const UPPER = 3;
/** One capital letter. */
export const INITIAL = 4;
/** Capitals within, or letters with digits: code, products, ids. */
export const MIXED = 5;
export const DIGITS = 6;
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
  /** Of the folded word; of a sign, its code. */
  readonly hashes: Int32Array;
  readonly flags: Int32Array;
  readonly table: WordTable;
  /** The flags of all tokens; what no token has, no rule looks for. */
  readonly seen: number;
  /** How many tokens are written with digits. */
  readonly numbers: number;
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
  found: readonly PiiFinding[],
): Tokens {
  let count = 0;
  let gap = BLANK_LINE;
  let capitals = 0;
  let uppers = 0;
  let lowers = 0;
  let foundAt = 0;
  let seen = 0;
  let numbers = 0;
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === SPACE) {
      if (gap === JOINED) gap = SPACED;
      at++;
      continue;
    }
    if (kind === WORD_BREAK) {
      gap = gap >= NEW_LINE ? BLANK_LINE : NEW_LINE;
      at += code === 13 && text.charCodeAt(at + 1) === 10 ? 2 : 1;
      continue;
    }
    while (foundAt < found.length && (found[foundAt] as PiiFinding).end <= at) foundAt++;
    const taken = foundAt < found.length ? found[foundAt] : undefined;
    starts[count] = at;
    gaps[count] = gap;
    flags[count] = 0;
    if (taken !== undefined && taken.start <= at) {
      at = Math.min(taken.end, to);
      kinds[count] = TAKEN;
      hashes[count] = 0;
    } else if (kind === OTHER) {
      at++;
      kinds[count] = SIGN;
      hashes[count] = code;
    } else {
      at = readWord(text, at, taken === undefined ? to : Math.min(to, taken.start), count, table);
      const written = kinds[count];
      seen |= flags[count] as number;
      if (written === LOWER) lowers++;
      else if (written === CAPITALISED) capitals++;
      else if (written === UPPER) uppers++;
      else if (written !== INITIAL) numbers++;
    }
    ends[count] = at;
    gap = JOINED;
    count++;
  }
  const isCaseless = capitals === 0 && (uppers === 0 || lowers === 0) && lowers + uppers > 2;
  return { text, count, starts, ends, kinds, gaps, hashes, flags, table, seen, numbers, isCaseless };
}

function readWord(text: string, start: number, stop: number, index: number, table: WordTable): number {
  let at = start;
  let small = 0;
  let capital = 0;
  let others = 0;
  // Capitals, but those after an apostrophe.
  let inner = 0;
  let isShortened = false;
  // The hash, and what it was one, two and three letters before.
  let hash = HASH_START;
  let hash1 = 0;
  let hash2 = 0;
  let hash3 = 0;
  for (; at < stop; at++) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    let folded = 39;
    if (kind === SMALL) small++;
    else if (kind === CAPITAL) {
      capital++;
      inner++;
    } else if (kind === DIGIT || kind === UNCASED || code === 95) others++;
    else if ((code === 39 || code === 0x2019) && isWithin(text, at, start, stop)) {
      // The capital after it is one of Dell'Acqua, not of camelCase.
      if (kindOf(text.charCodeAt(at + 1)) !== CAPITAL) isShortened = true;
      else inner--;
    } else break;
    if (code !== 0x2019) folded = foldCode(code);
    hash3 = hash2;
    hash2 = hash1;
    hash1 = hash;
    hash = addToHash(hash, folded);
  }
  hashes[index] = hash;
  const letters = small + capital;
  const length = at - start;
  if (letters === 0) {
    kinds[index] = isDigits(text, start, at) ? DIGITS : MIXED;
    return at;
  }
  if (length > LONGEST_WORD || others > 0) {
    kinds[index] = MIXED;
    return at;
  }
  kinds[index] = writtenAs(text, start, small, capital, inner);
  let known = table.flagsOf(hash);
  if ((known & (WORD | FUNCTION_WORD)) !== 0 || isShortened || letters === 1) known |= PLAIN;
  else if (length > 4 && hasPlainStem(text, at, table, hash1, hash2, hash3)) known |= PLAIN;
  flags[index] = known;
  return at;
}

function writtenAs(text: string, start: number, small: number, capital: number, inner: number): number {
  if (capital === 0) return LOWER;
  if (small + capital === 1) return INITIAL;
  if (small === 0) return UPPER;
  if (kindOf(text.charCodeAt(start)) !== CAPITAL) return MIXED;
  return inner > 1 && !hasNamePrefix(text, start) ? MIXED : CAPITALISED;
}

/** Endings that the list leaves out: -s, -es, -d, -ed, -ing, -ly. */
function hasPlainStem(
  text: string,
  end: number,
  table: WordTable,
  hash1: number,
  hash2: number,
  hash3: number,
): boolean {
  const last = text.charCodeAt(end - 1) | 32;
  const second = text.charCodeAt(end - 2) | 32;
  const isWord = (hash: number) => (table.flagsOf(hash) & WORD) !== 0;
  if (last === 115) return isWord(hash1) || (second === 101 && isWord(hash2));
  if (last === 100) return second === 101 && (isWord(hash1) || isWord(hash2));
  if (last === 121) return second === 108 && isWord(hash2);
  if (last !== 103 || second !== 110 || (text.charCodeAt(end - 3) | 32) !== 105) return false;
  return isWord(hash3) || isWord(addToHash(hash3, 101));
}

function isDigits(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (kindOf(text.charCodeAt(at)) !== DIGIT) return false;
  return true;
}

/** don't, O'Brien; but not the end of a quotation or the s of Anna's. */
function isWithin(text: string, at: number, start: number, stop: number): boolean {
  if (at === start || at + 1 >= stop) return false;
  const next = kindOf(text.charCodeAt(at + 1));
  if (next === CAPITAL) return true;
  if (next !== SMALL) return false;
  const after = at + 2 < stop ? kindOf(text.charCodeAt(at + 2)) : OTHER;
  return after === SMALL || after === CAPITAL || (text.charCodeAt(at + 1) | 32) !== 115;
}

/** McDowell, MacLeod, DeVito, LaRue. */
function hasNamePrefix(text: string, start: number): boolean {
  return /^(?:Mc|Mac|De|La|Le|Di|Van|Fitz)\p{Lu}\p{Ll}+(?![\p{L}\d])/u.test(text.slice(start, start + 24));
}

export function has(tokens: Tokens, index: number, flag: number): boolean {
  return index >= 0 && index < tokens.count && ((tokens.flags[index] as number) & flag) !== 0;
}

export function kindAt(tokens: Tokens, index: number): number {
  return index >= 0 && index < tokens.count ? (tokens.kinds[index] as number) : 0;
}

/** What stands between a token and the one before it. */
export function gapAt(tokens: Tokens, index: number): number {
  return index > 0 && index < tokens.count ? (tokens.gaps[index] as number) : BLANK_LINE;
}

export function isSign(tokens: Tokens, index: number, sign: string): boolean {
  return kindAt(tokens, index) === SIGN && tokens.hashes[index] === sign.charCodeAt(0);
}

export function isSignOf(tokens: Tokens, index: number, signs: string): boolean {
  if (kindAt(tokens, index) !== SIGN) return false;
  const code = tokens.hashes[index] as number;
  for (let at = 0; at < signs.length; at++) if (signs.charCodeAt(at) === code) return true;
  return false;
}

/** An ordinary word, also one with an ending that the list leaves out. */
export function isPlain(tokens: Tokens, index: number): boolean {
  return has(tokens, index, PLAIN);
}

/** Folded words, to be asked by `isIn`. */
export type WordSet = ReadonlySet<number>;

export function wordSet(text: string): WordSet {
  const words = text.trim().split(/\s+/);
  return new Set(words.map((word) => hashOf(word, 0, word.length)));
}

export function isIn(tokens: Tokens, index: number, words: WordSet): boolean {
  const kind = kindAt(tokens, index);
  return kind !== 0 && kind !== SIGN && words.has(tokens.hashes[index] as number);
}

/** Folded: `"straße"` is `"strase"`. Copies; only for what `isIn` cannot ask. */
export function wordAt(tokens: Tokens, index: number): string {
  if (index < 0 || index >= tokens.count) return "";
  const start = tokens.starts[index] as number;
  const end = tokens.ends[index] as number;
  return end - start > LONGEST_WORD ? "" : foldText(tokens.text.slice(start, end));
}

export function lengthAt(tokens: Tokens, index: number): number {
  return index >= 0 && index < tokens.count
    ? (tokens.ends[index] as number) - (tokens.starts[index] as number)
    : 0;
}
