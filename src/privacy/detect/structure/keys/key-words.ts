const MAX_KEY_LENGTH = 64;
const MAX_WORDS = 10;
const FOLDED: { readonly [letter: string]: string } = {
  ß: "ss",
  ı: "i",
  ł: "l",
  ø: "o",
  æ: "ae",
  đ: "d",
  œ: "oe",
};

/** The words of a key in any spelling, without marks, case and numbers: `billingE-mail2` → billing, e, mail. */
export function toKeyWords(key: string): string[] {
  if (key.length > MAX_KEY_LENGTH) return [];
  const words = isAscii(key) ? splitAscii(key) : splitAny(key);
  return words.length > MAX_WORDS ? words.slice(0, MAX_WORDS) : words;
}

function splitAny(key: string): string[] {
  return key
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{M}〒]+/u)
    .filter((word) => word !== "")
    .map(foldWord);
}

/** The same without patterns: nearly all keys are of this kind. */
function splitAscii(key: string): string[] {
  const words: string[] = [];
  let from = -1;
  for (let at = 0; at <= key.length; at++) {
    const code = key.charCodeAt(at);
    const isLarge = code >= 65 && code <= 90;
    const isLetter = isLarge || (code >= 97 && code <= 122);
    const isNew = isLarge && from !== -1 && (isSmall(key, at - 1) || isSmall(key, at + 1));
    if (from !== -1 && (!isLetter || isNew)) {
      words.push(key.slice(from, at).toLowerCase());
      from = -1;
    }
    if (isLetter && from === -1) from = at;
  }
  return words;
}

function isSmall(key: string, at: number): boolean {
  const code = key.charCodeAt(at);
  return code >= 97 && code <= 122;
}

/** A word as our lists hold it: letters that differ in marks or case alone are the same. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[ßıłøæđœ]/g, (letter) => FOLDED[letter] ?? letter);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** A list of our own: phrases between commas, each as its words run together. */
export function readWordList(list: string): string[] {
  return list
    .split(",")
    .map((phrase) =>
      isAscii(phrase) ? phrase.replace(/[^a-z]+/gi, "").toLowerCase() : splitAny(phrase).join(""),
    )
    .filter((phrase) => phrase !== "");
}
