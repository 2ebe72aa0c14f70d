import { personAfter, personBefore, placeBefore } from "./context.ts";
import { isSentenceStart, type NameRun } from "./name-runs.ts";
import type { KnownPlace } from "./places.ts";
import {
  CAPITALISED,
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
  SPACED,
  TAKEN,
  type Tokens,
  UPPER,
  wordAt,
  wordSet,
} from "./tokens.ts";
import {
  CITY,
  COMPANY_WORD,
  COUNTRY,
  FAMILY,
  FAMILY_RARE,
  FREQUENT,
  FUNCTION_WORD,
  GIVEN,
  GIVEN_RARE,
  LARGE_CITY,
  LEGAL_FORM,
  MONTH,
  NAMED,
  NATIONALITY,
  NO_NAME,
  STREET,
  WEEKDAY,
  WORD,
} from "./word-flags.ts";

export type Person = {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  readonly confidence: number;
};

/** Hashes of the words of names that are known already. */
export type Known = ReadonlySet<number>;

const AND = wordSet("and or");
const IN = wordSet("in");
const CODE_SIGNS = "=+/\\_-<{}|@#&~^$%";
const MOST_WORDS = 4;
const MOST_LISTED = 8;
const NO_PERSON = LEGAL_FORM | COMPANY_WORD | STREET | MONTH | WEEKDAY | NATIONALITY;
/** Endings of family names: Slavic, Nordic, Greek, Armenian, Georgian, Baltic, Turkish, Hungarian. */
const FAMILY_ENDING =
  /(?:sson|ssen|sen|dottir|moto|shita|mura|yama|kawa|zawa|guchi|hara|naka|mizu|saki|jima|shima|bayashi|stra|huis|sma|ovec|nik|sek|ucci|eira|eau|oux|ov|ova|ev|eva|in|ina|ski|sky|ska|skaya|enko|chuk|yan|ian|dze|shvili|vic|vich|wicz|czyk|opoulos|idis|akis|iou|oglu|berg|strom|quist|gren|lund|dahl|ic|ek|ak|ez|ini|elli|etti|inen|nen|aite|iene|auskas|evicius|fy|thy|sdottir|mann|meier|meyer|stein|burg|hoff|kova|cova|ikova|skova|rova)$/;

export function readPerson(
  tokens: Tokens,
  run: NameRun,
  known: Known,
  place: KnownPlace | undefined,
): Person | undefined {
  const first = run.words[0] as number;
  if (has(tokens, first, FUNCTION_WORD) || kindAt(tokens, first) === INITIAL) return initialled(tokens, run);
  const isCode = kindAt(tokens, first) === UPPER && lengthAt(tokens, first) < 4 && !tokens.isCaseless;
  if (isCode || isAcronym(tokens, run) || (has(tokens, first, STREET) && run.words.length > 1))
    return undefined;
  const end = personEnd(tokens, run, false);
  const words = run.words.filter((word) => word < end);
  const found = (rule: string, confidence: number): Person => ({ start: run.start, end, rule, confidence });
  if (words.some((word) => known.has(tokens.hashes[word] as number))) return found("known-name", 0.9);
  const before = personBefore(tokens, run.start);
  const after = personAfter(tokens, end);
  if (words.length === 1) {
    const confidence = singleConfidence(tokens, first, before, after, place, end);
    return confidence > 0 ? found(before + after > 0 ? "name-context" : "given-name", confidence) : undefined;
  }
  if (tokens.isCaseless && isInCode(tokens, first, end)) return undefined;
  const confidence = fullConfidence(tokens, words, before, after, place);
  return confidence > 0 ? found("full-name", confidence) : undefined;
}

/** J. Smith, J.R.R. Tolkien. */
function initialled(tokens: Tokens, run: NameRun): Person | undefined {
  const last = run.words.at(-1) as number;
  const first = run.words[0] as number;
  if (run.words.length < 2 || kindAt(tokens, first) !== INITIAL || !isSign(tokens, first + 1, "."))
    return undefined;
  const least = run.words.length > 2 ? 0.5 : 1.5;
  if (familyStrength(tokens, last) < least || kindAt(tokens, last) !== CAPITALISED) return undefined;
  return { start: run.start, end: run.end, rule: "initials", confidence: 0.7 };
}

/** Where a person's name ends within a run of capitals. */
export function personEnd(tokens: Tokens, run: NameRun, isTitled: boolean): number {
  let end = run.end;
  for (const [index, word] of run.words.entries()) {
    const isHyphened = isSign(tokens, word - 1, "-");
    if (index >= MOST_WORDS && !isHyphened) return lastEnd(tokens, run, index);
    if (index === 0) continue;
    const isInitial = kindAt(tokens, word) === INITIAL;
    const isOther = !isInitial && has(tokens, word, NO_PERSON | FUNCTION_WORD) && !has(tokens, word, FAMILY);
    const canFollow =
      index === 1 &&
      has(tokens, word - 1, GIVEN) &&
      !isPlain(tokens, word - 1) &&
      !has(tokens, word, FREQUENT);
    const isOrdinary =
      isPlain(tokens, word) &&
      !canFollow &&
      !has(tokens, word, GIVEN | FAMILY | FAMILY_RARE) &&
      kindAt(tokens, word) !== INITIAL;
    // "Jean DUPONT", but not "Gemini API".
    const isCode =
      kindAt(tokens, word) === UPPER &&
      kindAt(tokens, run.start) === CAPITALISED &&
      !(has(tokens, word, FAMILY | FAMILY_RARE) && lengthAt(tokens, word) > 3);
    if (isOther || isCode || (isOrdinary && !(isTitled && index === 1 && run.words.length === 2)))
      return lastEnd(tokens, run, index);
  }
  // A dot after an initial that ends the run is the sentence's.
  if (isSign(tokens, end - 1, ".") && run.words.length > 1) end--;
  return end;
}

function lastEnd(tokens: Tokens, run: NameRun, index: number): number {
  const last = run.words[index - 1] as number;
  return kindAt(tokens, last) === INITIAL && isSign(tokens, last + 1, ".") ? last + 2 : last + 1;
}

function givenStrength(tokens: Tokens, at: number): number {
  if (has(tokens, at, GIVEN)) return isEveryday(tokens, at) ? 1.2 : 2;
  return has(tokens, at, GIVEN_RARE) && !isPlain(tokens, at) ? 1 : 0;
}

/** WordSet such as "randy" and "daisy" are more often names when they have a capital; "will" and "mark" are not. */
function isEveryday(tokens: Tokens, at: number): boolean {
  return has(tokens, at, FREQUENT | FUNCTION_WORD) || (!has(tokens, at, WORD) && isPlain(tokens, at));
}

function familyStrength(tokens: Tokens, at: number): number {
  const isOrdinary = isPlain(tokens, at);
  if (has(tokens, at, FAMILY)) return isOrdinary ? 1 : 2;
  if (isOrdinary) return has(tokens, at, FAMILY_RARE) ? 0 : -1;
  if (has(tokens, at, FAMILY_RARE)) return 1.5;
  const word = wordAt(tokens, at);
  return word.length > 4 && FAMILY_ENDING.test(word) ? 1.5 : 0.5;
}

function fullConfidence(
  tokens: Tokens,
  words: readonly number[],
  before: number,
  after: number,
  place: KnownPlace | undefined,
): number {
  const first = words[0] as number;
  const last = words.at(-1) as number;
  const isKnownPlace =
    place !== undefined && place.end > first + 1 && (place.flags & (COUNTRY | LARGE_CITY)) !== 0;
  if (isKnownPlace) return 0;
  const given = givenStrength(tokens, first);
  const family = kindAt(tokens, last) === INITIAL ? 1 : familyStrength(tokens, last);
  const context = Math.max(before, after);
  if (
    words.some((word) => has(tokens, word, NO_NAME) && (word !== first || !has(tokens, word, GIVEN))) &&
    context < 2
  )
    return 0;
  if (has(tokens, first, NO_NAME) && family < 0.5) return 0;
  if (tokens.isCaseless) {
    if (given === 2)
      return family >= 0.5 || (has(tokens, last, FAMILY | FAMILY_RARE) && !has(tokens, last, FREQUENT))
        ? 0.75
        : 0;
    if (given >= 1) return family >= 1.5 || (context > 0 && family > 0) ? 0.65 : 0;
    return context === 2 && family >= 1.5 ? 0.6 : 0;
  }
  if (given === 2) {
    if (family >= 0.5) return family >= 1.5 ? 0.9 : 0.8;
    return !isPlain(tokens, first) && (context > 0 || !has(tokens, last, FREQUENT)) ? 0.55 : 0;
  }
  if (given > 1) return family >= 1.5 ? 0.75 : context > 0 && family >= 0.5 ? 0.6 : 0;
  if (given === 1)
    return family >= 1.5
      ? 0.75
      : family >= 0.5 && (context > 0 || hasAccent(tokens, words))
        ? 0.65
        : family > 0
          ? 0.5
          : 0;
  if (isPlain(tokens, first)) return 0;
  // Family name first, as in Hungary and Japan; or a given name that no list has.
  if (givenStrength(tokens, last) === 2 && familyStrength(tokens, first) >= 1.5) return 0.7;
  if (family >= 1.5) return context > 0 ? 0.7 : 0.55;
  if (isWholeLine(tokens, words) && hasAccent(tokens, words)) return 0.6;
  return context >= 1.5 || (context >= 1 && hasAccent(tokens, words)) ? 0.6 : 0;
}

function singleConfidence(
  tokens: Tokens,
  at: number,
  before: number,
  after: number,
  place: KnownPlace | undefined,
  end: number,
): number {
  if (has(tokens, at, FUNCTION_WORD | WEEKDAY | LEGAL_FORM | STREET)) return 0;
  const isListed = isInList(tokens, at, end);
  if (
    has(tokens, at, NATIONALITY | MONTH) &&
    (!has(tokens, at, GIVEN) || (before < 1.5 && after === 0 && (!isListed || has(tokens, at, MONTH))))
  )
    return 0;
  if (has(tokens, at, NO_NAME)) return before === 2 && has(tokens, at, GIVEN) ? 0.6 : 0;
  if (lengthAt(tokens, at) < 3 && Math.max(before, after) < 1.5) return 0;
  if (isInCode(tokens, at, end)) return 0;
  const isStart = isSentenceStart(tokens, at);
  const given = givenStrength(tokens, at);
  const family = familyStrength(tokens, at);
  const context = Math.max(before, after);
  // "Blue Bottle": what is left of a longer run is a name only when it is no word.
  if (has(tokens, at, FREQUENT) && kindAt(tokens, end) === CAPITALISED && gapAt(tokens, end) < NEW_LINE)
    return 0;
  const isPlace = place !== undefined && (place.flags & (COUNTRY | LARGE_CITY)) !== 0;
  const isTown = place !== undefined && (place.flags & CITY) !== 0;
  const inPlace = placeBefore(tokens, at);
  if (inPlace === 2 || isIn(tokens, at - 1, IN)) return 0;
  if (isPlace && given > 0 && context >= 1.5) return 0.7;
  if (
    isPlace &&
    (inPlace > 0 || given < 2 || (place.flags & COUNTRY) !== 0 || context === 0) &&
    !(isListed && given === 2)
  )
    return 0;
  if (tokens.isCaseless) {
    if (given === 2) return context > 0 || isListed ? 0.65 : 0;
    if (isListed && !has(tokens, at, FREQUENT)) return 0.55;
    if (given >= 1 || family >= 1.5)
      return context === 2 || (before > 0 && after >= 1) || (context > 0 && given !== 1.2) ? 0.55 : 0;
    return before === 2 && !isPlain(tokens, at) ? 0.55 : 0;
  }
  if (kindAt(tokens, at) === UPPER) return context === 2 && given === 2 ? 0.6 : 0;
  if (given === 2) {
    if (isPlain(tokens, at) && context === 0 && !isListed && isStart) return 0;
    return context > 0 || isListed ? 0.75 : isTown || has(tokens, at, NATIONALITY | MONTH) ? 0.5 : 0.6;
  }
  if (isPlain(tokens, at)) {
    if (given === 0 && family < 1) return 0;
    if (isStart && !isListed)
      return after > 0 && given > 0 && !has(tokens, at, FREQUENT) ? 0.6 : after === 2 && given > 0 ? 0.55 : 0;
    return context >= 1.5 || (context === 1 && given > 0 && !has(tokens, at, FREQUENT)) || isListed
      ? 0.55
      : 0;
  }
  if (isListed) return 0.65;
  if (family === 2) return isTown && context < 2 ? 0 : context > 0 ? 0.65 : 0.5;
  if (given === 1) return context > 0 ? 0.6 : isStart || isTown ? 0 : 0.5;
  if (family >= 1.5) return context > 0 ? 0.55 : 0;
  return context === 2
    ? 0.6
    : (before > 0 && after > 0) || (before > 0 && hasAccent(tokens, [at]))
      ? 0.55
      : 0;
}

/** zh-Hans, q=Jin+Mao, Europe/London; and the second half of JPMorgan Chase. */
function isInCode(tokens: Tokens, at: number, end: number): boolean {
  if (kindAt(tokens, at - 1) === MIXED && gapAt(tokens, at) === SPACED) return true;
  if (gapAt(tokens, at) === JOINED && isSignOf(tokens, at - 1, CODE_SIGNS)) return true;
  return gapAt(tokens, end) === JOINED && isSignOf(tokens, end, CODE_SIGNS);
}

/** "Malon, Mark and Kaylee": single words in a list of which one is surely a name, and none surely is not. */
function isInList(tokens: Tokens, at: number, end: number): boolean {
  const isItem = (item: number) => {
    const kind = tokens.kinds[item];
    return kind === CAPITALISED || (tokens.isCaseless && kind === LOWER && !has(tokens, item, FUNCTION_WORD));
  };
  const sureness = (item: number) => {
    if (has(tokens, item, NO_NAME | COUNTRY | LARGE_CITY)) return 0;
    if (has(tokens, item, GIVEN | FAMILY))
      return !isPlain(tokens, item) ? 1 : has(tokens, item, FREQUENT) ? 0.3 : 0.5;
    if (isPlain(tokens, item)) return 0;
    return has(tokens, item, GIVEN_RARE | FAMILY_RARE) || FAMILY_ENDING.test(wordAt(tokens, item)) ? 0.5 : 0;
  };
  const joins = (sign: number) =>
    isSign(tokens, sign, ",") || isSign(tokens, sign, "&") || isIn(tokens, sign, AND);
  let sure = 0;
  let items = 1;
  for (let item = end + 1; items < MOST_LISTED && joins(item - 1); item += 2) {
    if (joins(item)) item++;
    if (!isItem(item) || gapAt(tokens, item) >= NEW_LINE) break;
    items++;
    sure += sureness(item);
    if (has(tokens, item, NO_NAME)) return false;
  }
  for (let item = at - 2; items < MOST_LISTED && item >= 0 && joins(item + 1); item -= 2) {
    if (isTaken(tokens, item)) sure++;
    else if (!isItem(item)) break;
    items++;
    sure += sureness(item);
  }
  return (
    sure + sureness(at) / 2 >= 1 && (items > 2 || !isPlain(tokens, at) || has(tokens, at, FAMILY | GIVEN))
  );
}

/** The word of a list before this one, which was found to be a name. */
const isTaken = (tokens: Tokens, item: number) => tokens.kinds[item] === TAKEN && has(tokens, item, NAMED);

function isWholeLine(tokens: Tokens, words: readonly number[]): boolean {
  return (
    isSentenceStart(tokens, words[0] as number) && gapAt(tokens, (words.at(-1) as number) + 1) >= NEW_LINE
  );
}

function hasAccent(tokens: Tokens, words: readonly number[]): boolean {
  return words.some((word) => {
    for (let at = tokens.starts[word] as number; at < (tokens.ends[word] as number); at++)
      if (tokens.text.charCodeAt(at) > 0xbf && tokens.text.charCodeAt(at) < 0x370) return true;
    return false;
  });
}

/** NASA, REST API: capitals alone, unless all of them are names. */
function isAcronym(tokens: Tokens, run: NameRun): boolean {
  if (tokens.isCaseless || run.words.some((word) => kindAt(tokens, word) === CAPITALISED)) return false;
  return (
    run.words.length === 1 ||
    !run.words.every(
      (word) =>
        kindAt(tokens, word) === INITIAL || has(tokens, word, GIVEN | FAMILY | GIVEN_RARE | FAMILY_RARE),
    )
  );
}
