import type { PiiClass } from "../../pii-classes.ts";
import { toNationalNumber } from "./national-number.ts";
import { isParticle, isWordOfLists, ordinarinessOf } from "./ordinary-words.ts";
import { createSymbolStream, fillStream } from "./symbol-stream.ts";
import { BREAK, isDigitSymbol, isSharedSymbol } from "./symbols.ts";

/** One way to write a value, as the symbols of it, and what else must be so where it is found. */
export type Pattern = {
  readonly symbols: string;
  /** Of `RULES`, joined. */
  readonly rules: number;
  /** How many gaps it has of its own. */
  readonly gaps: number;
};

export const RULES = {
  /** It stands alone: no letter beside its letters, no digit beside its digits. */
  bounded: 1,
  /** It is written in groups, or a character at a time. */
  grouped: 2,
  /** Anything may stand between its characters. */
  spread: 4,
  /** It begins with a capital letter. */
  capital: 8,
  /** It is some of the value. */
  part: 16,
  reversed: 32,
  /** Signs between its characters are those of the value. */
  exact: 64,
  /** Some of its symbols stand for other letters as well. */
  shared: 128,
  /** Where it was found it overlaps itself. */
  repeated: 256,
  /** Its words are not run together: that would be another word. */
  apart: 512,
} as const;

/** The longest pattern; longer values are looked for in pieces. */
const MAX_SYMBOLS = 64;
/** What is looked at of a value. */
const MAX_VALUE = 8_192;
/** Long enough to be nothing else wherever it stands. */
const UNMISTAKABLE = 8;
const UNMISTAKABLE_DIGITS = 9;
const SPREADABLE = 12;
const MAX_WORDS = 12;
const SHORTEST = 4;
const SHORTEST_NAME = 3;
const SHORTEST_DIGITS = 6;
const SHORTEST_REVERSED = 6;
/** A longer value is no word, whatever signs are around it. */
const MAX_ORDINARY = 64;

export type FormEntry = { readonly class: PiiClass; readonly value: string };

/** All ways to write a value that are looked for. None for one that is too short to be told from other text. */
export function toPatterns(entry: FormEntry): Pattern[] {
  const found = new Map<string, Pattern>();
  const add = (pattern: Pattern | undefined) => {
    if (pattern === undefined) return;
    const key = `${pattern.symbols}\0${pattern.rules & RULES.reversed}`;
    if (!found.has(key)) found.set(key, pattern);
  };
  for (const value of toReadings(entry.value.slice(0, MAX_VALUE)))
    for (const pattern of forwardPatterns({ ...entry, value })) {
      if (pattern === undefined) continue;
      add(pattern);
      add(toReversed(pattern));
    }
  return [...found.values()];
}

/** One word that stands in texts without meaning anybody. Where its key says what it is, detection finds it. */
export function isOrdinaryValue({ class: kind, value }: FormEntry): boolean {
  if (value.length > MAX_ORDINARY) return false;
  return ordinarinessOf(value.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""), kind) === "ordinary";
}

/** What could be an escape in a value is one in no other encoding of it, or only in small letters: `CORP\\Nadia`. */
function toReadings(value: string): string[] {
  if (!/[%&\\]/.test(value)) return [value];
  return [value, value.toLowerCase(), value.replace(/[%&\\]/g, "!")];
}

function forwardPatterns({ class: kind, value }: FormEntry): (Pattern | undefined)[] {
  const text = value.slice(0, MAX_VALUE);
  if (isOrdinaryValue({ class: kind, value: text })) return [];
  const { symbols } = readPattern(text);
  if (symbols.length > MAX_SYMBOLS || symbols.includes("\0"))
    return [...toPieces(text), ...linesOf(kind, text).flatMap(toPieces)];
  switch (kind) {
    case "PHONE":
      return toPhones(text);
    case "CREDIT_CARD":
    case "SSN":
    case "NATIONAL_ID":
    case "IBAN":
    case "BANK_ACCOUNT":
    case "PASSPORT":
    case "DRIVING_LICENCE":
    case "POSTAL_CODE":
    case "MAC":
      return [toCode(text)];
    case "DATE_OF_BIRTH":
    case "DATE":
      return toDates(text);
    case "IP":
      return [toWhole(text, RULES.exact | RULES.bounded)];
    case "NAME":
      return [toName(text, kind), ...toNameParts(text)];
    case "COMPANY":
      return [toName(text, kind), toPart(withoutLegalForm(text), kind, RULES.part)];
    case "ADDRESS":
      return [toWhole(text, 0, kind), toStreet(text)];
    case "URL":
      return [toWhole(text), toWhole(text.replace(/^[a-z]+:\/\/(?:www\.)?/i, ""))];
    case "EMAIL":
    case "PASSWORD":
      return [toSecret(text)];
    default:
      return [toWhole(text, 0, kind)];
  }
}

/** A key by its lines, whatever stands between them; what they begin and end with is the same in every key. */
function linesOf(kind: PiiClass, text: string): string[] {
  if (kind !== "PRIVATE_KEY") return [];
  return text.split(/\r?\n|\\n/).filter((line) => !line.startsWith("-----"));
}

/** As it is dialled from elsewhere, from within its country, and in a text that leaves both open. */
function toPhones(text: string): (Pattern | undefined)[] {
  const national = toNationalNumber(text);
  return [toCode(text), toCode(national), toCode(national === "" ? "" : `0${national}`)];
}

/** Groups of letters and digits, whatever stands between them. */
function toCode(text: string): Pattern | undefined {
  const read = readPattern(text);
  const { symbols, digits } = read;
  if (symbols.length < (digits === symbols.length ? SHORTEST_DIGITS : SHORTEST + 1)) return undefined;
  const isPlain = symbols.length >= UNMISTAKABLE_DIGITS;
  return toPattern(read, RULES.grouped | (isPlain ? 0 : RULES.bounded));
}

function toWhole(text: string, more = 0, kind?: PiiClass): Pattern | undefined {
  const read = readPattern(text);
  const { symbols, digits } = read;
  const isShort = symbols.length < UNMISTAKABLE;
  const isExact = (more & RULES.exact) !== 0;
  const isBoth = kind !== undefined && ordinarinessOf(text.trim(), kind) === "both";
  const shortest = digits === symbols.length && !isExact ? SHORTEST_DIGITS : SHORTEST;
  if (symbols.length < shortest) return undefined;
  return toPattern(read, more | (isShort ? RULES.bounded : 0) | (isBoth ? RULES.capital : 0));
}

/** Short ones have the value's own signs, or every "a@b.co" would be found in "abco". */
function toSecret(text: string): Pattern | undefined {
  const { symbols } = readPattern(text);
  return symbols.length < UNMISTAKABLE + 2 ? toWhole(text, RULES.exact | RULES.bounded) : toWhole(text);
}

function toName(text: string, kind: PiiClass, more = 0): Pattern | undefined {
  const read = readPattern(text);
  const { symbols, digits, gaps } = read;
  if (symbols.length < SHORTEST_NAME || digits === symbols.length) return undefined;
  const isShort = symbols.length < UNMISTAKABLE;
  const isBoth = gaps === 0 && ordinarinessOf(text.trim(), kind) === "both";
  const isWord = gaps > 0 && isWordOfLists(text.replace(/[^\p{L}\p{M}]/gu, ""));
  const rules = (isBoth ? RULES.capital : 0) | (isWord ? RULES.apart | RULES.bounded : 0);
  return toPattern(read, more | rules | (isShort ? RULES.bounded : 0));
}

/** The same of some of a value. */
function toPart(text: string, kind: PiiClass, more: number): Pattern | undefined {
  return isOrdinaryValue({ class: kind, value: text }) ? undefined : toName(text, kind, more);
}

/** Each word of it. One word is the whole. */
function toNameParts(text: string): (Pattern | undefined)[] {
  const words = text.split(/[\s,.;"()]+/u).filter((word) => word !== "");
  // "Müller-Lüdenscheidt" is written by its halves, too.
  const halves = words.flatMap((word) => (word.includes("-") ? word.split("-") : []));
  if (words.length + halves.length < 2) return [];
  return [...words, ...halves].slice(0, MAX_WORDS).map((word) => {
    if (isParticle(word) || [...word].length < SHORTEST_NAME) return undefined;
    return toPart(word, "NAME", RULES.part | RULES.bounded);
  });
}

const LEGAL_FORM =
  /[\s,]+(?:inc|incorporated|corp|corporation|co|company|llc|llp|lp|ltd|limited|plc|gmbh|ag|kg|ug|se|sa|sas|sarl|srl|spa|bv|nv|oy|ab|as|aps|pty|kk|group|holding|holdings)\.?$/i;

function withoutLegalForm(text: string): string {
  const shorter = text.trim().replace(LEGAL_FORM, "").replace(LEGAL_FORM, "");
  return shorter.length < SHORTEST || shorter === text.trim() ? "" : shorter;
}

/** The line with the number of the house. */
function toStreet(text: string): Pattern | undefined {
  const [line = "", rest] = text.split(/[,\n]/, 2);
  const { symbols, digits } = readPattern(line);
  if (rest === undefined || digits === 0 || symbols.length < UNMISTAKABLE) return undefined;
  return toWhole(line, RULES.part);
}

/** Numbers in the orders in which dates are written. */
function toDates(text: string): (Pattern | undefined)[] {
  const numbers = text.match(/\d+/g) ?? [];
  const whole = numbers.length === 3 && !/\p{L}/u.test(text) ? undefined : toWhole(text);
  if (whole !== undefined) return [whole];
  const [a = "", b = "", c = ""] = numbers.map((number) => number.padStart(2, "0"));
  const orders =
    a.length === 4
      ? [
          [a, b, c],
          [c, b, a],
          [b, c, a],
        ]
      : [
          [a, b, c],
          [b, a, c],
          [c, b, a],
          [c, a, b],
        ];
  return orders.flatMap((order) => {
    const padded = toCode(order.join("-"));
    const short = toCode(order.map((number) => number.replace(/^0(?=\d$)/, "")).join("-"));
    return [padded, short].map((pattern) => pattern && { ...pattern, rules: pattern.rules | RULES.bounded });
  });
}

function toReversed(pattern: Pattern): Pattern | undefined {
  const { symbols, rules } = pattern;
  const isShort = symbols.length < SHORTEST_REVERSED;
  if (isShort || (rules & RULES.capital) !== 0) return undefined;
  const reversed = [...symbols].reverse().join("");
  return reversed === symbols ? undefined : { ...pattern, symbols: reversed, rules: rules | RULES.reversed };
}

type ReadPattern = {
  readonly symbols: string;
  readonly gaps: number;
  readonly digits: number;
  readonly isShared: boolean;
};

const stream = createSymbolStream();

function readPattern(text: string): ReadPattern {
  fillStream(stream, text, 0, text.length, true);
  return readSymbols(0, stream.length);
}

function readSymbols(from: number, to: number): ReadPattern {
  const read = stream.symbols.subarray(from, to);
  return {
    symbols: String.fromCharCode(...read),
    gaps: stream.gaps.subarray(from + 1, to).reduce((sum, gap) => sum + (gap === 0 ? 0 : 1), 0),
    digits: read.reduce((sum, symbol) => sum + (isDigitSymbol(symbol) ? 1 : 0), 0),
    isShared: read.some(isSharedSymbol),
  };
}

function toPattern({ symbols, gaps, isShared }: ReadPattern, rules: number): Pattern {
  const isLoose = symbols.length >= SPREADABLE && !(rules & (RULES.exact | RULES.grouped | RULES.apart));
  const spread = isLoose ? RULES.spread : 0;
  return { symbols, gaps, rules: rules | spread | (isShared ? RULES.shared : 0) };
}

/** A long value in pieces, so that some of it is found as well. A gap that is too wide ends a piece. */
function toPieces(text: string): Pattern[] {
  fillStream(stream, text, 0, text.length, true);
  const pieces: Pattern[] = [];
  let from = 0;
  for (let at = 0; at <= stream.length; at++) {
    const isEnd = at === stream.length || stream.symbols[at] === BREAK;
    if (!isEnd && at - from < MAX_SYMBOLS) continue;
    // The last one reaches back, so that it is as long as the others.
    const start =
      isEnd && from >= MAX_SYMBOLS && at < stream.length + 1 ? Math.max(0, at - MAX_SYMBOLS) : from;
    if (at - from > 0 && at - start >= UNMISTAKABLE)
      pieces.push(toPattern(readSymbols(start, at), RULES.part));
    from = isEnd ? at + 1 : at;
  }
  return pieces.filter(({ symbols }) => !symbols.includes("\0"));
}
