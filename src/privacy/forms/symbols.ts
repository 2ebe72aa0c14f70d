/**
 * Texts as a search for values sees them: letters and digits alone, without case, marks and width. A symbol is a number: 1 to 26
 * are the letters, 27 to 36 the digits, those after them share the letters of all other scripts.
 */
export const SYMBOLS = 64;
export const BREAK = 0;
const FIRST_DIGIT = 27;
const FIRST_OTHER = 37;
const OTHERS = SYMBOLS - FIRST_OTHER;

/** What a unit of a text is, where it is not a symbol. */
export const SEPARATOR = 64;

/** By unit below 128. */
export const ASCII: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit).toLowerCase();
  if (character >= "a" && character <= "z") return character.charCodeAt(0) - 96;
  if (character >= "0" && character <= "9") return FIRST_DIGIT + unit - 48;
  return SEPARATOR;
});

/** Letters that no normal form takes apart. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ħ: "h",
};

const MAX_KNOWN = 20_000;
const known = new Map<number, Uint8Array>();
const NONE = new Uint8Array(0);

/** The symbols of a character; `[SEPARATOR]` for one that is none, nothing for what is not seen. */
export function toSymbols(codePoint: number): Uint8Array {
  const before = known.get(codePoint);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const symbols = readSymbols(codePoint);
  known.set(codePoint, symbols);
  return symbols;
}

export function isDigitSymbol(symbol: number): boolean {
  return symbol >= FIRST_DIGIT && symbol < FIRST_OTHER;
}

/** Stands for other letters as well. */
export function isSharedSymbol(symbol: number): boolean {
  return symbol >= FIRST_OTHER;
}

function readSymbols(codePoint: number): Uint8Array {
  if (codePoint < 128) return Uint8Array.of(ASCII[codePoint] ?? SEPARATOR);
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return Uint8Array.of(SEPARATOR);
  const character = String.fromCodePoint(codePoint);
  if (/^[\p{M}\p{Cf}]$/u.test(character)) return NONE;
  const plain = [...character.normalize("NFKD").toLowerCase().normalize("NFKD")]
    .map((one) => SPELLED[one] ?? one)
    .join("")
    .replace(/\p{M}/gu, "");
  if (plain === "") return NONE;
  const symbols = [...plain].map(toSymbol).filter((symbol) => symbol !== SEPARATOR);
  return symbols.length === 0 ? Uint8Array.of(SEPARATOR) : Uint8Array.from(symbols);
}

function toSymbol(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 128) return ASCII[codePoint] ?? SEPARATOR;
  const digit = /^\p{Nd}$/u.test(character) ? toDigit(codePoint) : undefined;
  if (digit !== undefined) return FIRST_DIGIT + digit;
  return /^[\p{L}\p{N}]$/u.test(character) ? FIRST_OTHER + (codePoint % OTHERS) : SEPARATOR;
}

/** The digits of each script stand in a row, from zero. */
function toDigit(codePoint: number): number | undefined {
  for (let digit = 0; digit < 10; digit++) {
    if (!/^\p{Nd}$/u.test(String.fromCodePoint(codePoint - digit - 1))) return digit;
  }
  return undefined;
}
