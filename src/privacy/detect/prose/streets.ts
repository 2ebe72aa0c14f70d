import {
  CAPITALISED,
  DIGITS,
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
  MIXED,
  NEW_LINE,
  type Tokens,
  UPPER,
  wordAt,
  wordSet,
} from "./tokens.ts";
import { DWELLING, FUNCTION_WORD, PARTICLE, STREET, STREET_FIRST } from "./word-flags.ts";

export type Street = {
  readonly end: number;
  /** House numbers before and after the name. */
  readonly hasLead: boolean;
  readonly hasTrail: boolean;
  /** A word says that it is a street. */
  readonly hasType: boolean;
  /** That word means little else. */
  readonly isSure: boolean;
  /** It is a word of its own. */
  readonly isAlone: boolean;
};

const MOST_WORDS = 7;
const SUFFIXES =
  /(?:str|strase|strasse|stasse|gasse|weg|platz|allee|damm|steig|gade|gata|gatan|vej|vegen|vagen|veien|veg|katu|tie|polku|kuja|laan|straat|dijk|plein|kade|steenweg|gracht|hof|utca|ulica|strati|brekka|vegur|gotu|baan|dreef|wal|singel|hove)$/;
/** Types that their languages write small. */
const SMALL_TYPES = wordSet(
  "rakpart utca ut utja u ter tere korut krt ulica ulice cesta namesti trida gata gatan gade vej vagen veien straat laan weg katu tie",
);
const SURE = wordSet(`
  street road avenue boulevard lane highway parkway terrace crescent turnpike esplanade strasse strase utca ulica
  calle avenida rue via viale piazza rua ul blvd ave rd`);
const VIA = wordSet("via");
const C = wordSet("c");

/** A number, the words of a street's name, a number: whichever of them stand here. */
export function readStreet(tokens: Tokens, at: number): Street | undefined {
  const firstWord = leadEnd(tokens, at);
  let next = firstWord;
  let names = 0;
  let hasType = false;
  let isSure = false;
  let isAlone = false;
  let typeEnd = 0;
  for (let words = 0; words < MOST_WORDS && isSameLine(tokens, at, next); words++) {
    if (isHyphen(tokens, next) && isNameWord(tokens, next + 1)) {
      next++;
      continue;
    }
    const isFirst = next === firstWord;
    if (!isFirst && (isApart(tokens, next) || isDwelling(tokens, next))) break;
    const type = typeAt(tokens, next, isFirst);
    if (type !== undefined) {
      hasType = true;
      typeEnd = next + 1;
      isSure ||= type.isSure;
      isAlone ||= !type.isName;
      if (type.isName) names++;
    } else if (isNameWord(tokens, next)) names++;
    else if (!isSmallPart(tokens, next, names > 0 || hasType)) break;
    next++;
    const isEnd = type !== undefined && !isFirst && isPlain(tokens, next + 1);
    if (isDotted(tokens, next) && !isEnd) next++;
    else if (isSign(tokens, next, "/") && isIn(tokens, next - 1, C)) next++;
  }
  if (names === 0) return undefined;
  while (
    next > Math.max(firstWord, typeEnd) &&
    has(tokens, next - 1, PARTICLE) &&
    kindAt(tokens, next - 1) === LOWER
  )
    next--;
  const hasTrail = isHouseNumber(tokens, next) && isSameLine(tokens, at, next);
  if (hasTrail) next = houseNumberEnd(tokens, next);
  const hasLead = firstWord > at;
  return hasLead || hasTrail || hasType
    ? { end: next, hasLead, hasTrail, hasType, isSure, isAlone }
    : undefined;
}

/** A word that can be a part of a proper name. */
export function isNameWord(tokens: Tokens, at: number): boolean {
  const kind = kindAt(tokens, at);
  if (kind === CAPITALISED || kind === UPPER || kind === INITIAL)
    return !tokens.isCaseless || !has(tokens, at, FUNCTION_WORD);
  if (kind === MIXED) return lengthAt(tokens, at) < 6 && /^\d{1,3}(?:st|nd|rd|th)$/.test(wordAt(tokens, at));
  return kind === LOWER && tokens.isCaseless && !has(tokens, at, FUNCTION_WORD);
}

function leadEnd(tokens: Tokens, at: number): number {
  let next = at;
  for (let numbers = 0; numbers < 2 && isHouseNumber(tokens, next) && isSameLine(tokens, at, next); numbers++)
    next = houseNumberEnd(tokens, next);
  return next;
}

function typeAt(
  tokens: Tokens,
  at: number,
  isFirst: boolean,
): { readonly isSure: boolean; readonly isName: boolean } | undefined {
  const isSmall = kindAt(tokens, at) === LOWER && !tokens.isCaseless;
  if (isFirst && has(tokens, at, STREET_FIRST) && (!isSmall || isTypeWrittenSmall(tokens, at)))
    return { isSure: isIn(tokens, at, SURE), isName: false };
  if (!isFirst && has(tokens, at, STREET) && (!isSmall || isIn(tokens, at, SMALL_TYPES)))
    return { isSure: isIn(tokens, at, SURE), isName: false };
  if (lengthAt(tokens, at) < 6 || isPlain(tokens, at) || !isNameWord(tokens, at)) return undefined;
  return SUFFIXES.test(wordAt(tokens, at)) ? { isSure: true, isName: true } : undefined;
}

/** `rue Victor Hugo`; but `via` is also a word of English. */
function isTypeWrittenSmall(tokens: Tokens, at: number): boolean {
  if (isIn(tokens, at, VIA)) return false;
  return isNameWord(tokens, isSign(tokens, at + 1, ".") ? at + 2 : at + 1) || has(tokens, at + 1, PARTICLE);
}

/** Small words within: particles, and words of other languages. */
function isSmallPart(tokens: Tokens, at: number, isWithin: boolean): boolean {
  return isWithin && kindAt(tokens, at) === LOWER && (has(tokens, at, PARTICLE) || !isPlain(tokens, at));
}

function isDwelling(tokens: Tokens, at: number): boolean {
  return has(tokens, at, DWELLING) && isHouseNumber(tokens, isSign(tokens, at + 1, ".") ? at + 2 : at + 1);
}

const isHyphen = (tokens: Tokens, at: number) =>
  isSign(tokens, at, "-") && gapAt(tokens, at) === JOINED && gapAt(tokens, at + 1) === JOINED;

const isApart = (tokens: Tokens, at: number) =>
  gapAt(tokens, at) === JOINED && !isSignOf(tokens, at - 1, ".-/");

/** The dot of a short form, with more after it. */
const isDotted = (tokens: Tokens, at: number) =>
  isSign(tokens, at, ".") &&
  gapAt(tokens, at) === JOINED &&
  (lengthAt(tokens, at - 1) < 5 || isShortened(tokens, at - 1)) &&
  at + 1 < tokens.count;

/** `Hauptstr.` */
const isShortened = (tokens: Tokens, at: number) =>
  lengthAt(tokens, at) < 24 && /str$/.test(wordAt(tokens, at));

export function isHouseNumber(tokens: Tokens, at: number): boolean {
  const kind = kindAt(tokens, at);
  if (kind === DIGITS) return lengthAt(tokens, at) < 7;
  return kind === MIXED && lengthAt(tokens, at) < 6 && /^\d{1,4}[a-z]$/.test(wordAt(tokens, at));
}

function houseNumberEnd(tokens: Tokens, at: number): number {
  const isRange = isSignOf(tokens, at + 1, "-/") && gapAt(tokens, at + 1) === JOINED;
  return isRange && gapAt(tokens, at + 2) === JOINED && isHouseNumber(tokens, at + 2) ? at + 3 : at + 1;
}

const isSameLine = (tokens: Tokens, at: number, next: number) =>
  next < tokens.count && (next === at || gapAt(tokens, next) < NEW_LINE);
