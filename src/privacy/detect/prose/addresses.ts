import { extendAddress } from "./address-lines.ts";
import type { Claims } from "./claims.ts";
import { isHouseNumber, isNameWord, readStreet, type Street } from "./streets.ts";
import {
  BLANK_LINE,
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
  MIXED,
  NEW_LINE,
  SPACED,
  type Tokens,
  UPPER,
  wordSet,
} from "./tokens.ts";
import { DWELLING, STREET, STREET_FIRST } from "./word-flags.ts";

const BEFORE = wordSet("at to in on is of and address near from via adresse direccion indirizzo user until");
const TELLS = wordSet(`
  address addresses lives live living located meet meeting taxi ship shipped shipping deliver delivery delivered send sent
  mail mailed return arrived moved resides residing house home street corner enter side location billing residence
  restaurant adresse direccion indirizzo endereco adres wohnt`);
/** How many tokens before an address such a word is looked for. */
const REACH = 9;
const TYPE_AFTER = wordSet("street road avenue");
const MILITARY = wordSet("apo fpo dpo");
const MILITARY_REGION = wordSet("aa ae ap");
const ONE_WORD_BOX = wordSet("postbox postfach postboks pobox");
const FLAT = wordSet("apt suite apartment ste flat");
const CASELESS_STARTS = wordSet("corner apo fpo dpo postbox postfach postboks pobox po p");
const AND = wordSet("and");
const OF = wordSet("of");
const THE = wordSet("the");
const CORNER = wordSet("corner");
const BOX = wordSet("box");
const P = wordSet("p");
const O = wordSet("o");
const PO = wordSet("po");

type Address = {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  readonly confidence: number;
};

/** Street addresses, with the lines that belong to them. */
export function findAddresses(tokens: Tokens, claims: Claims): void {
  if (tokens.numbers === 0 && (tokens.seen & (STREET | STREET_FIRST)) === 0) return;
  for (let at = 0; at < tokens.count; at++) {
    const found = readAddress(tokens, at);
    if (found === undefined) continue;
    claims.take("ADDRESS", found.start, found.end, found.rule, found.confidence);
    at = found.end - 1;
  }
}

function readAddress(tokens: Tokens, at: number): Address | undefined {
  const kind = kindAt(tokens, at);
  if (kind === LOWER && !tokens.isCaseless)
    return has(tokens, at, STREET_FIRST)
      ? street(tokens, at)
      : isIn(tokens, at, CORNER)
        ? corner(tokens, at)
        : undefined;
  if (kind === DIGITS || (kind === MIXED && isHouseNumber(tokens, at))) return street(tokens, at);
  if (!isNameWord(tokens, at)) return undefined;
  if (tokens.isCaseless && !isCaselessStart(tokens, at)) return undefined;
  return (
    corner(tokens, at) ??
    military(tokens, at) ??
    box(tokens, at) ??
    dwelling(tokens, at) ??
    street(tokens, at)
  );
}

/** Where case tells nothing, most words are no start. */
function isCaselessStart(tokens: Tokens, at: number): boolean {
  return (
    has(tokens, at, STREET_FIRST | DWELLING) ||
    isIn(tokens, at, CASELESS_STARTS) ||
    isTellingBefore(tokens, at)
  );
}

function street(tokens: Tokens, at: number): Address | undefined {
  if (!canStart(tokens, at)) return undefined;
  const core = readStreet(tokens, at);
  // What follows is read only where it can still tell.
  if (core === undefined || confidenceOf(tokens, at, core, 2) === 0) return undefined;
  const extension = extendAddress(tokens, core.end);
  const confidence = confidenceOf(tokens, at, core, extension.strong);
  if (confidence === 0) return undefined;
  return { start: crossingStart(tokens, at), end: extension.end, rule: "street", confidence };
}

function confidenceOf(tokens: Tokens, at: number, core: Street, strong: number): number {
  const isTold = isTellingBefore(tokens, at) || isIn(tokens, core.end, TYPE_AFTER);
  if (core.hasType && (core.hasLead || core.hasTrail)) return core.isSure || strong > 0 || isTold ? 0.9 : 0.7;
  // "Baker Street", but not "The Wall Street Journal".
  const isMore = isNameWord(tokens, core.end) && gapAt(tokens, core.end) < NEW_LINE;
  if (core.hasType && core.isSure && core.isAlone && !isMore) return 0.6;
  if (core.hasLead && core.hasTrail)
    return strong > 0 || isTold || isWholeLine(tokens, at, core.end) ? 0.8 : 0;
  if (core.hasLead || core.hasTrail) return strong > 1 || isTold ? 0.7 : 0;
  return 0;
}

function canStart(tokens: Tokens, at: number): boolean {
  const kind = kindAt(tokens, at);
  if (gapAt(tokens, at) === JOINED && !isSignOf(tokens, at - 1, "(\":?'*")) return false;
  if (kind === DIGITS || kind === MIXED || has(tokens, at, STREET_FIRST)) return true;
  if (tokens.isCaseless) return true;
  // Within a run, its first word is the start; the ordinary word that begins a sentence is none of it.
  if (gapAt(tokens, at) === SPACED && isNameWord(tokens, at - 1))
    return isPlain(tokens, at - 1) && !isPlain(tokens, at);
  const isLeadIn = isPlain(tokens, at) && gapAt(tokens, at) >= NEW_LINE && isNameWord(tokens, at + 1);
  return !isLeadIn || has(tokens, at + 1, STREET_FIRST);
}

/** "Ries and Main Street 5": two streets that meet. */
function crossingStart(tokens: Tokens, at: number): number {
  if (!isIn(tokens, at - 1, AND) || gapAt(tokens, at - 1) !== SPACED) return at;
  let start = at - 2;
  if (!isNameWord(tokens, start) || isPlain(tokens, start)) return at;
  if (isNameWord(tokens, start - 1) && gapAt(tokens, start) === SPACED && !isPlain(tokens, start - 1))
    start--;
  return isTellingBefore(tokens, start) ? start : at;
}

function corner(tokens: Tokens, at: number): Address | undefined {
  if (!isIn(tokens, at, CORNER) || !isIn(tokens, at + 1, OF)) return undefined;
  let end = at + 2;
  let isCrossing = false;
  for (let part = end; part < at + 16 && part < tokens.count && gapAt(tokens, part) < NEW_LINE; part++) {
    if (isIn(tokens, part, AND) || isSign(tokens, part, "&")) isCrossing = true;
    else if (isNameWord(tokens, part) || kindAt(tokens, part) === DIGITS || has(tokens, part, STREET_FIRST))
      end = part + 1;
    else if (kindAt(tokens, part) === LOWER ? isPlain(tokens, part) : !isSignOf(tokens, part, "/.")) break;
  }
  const start = isIn(tokens, at - 1, THE) ? at - 1 : at;
  return isCrossing && end > at + 3 ? { start, end, rule: "corner", confidence: 0.8 } : undefined;
}

/** APO AE 09012, with the lines before it: PSC 1437, Box 3833. */
function military(tokens: Tokens, at: number): Address | undefined {
  if (!isIn(tokens, at, MILITARY) || !isIn(tokens, at + 1, MILITARY_REGION)) return undefined;
  if (kindAt(tokens, at + 2) !== DIGITS) return undefined;
  let start = at;
  for (let before = at - 1; before >= 0 && before > at - 8; before--) {
    const kind = kindAt(tokens, before);
    const belongs = kind === DIGITS || isSign(tokens, before, ",") || isNameWord(tokens, before);
    if (!belongs || gapAt(tokens, before + 1) === BLANK_LINE) break;
    start = before;
    if (gapAt(tokens, before) >= NEW_LINE) break;
  }
  if (isSign(tokens, start, ",")) start++;
  return { start, end: at + 3, rule: "military", confidence: 0.9 };
}

/** P.O. Box 101, Postbox 21, Postfach 5. */
function box(tokens: Tokens, at: number): Address | undefined {
  const number = boxNumber(tokens, at);
  if (number === undefined || kindAt(tokens, number) !== DIGITS) return undefined;
  const { end } = extendAddress(tokens, number + 1);
  return { start: crossingStart(tokens, at), end, rule: "po-box", confidence: 0.85 };
}

function boxNumber(tokens: Tokens, at: number): number | undefined {
  if (isIn(tokens, at, ONE_WORD_BOX)) return at + 1;
  if (isIn(tokens, at, PO)) return isIn(tokens, at + 1, BOX) ? at + 2 : undefined;
  if (!isIn(tokens, at, P) || (kindAt(tokens, at) !== INITIAL && !tokens.isCaseless)) return undefined;
  const office = isSign(tokens, at + 1, ".") ? at + 2 : at + 1;
  if (!isIn(tokens, office, O)) return undefined;
  const word = isSign(tokens, office + 1, ".") ? office + 2 : office + 1;
  return isIn(tokens, word, BOX) ? word + 1 : undefined;
}

/** Apt. 434 before the street; Unit 12, alone in its line. */
function dwelling(tokens: Tokens, at: number): Address | undefined {
  if (!has(tokens, at, DWELLING)) return undefined;
  const number = isSign(tokens, at + 1, ".") ? at + 2 : at + 1;
  if (kindAt(tokens, number) !== DIGITS || gapAt(tokens, number) !== SPACED) return undefined;
  const extension = extendAddress(tokens, number + 1);
  if (extension.strong === 0 && !isIn(tokens, at, FLAT)) return undefined;
  return { start: at, end: extension.end, rule: "dwelling", confidence: extension.strong > 0 ? 0.8 : 0.6 };
}

function isWholeLine(tokens: Tokens, at: number, end: number): boolean {
  const isLineStart = gapAt(tokens, at) >= NEW_LINE || isSignOf(tokens, at - 1, "?*>");
  return isLineStart && gapAt(tokens, end) >= NEW_LINE && kindAt(tokens, at) !== UPPER;
}

function isTellingBefore(tokens: Tokens, at: number): boolean {
  if (!isIn(tokens, at - 1, BEFORE) && !isSign(tokens, at - 1, ":")) return false;
  for (let before = at - 1; before >= 0 && before >= at - REACH; before--)
    if (isIn(tokens, before, TELLS)) return true;
  return false;
}
