import { foldWord } from "../keys/key-words.ts";

const MAX_NAME_LENGTH = 80;
const MAX_NAME_WORDS = 6;
/** What stands where a name could, and is none. */
const NOBODY = new Set(
  `yes no true false null nil none unknown undefined nan tbd tba test default all any other others anonymous anon guest system admin administrator root user users customer
  client me you self team support sales info staff service bot unassigned nobody someone everyone everybody public private internal external active inactive pending open closed
  ja nein oui non si sim nao nee tak nie да нет 是 否 无 未知 不明 なし نعم لا string name email n na n/a empty blank redacted hidden deleted optional required male female man woman m f x
  high low medium new old draft done todo low normal urgent daily weekly monthly yearly text number object array boolean integer`
    .split(/\s+/)
    .map(foldWord),
);
const PARTICLES = new Set(
  "de da do dos das del della di van von der den ter ten zu zum la le el al bin bint ibn abu ben y e i und af av op den d".split(
    " ",
  ),
);
const FORBIDDEN = /[@<>{}[\]|\\=;:_~^%$#*+?!]|https?:|\/\//;

/** Whether a text is none of the words that stand for no value. */
export function isSomething(text: string): boolean {
  return text.length > 0 && !NOBODY.has(foldWord(text));
}

/** What a key that means a person may hold: letters, few words, no sentence. */
export function couldBeName(text: string): boolean {
  if (text.length < 1 || text.length > MAX_NAME_LENGTH || FORBIDDEN.test(text) || !isSomething(text))
    return false;
  if (text.includes("/") || !/\p{L}/u.test(text)) return false;
  return text.split(/\s+/).length <= MAX_NAME_WORDS;
}

/** What looks like a person's name wherever it stands: words that begin large, or a script that has no such letters. */
export function looksLikeName(text: string, least: number): boolean {
  if (!couldBeName(text)) return false;
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  let names = 0;
  for (const word of words) {
    if (PARTICLES.has(word.toLowerCase()) && words.length > 1) continue;
    if (!isNameWord(word) || NOBODY.has(foldWord(word))) return false;
    names++;
  }
  return names >= least || (names > 0 && isUncased(text));
}

function isNameWord(word: string): boolean {
  if (isUncased(word)) return /^[\p{L}\p{M}・·'’-]+$/u.test(word);
  return /^\p{Lu}[\p{L}\p{M}'’.-]*$|^(?:d|l|o)['’]\p{Lu}[\p{L}\p{M}-]*$/u.test(word);
}

/** Scripts without large and small letters. */
function isUncased(text: string): boolean {
  return /\p{Lo}/u.test(text) && !/[\p{Lu}\p{Ll}]/u.test(text);
}
