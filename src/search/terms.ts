import { toEnglish } from "./gloss.ts";
import { STOP } from "./lexicon/conversational.ts";
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
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const CJK_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
const MAX_WORD = 40;
const MAX_KNOWN = 60_000;

/** The words of a text: names are split (`createIssue`, `list_PRs`). */
export function toTerms(text: string): Term[] {
  const terms: Term[] = [];
  for (const [word] of splitCase(text.normalize("NFKC")).matchAll(WORD)) {
    if (CJK.test(word)) terms.push(...toForeignTerms(word));
    else terms.push(toTerm(word.toLowerCase()));
  }
  return terms;
}

const known = new Map<string, Term>();

/** Each word is stemmed once; the words of catalogues are few. */
function toTerm(word: string): Term {
  const seen = known.get(word);
  if (seen !== undefined) return seen;
  const surface = word.replace(/['’].*$/, "").slice(0, MAX_WORD);
  const term = { surface, stem: toStem(surface), isStop: STOP_WORDS.has(surface) };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(word, term);
  return term;
}

/** `getHTTPStatus` → `get HTTP Status`, `context7` → `context 7`; short ones such as `s3` and `mp4` stay whole. */
function splitCase(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L}{4})(\p{N})/gu, "$1 $2");
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
