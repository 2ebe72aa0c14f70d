import { remembering } from "./remembering.ts";
import type { TextShape, Word } from "./shape.ts";

/**
 * Which texts may be told by their values ("open", "closed"). Values are never stored, with this one exception, and only
 * where it surely is no personal data: a field whose name says that it holds one of a few, nothing about persons around it,
 * and words that recurred over many calls. Until then only a keyed hash of each is kept.
 */
const NAMES =
  "status state type kind level priority severity category mode phase stage visibility conclusion outcome format unit units " +
  "currency encoding protocol scheme method action event direction order side availability access environment tier " +
  "resolution quality scope lang language engine interval period frequency";
const ABOUT_SOMEBODY =
  "name names user users login email mail author owner title address addresses city phone key token id ids password secret " +
  "person people contact contacts customer member members recipient sender patient employee account profile assignee " +
  "reviewer company street country zip postal birth gender sex ethnicity religion blood health diagnosis marital family " +
  "credential credentials auth session cookie ssn iban card";

const MIN_VALUES = 20;
const MIN_CALLS = 5;
/** Calls in which a word was seen before it is taken. */
const MIN_CALLS_OF_WORD = 3;
const MAX_LENGTH = 24;

const named = new Set(NAMES.split(" "));
const personal = new Set(ABOUT_SOMEBODY.split(" "));

export type Naming = "unnamed" | "choice" | "personal";

/** What a field's name says of the texts in it; what is below a person's field is the person's. */
export function toNaming(key: string, outer: Naming): Naming {
  return outer === "personal" ? outer : namingOf(key);
}

const namingOf = remembering((key): Naming => {
  const words = key
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  if (words.some((word) => personal.has(word))) return "personal";
  return named.has(words.at(-1) ?? "") ? "choice" : "unnamed";
});

/** `open`, `in_progress`, `CLOSED`, `Delivered`: letters alone, no spaces, no digits. `TX` is where somebody lives. */
export function isWord(text: string): boolean {
  if (text.length > MAX_LENGTH || /^[A-Z]{1,2}$/.test(text)) return false;
  return /^[A-Za-z]+(?:[_-][A-Za-z]+)*$/.test(text);
}

/** Whether a text that is one of these words may be kept as it is. */
export function mayKeep({ n, calls, words }: TextShape, word: Word): boolean {
  if (words === undefined || words.size < 2 || n < MIN_VALUES || calls < MIN_CALLS) return false;
  return word.calls >= MIN_CALLS_OF_WORD;
}

/** The words that are known; nothing unless there are at least two. */
export function knownWords({ words }: TextShape): string[] {
  const literals = [...(words?.values() ?? [])].flatMap(({ literal }) => literal ?? []);
  return literals.length < 2 ? [] : literals.sort();
}
