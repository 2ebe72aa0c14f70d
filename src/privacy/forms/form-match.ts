import { type FormEntry, RULES } from "./patterns.ts";
import { endOf, type SymbolStream, WIDE_GAP } from "./symbol-stream.ts";
import { BREAK, isDigitSymbol } from "./symbols.ts";
import { readEscapes } from "./written-forms.ts";

/** Letters and digits beside each other, or a capital in a word, end a longer name only: hashes are full of short ones. */
const CLEAR = 5;
const SPELLED_OUT = 6;

export type FormCandidate = {
  readonly rules: number;
  readonly gaps: number;
  readonly entry: FormEntry;
  /** In the stream. */
  readonly first: number;
  readonly last: number;
};

export type StreamEdges = {
  readonly text: string;
  /** Whether what lies before and after the stream is no part of a word. */
  readonly isOpenBefore: boolean;
  readonly isOpenAfter: boolean;
};

/** Whether what has a value's symbols is that value. */
export function isMatch(candidate: FormCandidate, stream: SymbolStream, edges: StreamEdges): boolean {
  const { rules, first, last, entry } = candidate;
  if (rules & RULES.bounded && !isBounded(candidate, stream, edges)) return false;
  if (!hasOwnGaps(candidate, stream, edges)) return false;
  if (!(rules & (RULES.capital | RULES.exact | RULES.shared))) return true;
  const written = edges.text.slice(stream.starts[first] ?? 0, endOf(stream, last));
  if (rules & RULES.capital) {
    const [letter = ""] = readEscapes(written);
    if (letter === letter.toLowerCase()) return false;
  }
  if (!(rules & (RULES.exact | RULES.shared))) return true;
  const isExact = (rules & RULES.exact) !== 0;
  const plain = toComparable(readEscapes(written), isExact);
  const read = rules & RULES.reversed ? [...plain].reverse().join("") : plain;
  return [entry.value, readEscapes(entry.value)].some((value) => toComparable(value, isExact).includes(read));
}

function hasOwnGaps(
  { rules, gaps: ownGaps, first, last }: FormCandidate,
  stream: SymbolStream,
  edges: StreamEdges,
): boolean {
  if (rules & RULES.spread) return true;
  const { gaps, wideGaps } = countGaps(stream, first, last);
  if (gaps === 0) return !(rules & RULES.apart);
  const length = last - first + 1;
  const isSpelledOut = gaps === length - 1 && length >= SPELLED_OUT;
  if (!(rules & RULES.grouped)) return gaps <= ownGaps || isSpelledOut;
  // As many as the value has itself: the colons of a MAC address are wide ones, and it is found between letters too.
  if (gaps === ownGaps) return true;
  return (wideGaps === 0 || isSpelledOut) && isBounded({ rules, first, last }, stream, edges);
}

/** Patterns are short, so that this is done often enough without harm. */
function countGaps(stream: SymbolStream, first: number, last: number): { gaps: number; wideGaps: number } {
  let gaps = 0;
  let wideGaps = 0;
  for (let at = first + 1; at <= last; at++) {
    const gap = stream.gaps[at] ?? 0;
    if (gap !== 0) gaps++;
    if (gap === WIDE_GAP) wideGaps++;
  }
  return { gaps, wideGaps };
}

function isBounded(
  { rules, first, last }: Pick<FormCandidate, "rules" | "first" | "last">,
  stream: SymbolStream,
  { text, isOpenBefore, isOpenAfter }: StreamEdges,
): boolean {
  const isClear = last - first + 1 >= CLEAR && !(rules & RULES.reversed);
  const before = first === 0 ? isOpenBefore : isEdge(text, stream, first - 1, isClear);
  if (!before) return false;
  return last + 1 >= stream.length ? isOpenAfter : isEdge(text, stream, last, isClear);
}

/** Whether anything that stands alone could end here. */
export function isWordEnd(at: number, stream: SymbolStream, { text, isOpenAfter }: StreamEdges): boolean {
  return at + 1 >= stream.length ? isOpenAfter : isEdge(text, stream, at, true);
}

/** Whether a word ends between this symbol and the next. */
function isEdge(text: string, stream: SymbolStream, at: number, isClear: boolean): boolean {
  const { symbols, starts, gaps } = stream;
  const left = symbols[at] ?? BREAK;
  const right = symbols[at + 1] ?? BREAK;
  if (left === BREAK || right === BREAK || gaps[at + 1] !== 0) return true;
  const [before = "", after = ""] = [text[starts[at] ?? 0], text[starts[at + 1] ?? 0]];
  // Scripts that have no spaces between words.
  if (isSpaceless(before) || isSpaceless(after)) return true;
  const [isLeftDigit, isRightDigit] = [isDigitSymbol(left), isDigitSymbol(right)];
  if (!isClear || (isLeftDigit && isRightDigit)) return false;
  if (isLeftDigit !== isRightDigit) return true;
  return before !== before.toUpperCase() && after !== after.toLowerCase();
}

function isSpaceless(letter: string): boolean {
  return (
    letter >= "\u0e00" &&
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(letter)
  );
}

function toComparable(text: string, isExact: boolean): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}|\p{Cf}/gu, "");
  // Levels of JSON add backslashes.
  return isExact ? plain.replace(/[\\\s]+/g, "") : plain.replace(/[^\p{L}\p{N}]+/gu, "");
}
