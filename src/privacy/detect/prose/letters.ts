/** The end of the Latin, Greek and Cyrillic scripts, which tell capitals from small letters; all other letters have no case. */
const CASED = 0x530;
const SINGLE: { readonly [letter: string]: string } = {
  ß: "s",
  æ: "a",
  œ: "o",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "t",
  ħ: "h",
  ı: "i",
  ς: "σ",
  ŋ: "n",
  ŧ: "t",
};

export const OTHER = 0;
export const SMALL = 1;
export const CAPITAL = 2;
export const DIGIT = 3;
export const SPACE = 4;
export const WORD_BREAK = 5;
export const UNCASED = 6;

const KINDS = new Uint8Array(CASED);
const FOLDED = new Uint16Array(CASED);

for (let code = 0; code < CASED; code++) {
  const letter = String.fromCharCode(code);
  const small = letter.toLowerCase();
  const isLetter = /\p{L}/u.test(letter);
  KINDS[code] = !isLetter ? OTHER : small === letter ? SMALL : CAPITAL;
  FOLDED[code] = (SINGLE[small] ?? small.normalize("NFD")).charCodeAt(0);
}
for (const code of [9, 11, 12, 32, 160]) KINDS[code] = SPACE;
for (const code of [10, 13]) KINDS[code] = WORD_BREAK;
for (let code = 48; code < 58; code++) KINDS[code] = DIGIT;

export function kindOf(code: number): number {
  if (code < CASED) return KINDS[code] as number;
  // Spaces and signs of the general punctuation, then letters of all other scripts.
  if (code >= 0x2000 && code < 0x2c00)
    return code < 0x200e || code === 0x202f || code === 0x2060 ? SPACE : OTHER;
  // The wide space, and the mark of byte order that some texts have within.
  if (code === 0x3000 || code === 0xfeff) return SPACE;
  // Latin Extended Additional, where Vietnamese and Welsh capitals stand on even places.
  if (code >= 0x1e00 && code < 0x1f00) return code % 2 === 0 ? CAPITAL : SMALL;
  if (code >= 0x1f00 && code < 0x2000) return (code & 15) >= 8 ? CAPITAL : SMALL;
  if (code >= 0xd800 && code < 0xf900) return OTHER;
  return code >= 0x3001 && code < 0x3041 ? OTHER : code >= 0xfe00 ? OTHER : UNCASED;
}

/** A letter without case and accent, one for one, so that places in a text stay. */
export function foldCode(code: number): number {
  if (code < CASED) return FOLDED[code] as number;
  if (code >= 0x1e00 && code < 0x2000)
    return String.fromCharCode(code).toLowerCase().normalize("NFD").charCodeAt(0);
  return code;
}

export function foldText(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = "";
  for (let at = 0; at < text.length; at++) folded += String.fromCharCode(foldCode(text.charCodeAt(at)));
  return folded;
}
