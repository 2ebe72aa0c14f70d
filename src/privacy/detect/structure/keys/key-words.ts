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
  return key
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{M}〒]+/u)
    .filter((word) => word !== "")
    .map(foldWord)
    .slice(0, MAX_WORDS);
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
      phrase
        .split(/[^\p{L}\p{M}〒]+/u)
        .map(foldWord)
        .join(""),
    )
    .filter((phrase) => phrase !== "");
}
