import {
  CAPITALISED,
  gapAt,
  has,
  INITIAL,
  isSign,
  JOINED,
  kindAt,
  LOWER,
  MIXED,
  NEW_LINE,
  NUMBER,
  type Tokens,
  UPPER,
  wordAt,
} from "./tokens.ts";
import { DWELLING, FUNCTION_WORD, PARTICLE, STREET, STREET_FIRST, WORD } from "./word-flags.ts";

export type Street = {
  readonly end: number;
  /** House numbers before and after the name. */
  readonly hasLead: boolean;
  readonly hasTrail: boolean;
  /** A word says that it is a street. */
  readonly hasType: boolean;
  /** That word means little else. */
  readonly isSure: boolean;
  readonly names: number;
};

const MOST_WORDS = 7;
const SUFFIXES =
  /(?:strase|strasse|stasse|gasse|weg|platz|allee|damm|steig|gade|gata|gatan|vej|vegen|vagen|veien|veg|katu|katu|tie|polku|kuja|laan|straat|dijk|plein|kade|steenweg|gracht|hof|utca|ulica|stræti|straeti|strati|brekka|vegur|gotu|baan|lei|dreef|wal|singel|pad|hove)$/;
const SURE = new Set(
  "street road avenue boulevard lane drive highway parkway terrace crescent turnpike esplanade strasse strase utca ulica calle avenida rue via viale piazza rua ul blvd ave rd".split(
    " ",
  ),
);

/** A number, the words of a street's name, a number: whichever of them stand here. */
export function readStreet(tokens: Tokens, at: number): Street | undefined {
  let next = at;
  for (
    let numbers = 0;
    numbers < 2 && isHouseNumber(tokens, next) && !isOtherLine(tokens, at, next);
    numbers++
  )
    next = houseNumberEnd(tokens, next);
  const hasLead = next > at;
  const firstWord = next;
  let names = 0;
  let hasType = false;
  let isSure = false;
  for (let words = 0; words < MOST_WORDS && next < tokens.count; words++) {
    if (next > at && gapAt(tokens, next) >= NEW_LINE) break;
    const isFirst = next === firstWord;
    if (
      isSign(tokens, next, "-") &&
      gapAt(tokens, next) === JOINED &&
      gapAt(tokens, next + 1) === JOINED &&
      isNameWord(tokens, next + 1)
    ) {
      next++;
      continue;
    }
    if (
      gapAt(tokens, next) === JOINED &&
      next > firstWord &&
      !isSign(tokens, next - 1, ".") &&
      !isSign(tokens, next - 1, "-") &&
      !isSign(tokens, next - 1, "/")
    )
      break;
    if (
      has(tokens, next, DWELLING) &&
      !isFirst &&
      isHouseNumber(tokens, isSign(tokens, next + 1, ".") ? next + 2 : next + 1)
    )
      break;
    const word = wordAt(tokens, next);
    const isTypeFirst = isFirst && has(tokens, next, STREET_FIRST) && isTypeWritten(tokens, next);
    const isTypeLast =
      !isFirst &&
      has(tokens, next, STREET) &&
      (kindAt(tokens, next) !== LOWER || tokens.isCaseless || (names > 0 && SUFFIXES.test(word)));
    const isNamed =
      isNameWord(tokens, next) && word.length > 5 && !has(tokens, next, WORD) && SUFFIXES.test(word);
    if (isTypeFirst || isTypeLast || isNamed) {
      hasType = true;
      isSure ||= isNamed || SURE.has(word);
      if (isNamed) names++;
    } else if (isNameWord(tokens, next)) names++;
    else if (
      !(has(tokens, next, PARTICLE) && (names > 0 || hasType)) &&
      !(names > 0 && kindAt(tokens, next) === LOWER && !has(tokens, next, WORD | FUNCTION_WORD))
    )
      break;
    next++;
    if (
      isSign(tokens, next, ".") &&
      gapAt(tokens, next) === JOINED &&
      word.length < 5 &&
      next + 1 < tokens.count
    )
      next++;
    else if (isSign(tokens, next, "/") && word === "c") next++;
  }
  if (next === firstWord || names === 0) return undefined;
  while (next > firstWord && has(tokens, next - 1, PARTICLE) && kindAt(tokens, next - 1) === LOWER) next--;
  const hasTrail = isHouseNumber(tokens, next) && !isOtherLine(tokens, at, next);
  if (hasTrail) next = houseNumberEnd(tokens, next);
  if (!hasLead && !hasTrail && !hasType) return undefined;
  return { end: next, hasLead, hasTrail, hasType, isSure, names };
}

/** A word that can be a part of a proper name. */
export function isNameWord(tokens: Tokens, at: number): boolean {
  const kind = kindAt(tokens, at);
  if (kind === CAPITALISED || kind === UPPER || kind === INITIAL)
    return !tokens.isCaseless || !has(tokens, at, FUNCTION_WORD);
  if (kind === MIXED) return /^\d{1,3}(?:st|nd|rd|th)$/.test(wordAt(tokens, at));
  return tokens.isCaseless && kind === LOWER && !has(tokens, at, FUNCTION_WORD);
}

/** `rue Victor Hugo` is written small in its language; `place` and `via` alone are words of others. */
function isTypeWritten(tokens: Tokens, at: number): boolean {
  if (kindAt(tokens, at) !== LOWER) return true;
  return isNameWord(tokens, isSign(tokens, at + 1, ".") ? at + 2 : at + 1) || has(tokens, at + 1, PARTICLE);
}

function isHouseNumber(tokens: Tokens, at: number): boolean {
  const kind = kindAt(tokens, at);
  if (kind !== NUMBER && kind !== MIXED) return false;
  return kind === NUMBER
    ? (tokens.ends[at] as number) - (tokens.starts[at] as number) < 7
    : /^\d{1,4}[a-z]$/.test(wordAt(tokens, at));
}

function houseNumberEnd(tokens: Tokens, at: number): number {
  const isRange =
    (isSign(tokens, at + 1, "-") || isSign(tokens, at + 1, "/")) &&
    gapAt(tokens, at + 1) === JOINED &&
    gapAt(tokens, at + 2) === JOINED &&
    isHouseNumber(tokens, at + 2);
  return isRange ? at + 3 : at + 1;
}

const isOtherLine = (tokens: Tokens, at: number, next: number) =>
  next > at && gapAt(tokens, next) >= NEW_LINE;
