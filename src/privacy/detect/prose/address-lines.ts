import { postalEnd } from "./numbers.ts";
import { readPlace } from "./places.ts";
import { isNameWord, readStreet } from "./streets.ts";
import {
  BLANK_LINE,
  DIGITS,
  gapAt,
  has,
  INITIAL,
  isIn,
  isSign,
  isSignOf,
  JOINED,
  kindAt,
  LOWER,
  lengthAt,
  MIXED,
  NEW_LINE,
  TAKEN,
  type Tokens,
  UPPER,
  wordSet,
} from "./tokens.ts";
import { COUNTRY, DWELLING, NATIONALITY, PARTICLE } from "./word-flags.ts";

/** What tables write where they have no value. */
const NOT_GIVEN = wordSet("nan null");
/** Turkovice u Přelouče, Frankfurt am Main, Stratford upon Avon. */
const TOWN_LINKS = wordSet("u am an im ob bei sur sous les en upon on");
const MOST_PARTS = 10;
const MOST_WORDS = 6;

/** What follows a street: flat, town, region, country, postal code, on the same or the next lines. */
export function extendAddress(
  tokens: Tokens,
  from: number,
): { readonly end: number; readonly strong: number } {
  let end = from;
  let next = from;
  let strong = 0;
  let open = false;
  let wasSure = false;
  for (let parts = 0; parts < MOST_PARTS; parts++) {
    const at = partStart(tokens, next);
    if (at === undefined) break;
    const isApart = at > next || gapAt(tokens, at) >= NEW_LINE;
    const sure = surePartEnd(tokens, at, isApart);
    if (sure !== undefined) {
      wasSure = postalEnd(tokens, at) === sure || has(tokens, at, DWELLING);
      end = sure;
      next = sure;
      strong++;
      open = false;
      continue;
    }
    if (open && !isApart) break;
    const town = townEnd(tokens, at);
    if (town === undefined) break;
    const isKnown = readPlace(tokens, at)?.end === town;
    if (isKnown && (isApart || wasSure)) {
      end = town;
      strong++;
    } else if ((isApart || wasSure) && isEndOfPart(tokens, town)) {
      // A town that nobody knows counts when it ends its line or sentence, or when more of an address comes.
      end = isEndOfText(tokens, town) ? town : end;
    }
    wasSure = false;
    next = town;
    open = true;
  }
  return { end, strong };
}

/** Past a comma, a line's end and the marks by which quoted lines begin. */
function partStart(tokens: Tokens, from: number): number | undefined {
  let at = from;
  if (
    isSign(tokens, at, ".") &&
    gapAt(tokens, at) === JOINED &&
    (isSign(tokens, at + 1, ",") || has(tokens, at + 1, DWELLING))
  )
    at++;
  let isNewLine = gapAt(tokens, at) >= NEW_LINE;
  if (isSign(tokens, at, ",")) at++;
  isNewLine ||= gapAt(tokens, at) >= NEW_LINE;
  for (let marks = 0; isNewLine && marks < 3 && isSignOf(tokens, at, "?>*|#"); marks++) at++;
  if (at >= tokens.count || gapAt(tokens, at) === BLANK_LINE || kindAt(tokens, at) === TAKEN)
    return undefined;
  return gapAt(tokens, at) === JOINED && at === from ? undefined : at;
}

function surePartEnd(tokens: Tokens, at: number, isApart: boolean): number | undefined {
  if (has(tokens, at, DWELLING)) {
    const number = isSign(tokens, at + 1, ".") ? at + 2 : at + 1;
    const kind = kindAt(tokens, number);
    if (kind === DIGITS || kind === MIXED || kind === INITIAL) return number + 1;
  }
  const postal = postalEnd(tokens, at);
  if (postal !== undefined && !(gapAt(tokens, postal) === JOINED && isSignOf(tokens, postal, "-:")))
    return postal;
  const place = readPlace(tokens, at);
  if (place !== undefined && (place.flags & COUNTRY) !== 0 && isNameWord(tokens, at))
    return bracketEnd(tokens, place.end);
  if (has(tokens, at, NATIONALITY) && postalEnd(tokens, at + 1) !== undefined) return at + 1;
  if (isRegion(tokens, at)) return at + 1;
  if (isApart) return undefined;
  const street = readStreet(tokens, at);
  return street?.hasType === true && !street.hasLead ? street.end : undefined;
}

/** CA, NSW, or a number, before a postal code or at a line's end. */
function isRegion(tokens: Tokens, at: number): boolean {
  if (lengthAt(tokens, at) > 3) return false;
  const kind = kindAt(tokens, at);
  const isUpper = kind === UPPER && !tokens.isCaseless;
  const isCode =
    lengthAt(tokens, at) > 1 &&
    (isUpper || (kind === LOWER && (tokens.isCaseless || isIn(tokens, at, NOT_GIVEN))));
  if (!isCode && kind !== DIGITS) return false;
  if (postalEnd(tokens, at + 1) !== undefined) return true;
  return isCode && (isUpper || isEndOfPart(tokens, at + 1));
}

function townEnd(tokens: Tokens, at: number): number | undefined {
  if (!isNameWord(tokens, at)) return undefined;
  let end = at + 1;
  for (let words = 1; words < MOST_WORDS && end < tokens.count; words++) {
    if (gapAt(tokens, end) >= NEW_LINE) break;
    const isHyphen =
      isSign(tokens, end, "-") && gapAt(tokens, end) === JOINED && gapAt(tokens, end + 1) === JOINED;
    if (
      isHyphen ||
      (isSign(tokens, end, ".") && gapAt(tokens, end) === JOINED && lengthAt(tokens, end - 1) < 4)
    )
      end++;
    const place = readPlace(tokens, end);
    if (!isHyphen && place !== undefined && (place.flags & COUNTRY) !== 0) break;
    if (isNameWord(tokens, end) && !isRegion(tokens, end)) end++;
    else if ((has(tokens, end, PARTICLE) || isIn(tokens, end, TOWN_LINKS)) && isNameWord(tokens, end + 1))
      end++;
    else break;
  }
  const isDistrict =
    kindAt(tokens, end) === DIGITS &&
    lengthAt(tokens, end) < 3 &&
    gapAt(tokens, end) < NEW_LINE &&
    postalEnd(tokens, end + 1) === undefined;
  return bracketEnd(tokens, isDistrict ? end + 1 : end);
}

/** Cyprus (Greek) */
function bracketEnd(tokens: Tokens, end: number): number {
  if (!isSign(tokens, end, "(") || gapAt(tokens, end) >= NEW_LINE) return end;
  for (let at = end + 1; at < end + 5; at++) if (isSign(tokens, at, ")")) return at + 1;
  return end;
}

function isEndOfPart(tokens: Tokens, at: number): boolean {
  return at >= tokens.count || gapAt(tokens, at) >= NEW_LINE || isSignOf(tokens, at, '.,;!?)"');
}

const isEndOfText = (tokens: Tokens, at: number) => at >= tokens.count || !isSign(tokens, at, ",");
