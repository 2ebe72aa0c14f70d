import { extendAddress } from "./address-lines.ts";
import type { Claims } from "./claims.ts";
import { isNameWord, readStreet, type Street } from "./streets.ts";
import {
  BLANK_LINE,
  gapAt,
  has,
  INITIAL,
  isPlain,
  isSign,
  JOINED,
  kindAt,
  LOWER,
  NEW_LINE,
  NUMBER,
  SPACED,
  TAKEN,
  type Tokens,
  UPPER,
  wordAt,
} from "./tokens.ts";
import { DWELLING, STREET_FIRST } from "./word-flags.ts";

const words = (text: string) => new Set(text.trim().split(/\s+/));
const BEFORE = words("at to in on is of and address near from via adresse direccion indirizzo user until");
const TELLS = words(`
  address addresses lives live living located meet meeting taxi ship shipped shipping deliver delivery delivered send sent
  mail mailed return arrived moved resides residing house home street corner enter side location billing residence
  adresse direccion indirizzo endereco adres wohnt`);
/** How many tokens before an address such a word is looked for. */
const REACH = 9;

/** Street addresses, with the lines that belong to them. */
export function findAddresses(tokens: Tokens, claims: Claims): void {
  for (let at = 0; at < tokens.count; at++) {
    const found =
      corner(tokens, at) ??
      military(tokens, at) ??
      box(tokens, at) ??
      dwelling(tokens, at) ??
      street(tokens, at);
    if (found === undefined) continue;
    claims.take("ADDRESS", found.start, found.end, found.rule, found.confidence);
    at = found.end - 1;
  }
}

type Address = {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  readonly confidence: number;
};

function street(tokens: Tokens, at: number): Address | undefined {
  if (!canStart(tokens, at)) return undefined;
  const core = readStreet(tokens, at);
  if (core === undefined) return undefined;
  const extension = extendAddress(tokens, core.end);
  const confidence = confidenceOf(tokens, at, core, extension.strong);
  if (confidence === 0) return undefined;
  return { start: crossingStart(tokens, at), end: extension.end, rule: "street", confidence };
}

function confidenceOf(tokens: Tokens, at: number, core: Street, strong: number): number {
  const isTold = isTellingBefore(tokens, at);
  if (core.hasType && (core.hasLead || core.hasTrail)) return core.isSure || strong > 0 || isTold ? 0.9 : 0.7;
  if (core.hasType && core.isSure && core.names > 0) return 0.6;
  if (core.hasLead && core.hasTrail)
    return strong > 0 || isTold || isWholeLine(tokens, at, core.end) ? 0.8 : 0;
  if (core.hasLead || core.hasTrail) return strong > 1 || isTold ? 0.7 : 0;
  return 0;
}

function canStart(tokens: Tokens, at: number): boolean {
  const kind = kindAt(tokens, at);
  if (kind === TAKEN) return false;
  if (
    gapAt(tokens, at) === JOINED &&
    !["(", '"', ":", "?", "'", "*"].some((sign) => isSign(tokens, at - 1, sign))
  )
    return false;
  if (kind === NUMBER || has(tokens, at, STREET_FIRST)) return true;
  if (!isNameWord(tokens, at)) return false;
  // Within a run, its first word is the start; the ordinary word that begins a sentence is none of it.
  if (gapAt(tokens, at) === SPACED && isNameWord(tokens, at - 1))
    return isPlain(tokens, at - 1) && !isPlain(tokens, at);
  return !(
    isPlain(tokens, at) &&
    gapAt(tokens, at) >= NEW_LINE &&
    !tokens.isCaseless &&
    isNameWord(tokens, at + 1) &&
    !has(tokens, at + 1, STREET_FIRST)
  );
}

/** "Ries and Main Street 5": two streets that meet. */
function crossingStart(tokens: Tokens, at: number): number {
  if (wordAt(tokens, at - 1) !== "and" || gapAt(tokens, at - 1) !== SPACED) return at;
  let start = at - 2;
  if (!isNameWord(tokens, start) || isPlain(tokens, start)) return at;
  if (isNameWord(tokens, start - 1) && gapAt(tokens, start) === SPACED && !isPlain(tokens, start - 1))
    start--;
  return isTellingBefore(tokens, start) ? start : at;
}

function corner(tokens: Tokens, at: number): Address | undefined {
  if (wordAt(tokens, at) !== "corner" || wordAt(tokens, at + 1) !== "of") return undefined;
  let end = at + 2;
  let isCrossing = false;
  for (let part = end; part < at + 16 && part < tokens.count; part++) {
    if (gapAt(tokens, part) >= NEW_LINE) break;
    const kind = kindAt(tokens, part);
    if (wordAt(tokens, part) === "and" || isSign(tokens, part, "&")) isCrossing = true;
    else if (isNameWord(tokens, part) || kind === NUMBER || has(tokens, part, STREET_FIRST)) end = part + 1;
    else if (
      !(kind === LOWER && isCrossing === false) &&
      !isSign(tokens, part, "/") &&
      !isSign(tokens, part, ".") &&
      kind !== LOWER
    )
      break;
    else if (kind === LOWER && isPlain(tokens, part)) break;
  }
  const start = wordAt(tokens, at - 1) === "the" ? at - 1 : at;
  return isCrossing && end > at + 3 ? { start, end, rule: "corner", confidence: 0.8 } : undefined;
}

/** APO AE 09012, with the lines before it: PSC 1437, Box 3833. */
function military(tokens: Tokens, at: number): Address | undefined {
  if (!/^[afd]po$/.test(wordAt(tokens, at)) || !/^a[aep]$/.test(wordAt(tokens, at + 1))) return undefined;
  if (kindAt(tokens, at + 2) !== NUMBER) return undefined;
  let start = at;
  for (let before = at - 1; before >= 0 && before > at - 8; before--) {
    const gap = gapAt(tokens, before + 1);
    const belongs =
      has(tokens, before, DWELLING) ||
      kindAt(tokens, before) === NUMBER ||
      isSign(tokens, before, ",") ||
      isNameWord(tokens, before);
    if (!belongs || gap === BLANK_LINE || kindAt(tokens, before) === TAKEN) break;
    start = before;
    if (gapAt(tokens, before) >= NEW_LINE) break;
  }
  while (isSign(tokens, start, ",")) start++;
  return { start, end: at + 3, rule: "military", confidence: 0.9 };
}

/** P.O. Box 101, Postbox 21, Postfach 5. */
function box(tokens: Tokens, at: number): Address | undefined {
  let next = at;
  const first = wordAt(tokens, at);
  if (["postbox", "postfach", "postboks", "pobox"].includes(first)) next = at + 1;
  else if (first === "po" && wordAt(tokens, at + 1) === "box") next = at + 2;
  else if (first === "p" && kindAt(tokens, at) === INITIAL) {
    next = isSign(tokens, at + 1, ".") ? at + 2 : at + 1;
    if (wordAt(tokens, next) !== "o") return undefined;
    next = isSign(tokens, next + 1, ".") ? next + 2 : next + 1;
    if (wordAt(tokens, next) !== "box") return undefined;
    next++;
  } else return undefined;
  if (kindAt(tokens, next) !== NUMBER) return undefined;
  return {
    start: crossingStart(tokens, at),
    end: extendAddress(tokens, next + 1).end,
    rule: "po-box",
    confidence: 0.85,
  };
}

/** Apt. 434 before the street; Unit 12, alone in its line. */
function dwelling(tokens: Tokens, at: number): Address | undefined {
  if (!has(tokens, at, DWELLING) || (kindAt(tokens, at) === LOWER && !tokens.isCaseless)) return undefined;
  const number = isSign(tokens, at + 1, ".") ? at + 2 : at + 1;
  if (kindAt(tokens, number) !== NUMBER || gapAt(tokens, number) !== SPACED) return undefined;
  const extension = extendAddress(tokens, number + 1);
  const isNamed = /^(?:apt|suite|apartment|ste|flat)$/.test(wordAt(tokens, at));
  if (extension.strong === 0 && !isNamed) return undefined;
  return { start: at, end: extension.end, rule: "dwelling", confidence: extension.strong > 0 ? 0.8 : 0.6 };
}

function isWholeLine(tokens: Tokens, at: number, end: number): boolean {
  const before =
    gapAt(tokens, at) >= NEW_LINE ||
    isSign(tokens, at - 1, "?") ||
    isSign(tokens, at - 1, "*") ||
    isSign(tokens, at - 1, ">");
  return before && (end >= tokens.count || gapAt(tokens, end) >= NEW_LINE) && kindAt(tokens, at) !== UPPER;
}

function isTellingBefore(tokens: Tokens, at: number): boolean {
  const last = wordAt(tokens, at - 1);
  if (!BEFORE.has(last) && last !== ":") return false;
  for (let before = at - 1; before >= 0 && before >= at - REACH; before--)
    if (TELLS.has(wordAt(tokens, before))) return true;
  return false;
}
