import { type PiiClass, toPiiClass } from "../../pii-classes.ts";

/** Something in a text that is a token, was one, or looks like one. */
export type TokenShape = {
  readonly start: number;
  readonly end: number;
  readonly kind: "whole" | "cut" | "altered";
  readonly class: PiiClass;
  /** Empty where it was cut off. */
  readonly digits: string;
  /** A look-alike that was in the data has one more than it had: `[EMAIL_~1]` is the text "[EMAIL_1]". */
  readonly tildes: number;
  /** Where they stand, or would. */
  readonly tildesAt: number;
  readonly encoding: BracketEncoding;
  /** How often it was escaped as JSON. */
  readonly levels: number;
  /** As tokens are given. */
  readonly isUpperCase: boolean;
};

type BracketEncoding = "plain" | "url" | "url-twice" | "html" | "json";

type Bracket = { readonly length: number; readonly encoding: BracketEncoding; readonly levels: number };

const OPEN = 0x5b;
const CLOSE = 0x5d;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const TILDE = 0x7e;
const UNDERSCORE = 0x5f;
/** With the backslashes of four levels. */
const LONGEST_BRACKET = 13;
const LONGEST_CLASS = 24;
const MOST_TILDES = 1_000;
const MOST_DIGITS = 18;

/** All of them, in the order of the text; none overlaps another. */
export function findTokenShapes(text: string): TokenShape[] {
  const shapes: TokenShape[] = [];
  let after = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== OPEN && unit !== CLOSE && unit !== PERCENT && unit !== AMPERSAND && unit !== BACKSLASH)
      continue;
    const bracket = unit === CLOSE ? undefined : readBracket(text, at, OPENING);
    const shape =
      bracket === undefined ? readBackwards(text, at, unit, after) : readForwards(text, at, bracket);
    if (shape === undefined) continue;
    shapes.push(shape);
    after = shape.end;
    at = shape.end - 1;
  }
  return shapes;
}

const OPENING = /^(?:%5b|%255b|&#91;|&#x5b;|&lsqb;|&lbrack;|(\\{1,8})u005b)/i;
const CLOSING = /^(?:%5d|%255d|&#93;|&#x5d;|&rsqb;|&rbrack;|(\\{1,8})u005d)/i;

function readBracket(text: string, at: number, encoded: RegExp): Bracket | undefined {
  const unit = text.charCodeAt(at);
  if (unit === (encoded === OPENING ? OPEN : CLOSE)) return { length: 1, encoding: "plain", levels: 0 };
  if (unit !== PERCENT && unit !== AMPERSAND && unit !== BACKSLASH) return undefined;
  const [found, backslashes = ""] = encoded.exec(text.slice(at, at + LONGEST_BRACKET)) ?? [];
  if (found === undefined) return undefined;
  const { length } = found;
  if (unit === AMPERSAND) return { length, encoding: "html", levels: 0 };
  if (unit === PERCENT) return { length, encoding: length > 3 ? "url-twice" : "url", levels: 0 };
  // Each level doubles them.
  const levels = Math.log2(backslashes.length) + 1;
  return Number.isInteger(levels) ? { length, encoding: "json", levels } : undefined;
}

/** From its opening bracket on. */
function readForwards(
  text: string,
  start: number,
  { length, encoding, levels }: Bracket,
): TokenShape | undefined {
  const nameAt = start + length;
  const nameEnd = skip(text, nameAt, LONGEST_CLASS + 1, isNameUnit);
  const isJoined = text.charCodeAt(nameEnd - 1) === UNDERSCORE;
  const name = text.slice(nameAt, isJoined ? nameEnd - 1 : nameEnd);
  const kind = name === "" ? undefined : toPiiClass(name.toUpperCase());
  if (kind === undefined) return undefined;
  const tildesAt = isJoined ? nameEnd : nameEnd + (/[ -]/.test(text[nameEnd] ?? "") ? 1 : 0);
  const digitsAt = skip(text, tildesAt, MOST_TILDES, (unit) => unit === TILDE);
  const digitsEnd = skip(text, digitsAt, MOST_DIGITS, isDigitUnit);
  const isUpperCase = name === kind;
  const closing = readBracket(text, digitsEnd, CLOSING);
  const digits = text.slice(digitsAt, digitsEnd);
  const known = {
    start,
    class: kind,
    digits,
    tildes: digitsAt - tildesAt,
    tildesAt,
    encoding,
    levels,
    isUpperCase,
  };
  if (isJoined && closing !== undefined && digits !== "")
    return { ...known, kind: "whole", end: digitsEnd + closing.length };
  if (!isUpperCase) return undefined;
  if (!isJoined)
    return closing !== undefined && digits !== ""
      ? { ...known, kind: "altered", end: digitsEnd + closing.length }
      : undefined;
  if (closing !== undefined) return { ...known, kind: "cut", end: digitsEnd + closing.length };
  return isWordUnit(text.charCodeAt(digitsEnd)) ? undefined : { ...known, kind: "cut", end: digitsEnd };
}

/** From a closing bracket back, where there was no opening one. */
function readBackwards(text: string, at: number, unit: number, after: number): TokenShape | undefined {
  const closing = unit === OPEN ? undefined : readBracket(text, at, CLOSING);
  if (closing === undefined) return undefined;
  const digitsAt = skipBack(text, at, Math.max(after, at - MOST_DIGITS), isDigitUnit);
  const tildesAt = skipBack(text, digitsAt, Math.max(after, digitsAt - MOST_TILDES), (one) => one === TILDE);
  if (digitsAt === at || tildesAt === after || text.charCodeAt(tildesAt - 1) !== UNDERSCORE) return undefined;
  const start = skipBack(text, tildesAt, Math.max(after, tildesAt - LONGEST_CLASS - 1), isNameUnit);
  const name = text.slice(start, tildesAt - 1);
  const kind = toPiiClass(name);
  if (kind === undefined || (start > 0 && isWordUnit(text.charCodeAt(start - 1)))) return undefined;
  const { length, encoding, levels } = closing;
  return {
    start,
    end: at + length,
    kind: "cut",
    class: kind,
    digits: text.slice(digitsAt, at),
    tildes: digitsAt - tildesAt,
    tildesAt,
    encoding,
    levels,
    isUpperCase: true,
  };
}

function skip(text: string, from: number, most: number, isMeant: (unit: number) => boolean): number {
  const limit = Math.min(text.length, from + most);
  let at = from;
  while (at < limit && isMeant(text.charCodeAt(at))) at++;
  return at;
}

function skipBack(text: string, from: number, limit: number, isMeant: (unit: number) => boolean): number {
  let at = from;
  while (at > limit && isMeant(text.charCodeAt(at - 1))) at--;
  return at;
}

function isDigitUnit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isNameUnit(unit: number): boolean {
  const small = unit | 0x20;
  return (small >= 0x61 && small <= 0x7a) || unit === UNDERSCORE;
}

function isWordUnit(unit: number): boolean {
  return isNameUnit(unit) || isDigitUnit(unit);
}
