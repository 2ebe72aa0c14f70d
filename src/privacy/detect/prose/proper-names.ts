import type { Claims } from "./claims.ts";
import { readCompany } from "./companies.ts";
import { placeBefore } from "./context.ts";
import { findTitled } from "./honorifics.ts";
import { isSentenceStart, type NameRun, readNameRun } from "./name-runs.ts";
import { type Known, readPerson } from "./people.ts";
import { readPlace } from "./places.ts";
import {
  CAPITALISED,
  has,
  INITIAL,
  isIn,
  isPlain,
  isSign,
  kindAt,
  LOWER,
  lengthAt,
  type Tokens,
  UPPER,
  wordAt,
  wordSet,
} from "./tokens.ts";
import {
  CITY,
  COUNTRY,
  FAMILY,
  FAMILY_RARE,
  FUNCTION_WORD,
  GIVEN,
  GIVEN_RARE,
  LARGE_CITY,
  NATIONALITY,
  NO_NAME,
  PARTICLE,
  STARTS_PHRASE,
} from "./word-flags.ts";

const BEFORE_COMPANY = wordSet("for at joined became company firm employer acquired");
const TELLING =
  GIVEN |
  FAMILY |
  FAMILY_RARE |
  GIVEN_RARE |
  COUNTRY |
  LARGE_CITY |
  CITY |
  STARTS_PHRASE |
  NATIONALITY |
  NO_NAME;
const ANY_PLACE = COUNTRY | LARGE_CITY | CITY | STARTS_PHRASE;
const WEAK_BEFORE_PLACE = wordSet("from to of at");
const LANGUAGE = wordSet("language languages");
const IN = wordSet("in");
const PLACE_START =
  /^(?:san|santa|santo|sao|st|ste|saint|sainte|port|fort|bad|villa|mount|monte|lake|los|las|les|el|la|le|nova|nueva|cite)$/;
const PLACE_ENDING =
  /(?:ville|villa|burg|burgh|borg|bourg|berg|ton|ham|stad|stadt|dorf|heim|feld|felde|kirchen|hausen|furt|ford|mouth|chester|bury|bridge|field|wood|brook|polis|grad|abad|pur|shire|land|vik|jarvi|maki|niemi|koski|ovice|ice|evo|ovo|sk|wice|ow|slav|haza|falva|varos|hely|holm|sund|havn|hagen|by|drecht|recht|dijk|veen|beek|acker|ingen|iano|ano|ello|ona|ova)$/;

/** Persons, companies, places and nationalities: what is written with capitals, told apart by lists and by the words around. */
export function findProperNames(tokens: Tokens, claims: Claims, known: Known): void {
  findTitled(tokens, claims);
  for (let at = 0; at < tokens.count; at++) {
    if (!tokens.isCaseless && isIdle(tokens, at)) continue;
    const run = readNameRun(tokens, at);
    if (run !== undefined) at = Math.max(at, takeRun(tokens, claims, known, run) - 1);
    else if (tokens.isCaseless && has(tokens, at, ANY_PLACE) && kindAt(tokens, at) === LOWER)
      takePlace(tokens, claims, at);
  }
}

/** Most words: small ones, and the ordinary word that begins a sentence. */
function isIdle(tokens: Tokens, at: number): boolean {
  const kind = kindAt(tokens, at);
  if (kind !== CAPITALISED) return kind !== UPPER && kind !== INITIAL;
  if (!isPlain(tokens, at) || has(tokens, at, TELLING)) return false;
  return (
    kindAt(tokens, at + 1) === LOWER &&
    !has(tokens, at + 1, PARTICLE) &&
    !isIn(tokens, at - 1, BEFORE_COMPANY)
  );
}

/** Takes what a run begins with, and returns where to go on. */
function takeRun(tokens: Tokens, claims: Claims, known: Known, run: NameRun): number {
  let rest = run;
  if (isIn(tokens, run.start - 1, IN) && !has(tokens, run.start, FUNCTION_WORD)) {
    const placed = placeBefore(tokens, run.start) === 2 || hasPlaceShape(tokens, run);
    const end = placed ? takePlace(tokens, claims, run.start, run) : undefined;
    if (end !== undefined) return end;
  }
  const company = readCompany(tokens, rest);
  if (company !== undefined) {
    claims.take("COMPANY", company.start, company.end, company.rule, company.confidence);
    return company.end;
  }
  // "In Belgium", "Producer Anna Berg": the ordinary word that begins it is no part of it.
  while (rest.words.length > 1 && isLeadIn(tokens, rest)) rest = withoutFirst(rest);
  const at = rest.start;
  const place = readPlace(tokens, at);
  const isPlaced = placeBefore(tokens, at) === 2 && !isIn(tokens, at - 1, WEAK_BEFORE_PLACE);
  const person = isPlaced ? undefined : readPerson(tokens, rest, known, place);
  if (person !== undefined) {
    claims.take("NAME", person.start, person.end, person.rule, person.confidence);
    return person.end;
  }
  const placed = takePlace(tokens, claims, at, rest);
  if (placed !== undefined) return placed;
  if (
    has(tokens, at, NATIONALITY) &&
    (!tokens.isCaseless || !isPlain(tokens, at)) &&
    !isIn(tokens, at + 1, LANGUAGE)
  ) {
    claims.take("NATIONALITY", at, at + 1, "nationality", 0.6);
    return at + 1;
  }
  return at + 1;
}

function isLeadIn(tokens: Tokens, run: NameRun): boolean {
  const first = run.words[0] as number;
  if (kindAt(tokens, first) === INITIAL && isSign(tokens, first + 1, ".")) return false;
  const place = readPlace(tokens, first);
  if (place !== undefined && (place.end > first + 1 || !has(tokens, first, FUNCTION_WORD))) return false;
  return has(tokens, first, FUNCTION_WORD) || (isPlain(tokens, first) && !has(tokens, first, GIVEN));
}

function withoutFirst(run: NameRun): NameRun {
  return { start: run.words[1] as number, end: run.end, words: run.words.slice(1) };
}

function takePlace(tokens: Tokens, claims: Claims, at: number, run?: NameRun): number | undefined {
  const before = placeBefore(tokens, at);
  const place = readPlace(tokens, at);
  if (place !== undefined && !(has(tokens, at, NO_NAME) && place.end === at + 1)) {
    const confidence = placeConfidence(tokens, at, place, before);
    if (confidence > 0) {
      const end = run !== undefined && before === 2 ? Math.max(place.end, run.end) : place.end;
      claims.take("LOCATION", at, end, (place.flags & COUNTRY) !== 0 ? "country" : "city", confidence);
      return end;
    }
  }
  if (run === undefined || has(tokens, at, NO_NAME | FUNCTION_WORD)) return undefined;
  const isBeforeCountry =
    isSign(tokens, run.end, ",") && ((readPlace(tokens, run.end + 1)?.flags ?? 0) & COUNTRY) !== 0;
  if (before < 2 && !isBeforeCountry && !(isIn(tokens, at - 1, IN) && hasPlaceShape(tokens, run)))
    return undefined;
  if (run.words.every((word) => isPlain(tokens, word))) return undefined;
  claims.take("LOCATION", at, run.end, "place-context", 0.6);
  return run.end;
}

/** San Giovanni, Petrusville, Kirchdorf. */
function hasPlaceShape(tokens: Tokens, run: NameRun): boolean {
  if (run.words.length > 1 && PLACE_START.test(wordAt(tokens, run.start))) return true;
  return (
    run.words.every((word) => !isPlain(tokens, word)) &&
    PLACE_ENDING.test(wordAt(tokens, run.words.at(-1) as number))
  );
}

function placeConfidence(
  tokens: Tokens,
  at: number,
  { end, flags }: { end: number; flags: number },
  before: number,
): number {
  const isLong = end > at + 1;
  if (tokens.isCaseless) {
    if (isPlain(tokens, at) && !isLong) return before === 2 && (flags & COUNTRY) !== 0 ? 0.6 : 0;
    return (flags & COUNTRY) !== 0 ? 0.75 : before > 0 && (flags & (LARGE_CITY | CITY)) !== 0 ? 0.6 : 0;
  }
  if ((flags & COUNTRY) !== 0) {
    // "US", "Chad" and the like need more than a capital.
    const isShort = kindAt(tokens, at) === UPPER && !isLong && lengthAt(tokens, at) < 3;
    if (isShort) return before > 0 ? 0.6 : 0;
    return isPlain(tokens, at) && !isLong && (before === 0 || isSentenceStart(tokens, at)) ? 0 : 0.8;
  }
  if (isPlain(tokens, at) && !isLong && before < 2) return 0;
  if ((flags & LARGE_CITY) !== 0) return 0.75;
  const isInAddress = isSign(tokens, end, ",") && readPlace(tokens, end + 1) !== undefined;
  const isOwn = isLong && !isSentenceStart(tokens, at) && !isPlain(tokens, at);
  return before > 0 || isInAddress ? 0.65 : isOwn ? 0.55 : 0;
}
