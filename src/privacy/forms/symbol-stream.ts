import { isEscapeUnit, readEscape } from "./escapes.ts";
import { ASCII, BREAK, SEPARATOR, toSymbols } from "./symbols.ts";

/**
 * A piece of a text as symbols, each with where it stands. What lies between two of them is a gap: a narrow one is what people
 * put between the groups of a number. Made once and filled again and again.
 */
export type SymbolStream = {
  length: number;
  readonly symbols: Uint8Array;
  readonly starts: Int32Array;
  /** What lies before each: nothing, a narrow gap, or a wide one. */
  readonly gaps: Uint8Array;
  /** Where those end that are longer than a unit; 0 for all others. */
  readonly ends: Int32Array;
  /** Where an escape begins that could also be read as it stands. */
  readonly escapes: number[];
};

export const NARROW_GAP = 1;
export const WIDE_GAP = 2;

/** So many units are read at a time, and so many of them again with the next: no match is wider than that. */
export const PIECE = 16_384;
export const OVERLAP = 1_024;

/** One character can stand for many symbols. */
const ROOM = PIECE + 64;
/** Between the characters of a value, and a line's end with its indentation. */
const MAX_SIGNS = 8;
const MAX_BLANKS = 48;
const MAX_NARROW = 3;
const NARROW = new Set(" -./()+_*|\t\u00a0\u2007\u2009\u202f\u2010\u2011\u2012\u2013\u2014\u00b7\u2022");
/** Signs are counted in the low bits of a number, blanks in those above, and backslashes with them: JSON in JSON adds many. */
const BLANK = 1 << 15;
const SIGN = 1;
const WEIGHTS: Int32Array = Int32Array.from({ length: 128 }, (_, unit) =>
  unit === 32 || unit === 92 || (unit >= 9 && unit <= 13) ? BLANK : SIGN,
);
const ROUGH: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) =>
  NARROW.has(String.fromCharCode(unit)) ? 0 : 1,
);
/** 2 for what begins an escape. */
const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => (isEscapeUnit(unit) ? 2 : 1));

export function createSymbolStream(): SymbolStream {
  return {
    length: 0,
    symbols: new Uint8Array(ROOM),
    starts: new Int32Array(ROOM),
    gaps: new Uint8Array(ROOM),
    ends: new Int32Array(ROOM),
    escapes: [],
  };
}

export function endOf({ ends, starts }: SymbolStream, at: number): number {
  return ends[at] || (starts[at] ?? 0) + 1;
}

/** Fills it from a piece of a text, with escapes read or as they stand. Tells how far it came: some characters are many symbols. */
export function fillStream(
  stream: SymbolStream,
  text: string,
  from: number,
  to: number,
  isEscaped: boolean,
): number {
  const { symbols, starts, gaps, ends, escapes } = stream;
  escapes.length = 0;
  const escapeKind = isEscaped ? 2 : 3;
  let length = 0;
  /** Of the gap under way: its characters, and whether it is more than narrow. */
  let gap = 0;
  let rough = 0;
  let at = from;

  while (at < to && length < PIECE) {
    const unit = text.charCodeAt(at);
    if (unit < 128) {
      const symbol = ASCII[unit] ?? SEPARATOR;
      if (symbol < SEPARATOR) {
        if (gap !== 0) {
          if (isBreak(gap)) symbols[length++] = BREAK;
          gaps[length] = toGap(gap, rough);
          gap = 0;
          rough = 0;
        } else gaps[length] = 0;
        symbols[length] = symbol;
        starts[length] = at;
        ends[length] = 0;
        length++;
        at++;
        continue;
      }
      if (KINDS[unit] !== escapeKind) {
        gap += WEIGHTS[unit] ?? SIGN;
        rough |= ROUGH[unit] ?? 1;
        at++;
        continue;
      }
    }
    let codePoint = text.codePointAt(at) ?? unit;
    let end = at + (codePoint > 0xffff ? 2 : 1);
    const found = unit < 128 ? readEscape(text, at, to) : undefined;
    if (found !== undefined) {
      escapes.push(at);
      codePoint = found.codePoint;
      end = found.end;
    }
    const more = toSymbols(codePoint);
    if (more[0] === SEPARATOR) {
      gap += codePoint < 128 ? (WEIGHTS[codePoint] ?? SIGN) : SIGN;
      rough |= NARROW.has(String.fromCodePoint(codePoint)) ? 0 : 1;
    } else if (more.length > 0) {
      if (gap !== 0 && isBreak(gap)) symbols[length++] = BREAK;
      for (const [place, symbol] of more.entries()) {
        symbols[length] = symbol;
        starts[length] = at;
        ends[length] = end;
        gaps[length] = place === 0 && gap !== 0 ? toGap(gap, rough) : 0;
        length++;
      }
      gap = 0;
      rough = 0;
    }
    at = end;
  }
  stream.length = length;
  return at;
}

function isBreak(gap: number): boolean {
  return (gap & (BLANK - 1)) > MAX_SIGNS || gap >= (MAX_BLANKS + 1) * BLANK;
}

function toGap(gap: number, rough: number): number {
  const characters = (gap & (BLANK - 1)) + (gap >> 15);
  return rough === 0 && characters <= MAX_NARROW ? NARROW_GAP : WIDE_GAP;
}
