import { STOP } from "./conversational.ts";
import { toEnglish } from "./gloss.ts";
import { toStem } from "./stem.ts";

/** A word of a text: as it was written, in lower case, and its stem. */
export type Term = {
  readonly surface: string;
  readonly stem: string;
  /** It says nothing about which tool is meant; only phrases need it. */
  readonly isStop: boolean;
};

const STOP_WORDS = new Set([...STOP.trim().split(/\s+/), "tool", "tools", "mcp"]);
const WORD = /[\p{L}\p{N}]+(?:['’](?:s|t|d|ll|m|re|ve)\b)?/gu;
/** The same for plain text, which most of it is: three times as fast. */
const PLAIN_WORD = /[A-Za-z0-9]+(?:'(?:s|t|d|ll|m|re|ve)\b)?/g;
const NOT_PLAIN = /[^\x00-\x7f]/;
const LOWER_CASE = /^[a-z']+$/;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const CJK_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
const MAX_WORD = 40;
const MAX_KNOWN = 60_000;

/** The words of a text: names are split (`createIssue`, `list_PRs`). */
export function toTerms(text: string): Term[] {
  const words = NOT_PLAIN.test(text) ? text.normalize("NFKC").match(WORD) : text.match(PLAIN_WORD);
  const terms: Term[] = [];
  for (const word of words ?? []) for (const term of readWord(word)) terms.push(term);
  return terms;
}

const known = new Map<string, readonly Term[]>();

/** Each word is read once; the words of catalogues are few. */
function readWord(word: string): readonly Term[] {
  const seen = known.get(word);
  if (seen !== undefined) return seen;
  const isForeign = NOT_PLAIN.test(word) && CJK.test(word);
  const terms = isForeign ? toForeignTerms(word) : splitCase(word).split(/ +/).map(toTerm);
  if (word.length > MAX_WORD) return terms;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(word, terms);
  return terms;
}

function toTerm(word: string): Term {
  const surface = word
    .replace(/['’].*$/, "")
    .slice(0, MAX_WORD)
    .toLowerCase();
  return { surface, stem: toStem(surface), isStop: STOP_WORDS.has(surface) };
}

/** `getHTTPStatus` → `get HTTP Status`, `listPRs` → `list pr`, `context7` → `context 7`; short ones such as `s3` and `mp4` stay whole. */
function splitCase(word: string): string {
  if (LOWER_CASE.test(word)) return word;
  return word
    .replace(/(\p{Lu}{2,})s(?!\p{Ll})/gu, (plural) => ` ${toPlural(plural)} `)
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L}{4})(\p{N})/gu, "$1 $2");
}

/** `PDFs` is a plural like any other; of `PRs` the stemmer would leave the s, as of `css`. */
function toPlural(abbreviation: string): string {
  return (abbreviation.length > 3 ? abbreviation : abbreviation.slice(0, -1)).toLowerCase();
}

/** Chinese words that we know stand for English ones; of the rest, pairs of characters stand in for words. */
function toForeignTerms(word: string): Term[] {
  const terms = toTerms(word.replace(CJK_RUN, " "));
  for (const [run] of word.matchAll(CJK_RUN)) {
    const { english, rest } = toEnglish(run);
    terms.push(...toTerms(english));
    for (const part of rest)
      for (const pair of toPairs(part)) terms.push({ surface: pair, stem: pair, isStop: false });
  }
  return terms;
}

function toPairs(run: string): string[] {
  const chars = [...run];
  if (chars.length === 1) return [run];
  return chars.slice(1).map((char, at) => `${chars[at]}${char}`);
}
