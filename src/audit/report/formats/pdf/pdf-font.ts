/** The standard fonts that every reader of PDF has: nothing is embedded. */
export const PDF_FONTS = { plain: "Helvetica", bold: "Helvetica-Bold", mono: "Courier" } as const;
export type PdfFont = keyof typeof PDF_FONTS;

// Widths of the characters 32 to 126, in thousandths of the size (Adobe's metrics of the standard fonts).
const PLAIN =
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584";
const BOLD =
  "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584";
const WIDTHS = { plain: PLAIN.split(" ").map(Number), bold: BOLD.split(" ").map(Number) };
const MONO_WIDTH = 600;
const OTHER_WIDTH = 611;
const WIDE_WIDTH = 1_000;
const WIDE = new Set("ÆŒ—…™‰æœ");

/** Beyond Latin-1, what the fonts' encoding (Windows-1252) has as well. */
const EXTRA: Readonly<Record<string, number>> = {
  "€": 0x80,
  "…": 0x85,
  "‰": 0x89,
  Š: 0x8a,
  "‹": 0x8b,
  Œ: 0x8c,
  Ž: 0x8e,
  "‘": 0x91,
  "’": 0x92,
  "“": 0x93,
  "”": 0x94,
  "•": 0x95,
  "–": 0x96,
  "—": 0x97,
  "™": 0x99,
  š: 0x9a,
  "›": 0x9b,
  œ: 0x9c,
  ž: 0x9e,
  Ÿ: 0x9f,
};

/** The text in what the fonts have: another character is named, so that it can be told from its neighbours. */
export function toPdfText(text: string): string {
  let out = "";
  for (const character of text.normalize("NFC").replace(/\s+/g, " ")) {
    if (character === "≈") out += "~";
    else if (toByte(character) !== undefined) out += character;
    else out += `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
  }
  return out;
}

function toByte(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0;
  if ((code >= 32 && code <= 126) || (code >= 0xa0 && code <= 0xff)) return code;
  return Object.hasOwn(EXTRA, character) ? EXTRA[character] : undefined;
}

/** As a string of a PDF, in hexadecimal digits: nothing in it can end it. */
export function toPdfString(text: string): string {
  const bytes = [...toPdfText(text)].map((character) => toByte(character) ?? 63);
  return `<${Buffer.from(bytes).toString("hex")}>`;
}

/** In points, of a text that `toPdfText` has made. */
export function toPdfWidth(text: string, font: PdfFont, size: number): number {
  if (font === "mono") return (text.length * MONO_WIDTH * size) / 1_000;
  const widths = WIDTHS[font];
  let sum = 0;
  for (const character of text) {
    const known = widths[character.charCodeAt(0) - 32];
    sum += known ?? accented(character, widths);
  }
  return (sum * size) / 1_000;
}

/** A letter with an accent is as wide as the letter. */
function accented(character: string, widths: readonly number[]): number {
  if (WIDE.has(character)) return WIDE_WIDTH;
  const base = character.normalize("NFD").charCodeAt(0);
  return widths[base - 32] ?? OTHER_WIDTH;
}

/** Lines that fit; a word that does not is cut. */
export function toPdfLines(text: string, font: PdfFont, size: number, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of toPdfText(text).split(" ")) {
    let rest = word;
    const joined = line === "" ? rest : `${line} ${rest}`;
    if (toPdfWidth(joined, font, size) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    while (rest.length > 1 && toPdfWidth(rest, font, size) > width) {
      const fitting = fittingLength(rest, font, size, width);
      lines.push(rest.slice(0, fitting));
      rest = rest.slice(fitting);
    }
    line = rest;
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}

function fittingLength(word: string, font: PdfFont, size: number, width: number): number {
  let low = 1;
  let high = word.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (toPdfWidth(word.slice(0, middle), font, size) <= width) low = middle;
    else high = middle - 1;
  }
  return low;
}
