import type { Claims } from "./claims.ts";
import {
  DIGITS,
  gapAt,
  has,
  isIn,
  isSign,
  JOINED,
  kindAt,
  lengthAt,
  MIXED,
  NEW_LINE,
  SPACED,
  TAKEN,
  type Tokens,
  wordAt,
  wordSet,
} from "./tokens.ts";
import { MONTH, WEEKDAY } from "./word-flags.ts";

const BEFORE_YEAR = wordSet(
  "in since until till by from of year during before after between circa around late early mid depuis seit im en desde",
);
const BIRTH = wordSet(
  "born birth dob birthday birthdate geboren ne nee nacimiento nascimento nascita geburtsdatum",
);
const OF = wordSet("of de");
const AT = wordSet("at");
const ZONES = wordSet("am pm z utc gmt");
/** How many tokens before a date the word "born" is looked for. */
const BIRTH_REACH = 8;
const ORDINAL = /^\d{1,2}(?:st|nd|rd|th|er|º)$/;

/** Dates and years. Prices, versions and order numbers have other shapes. */
export function findDates(tokens: Tokens, claims: Claims): void {
  for (let at = 0; at < tokens.count; at++) {
    const kind = kindAt(tokens, at);
    const isNumber =
      kind === DIGITS || (kind === MIXED && lengthAt(tokens, at) < 5 && ORDINAL.test(wordAt(tokens, at)));
    if (!isNumber && !has(tokens, at, MONTH | WEEKDAY)) continue;
    if (gapAt(tokens, at) === JOINED && isPartOfMore(tokens, at - 1)) continue;
    const date = isNumber ? (numericEnd(tokens, at) ?? dayFirstEnd(tokens, at)) : monthFirstEnd(tokens, at);
    if (date !== undefined) {
      const end = timeEnd(tokens, date);
      const isBirth = tellsOfBirth(tokens, at);
      claims.take(isBirth ? "DATE_OF_BIRTH" : "DATE", at, end, isBirth ? "birth" : "date", 0.85);
      at = end - 1;
    } else if (kind === DIGITS && isYear(tokens, at) && isLoneYear(tokens, at)) {
      const isBirth = tellsOfBirth(tokens, at);
      claims.take(isBirth ? "DATE_OF_BIRTH" : "DATE", at, at + 1, isBirth ? "birth" : "year", 0.6);
    }
  }
}

function isPartOfMore(tokens: Tokens, before: number): boolean {
  return (
    ["-", ".", "/", ":", "_", "#", "@", "$"].some((sign) => isSign(tokens, before, sign)) ||
    kindAt(tokens, before) === DIGITS
  );
}

function numericEnd(tokens: Tokens, at: number): number | undefined {
  const sign = ["/", "-", "."].find((one) => isSign(tokens, at + 1, one));
  if (sign === undefined || !isSign(tokens, at + 3, sign) || kindAt(tokens, at + 2) !== DIGITS)
    return undefined;
  for (let part = at + 1; part < at + 5; part++) if (gapAt(tokens, part) !== JOINED) return undefined;
  const first = wordAt(tokens, at);
  const second = wordAt(tokens, at + 2);
  const third = wordAt(tokens, at + 4);
  const lastKind = kindAt(tokens, at + 4);
  if (first.length === 4) {
    const day = lastKind === DIGITS ? third : (/^(\d\d)t\d\d$/.exec(third)?.[1] ?? "");
    return isYearText(first) && isWithin(second, 12) && isWithin(day, 31) && !isJoinedOn(tokens, at + 5, sign)
      ? at + 5
      : undefined;
  }
  if (lastKind !== DIGITS || !isWithin(first, 31) || !isWithin(second, 31)) return undefined;
  if (Number(first) > 12 && Number(second) > 12) return undefined;
  const isFull = isYearText(third);
  const isShort =
    third.length === 2 && (sign === "/" || (sign === "-" && first.length === 2 && second.length === 2));
  return (isFull || isShort) && !isJoinedOn(tokens, at + 5, sign) ? at + 5 : undefined;
}

const isJoinedOn = (tokens: Tokens, at: number, sign: string) =>
  isSign(tokens, at, sign) &&
  gapAt(tokens, at) === JOINED &&
  gapAt(tokens, at + 1) === JOINED &&
  kindAt(tokens, at + 1) === DIGITS;

/** 12 January 1999, 3rd of May, 12. Mai 2020, 12 de mayo de 2020. */
function dayFirstEnd(tokens: Tokens, at: number): number | undefined {
  if (!isWithin(wordAt(tokens, at).replace(/\D+$/, ""), 31)) return undefined;
  let next = at + 1;
  if (isSign(tokens, next, ".") && gapAt(tokens, next) === JOINED) next++;
  if (isIn(tokens, next, OF)) next++;
  if (!has(tokens, next, MONTH) || gapAt(tokens, next) >= NEW_LINE) {
    // 12-Jan-1999
    if (!isSign(tokens, at + 1, "-") || !has(tokens, at + 2, MONTH) || !isSign(tokens, at + 3, "-"))
      return undefined;
    return isYear(tokens, at + 4) ? at + 5 : undefined;
  }
  return yearEnd(tokens, next + 1);
}

/** January 12, 1999; Friday, May 3rd; June 2020. */
function monthFirstEnd(tokens: Tokens, at: number): number | undefined {
  let month = at;
  if (has(tokens, at, WEEKDAY)) {
    month = at + 1;
    if (isSign(tokens, month, ",")) month++;
    if (kindAt(tokens, month) === DIGITS && gapAt(tokens, month) === SPACED)
      return dayFirstEnd(tokens, month);
    if (!has(tokens, month, MONTH)) return undefined;
  }
  const next = isSign(tokens, month + 1, ".") ? month + 2 : month + 1;
  if (gapAt(tokens, next) !== SPACED) return undefined;
  if (isYear(tokens, next)) return next + 1;
  const day = wordAt(tokens, next);
  const isDay = kindAt(tokens, next) === DIGITS ? isWithin(day, 31) : ORDINAL.test(day);
  return isDay ? yearEnd(tokens, next + 1) : undefined;
}

function yearEnd(tokens: Tokens, at: number): number {
  let next = at;
  if (isSign(tokens, next, ",") || isSign(tokens, next, ".") || isIn(tokens, next, OF)) next++;
  return isYear(tokens, next) && gapAt(tokens, next) === SPACED ? next + 1 : at;
}

/** 14:56, 14:56:41.250, 2:30 pm, with its zone. */
function timeEnd(tokens: Tokens, at: number): number {
  let end = at;
  let next = at;
  if (isSign(tokens, next, ",") || isIn(tokens, next, AT)) next++;
  const isIso = isSign(tokens, at, ":") && kindAt(tokens, at - 1) === MIXED;
  if (isIso) next = at - 1;
  else if (kindAt(tokens, next) !== DIGITS || gapAt(tokens, next) !== SPACED) return at;
  while (
    isSign(tokens, next + 1, ":") &&
    gapAt(tokens, next + 1) === JOINED &&
    /^\d{2}/.test(wordAt(tokens, next + 2))
  ) {
    next += 2;
    end = next + 1;
  }
  if (end === at) return at;
  if (isSign(tokens, end, ".") && kindAt(tokens, end + 1) === DIGITS && gapAt(tokens, end + 1) === JOINED)
    end += 2;
  return isIn(tokens, end, ZONES) ? end + 1 : end;
}

function isLoneYear(tokens: Tokens, at: number): boolean {
  return (
    isIn(tokens, at - 1, BEFORE_YEAR) &&
    !(
      gapAt(tokens, at + 1) === JOINED &&
      ["-", "/", ":", "%", "x"].some((sign) => isSign(tokens, at + 1, sign))
    )
  );
}

function tellsOfBirth(tokens: Tokens, at: number): boolean {
  for (let before = at - 1; before >= 0 && before >= at - BIRTH_REACH; before--) {
    if (isIn(tokens, before, BIRTH)) return true;
    if (kindAt(tokens, before) === TAKEN) return false;
    if (gapAt(tokens, before + 1) === NEW_LINE && !isSign(tokens, before, ":")) return false;
  }
  return false;
}

const isYearText = (text: string) => text.length === 4 && text >= "1800" && text <= "2199";
const isYear = (tokens: Tokens, at: number) =>
  kindAt(tokens, at) === DIGITS && isYearText(wordAt(tokens, at));
const isWithin = (text: string, most: number) =>
  text.length > 0 && text.length < 3 && Number(text) > 0 && Number(text) <= most;
