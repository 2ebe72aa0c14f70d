/** The encoder's time grows with the square of an unbroken run: 100,000 letters take it 6 s, 128 take 0.01 ms. In bytes. */
const MAX_RUN = 128;

const LETTER = 1;
const PUNCTUATION = 2;
const SPACE = 4;
const DIGIT = 8;
const ALL = LETTER | PUNCTUATION | SPACE;
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => classOf(String.fromCharCode(code)));

/**
 * The text in pieces such that none has a long run the encoder would take as one. Nearly every text is one piece and
 * counted exactly; a cut can make the count differ by a token.
 */
export function cutLongRuns(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let letters = 0;
  let punctuation = 0;
  let spaces = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Beyond ASCII a character may belong to any run; taking it for all of them only cuts a little more often.
    const kind = code < 128 ? (CLASSES[code] ?? ALL) : ALL;
    const bytes = code < 128 ? 1 : 3;
    letters = kind & LETTER ? letters + bytes : 0;
    punctuation = kind & PUNCTUATION ? punctuation + bytes : 0;
    spaces = kind & SPACE ? spaces + bytes : 0;
    if (letters < MAX_RUN && punctuation < MAX_RUN && spaces < MAX_RUN) continue;
    if (isHighHalf(code) && isLowHalf(text.charCodeAt(index + 1))) continue;
    pieces.push(text.slice(start, index + 1));
    start = index + 1;
    letters = 0;
    punctuation = 0;
    spaces = 0;
  }
  if (start === 0) return [text];
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}

/** Of the pair that a character beyond 16 bits is. Servers send halves without their other one, too. */
function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function classOf(character: string): number {
  // The encoder lets line ends go on a run of punctuation.
  if (character === "\n" || character === "\r") return SPACE | PUNCTUATION;
  if (/\s/.test(character)) return SPACE;
  if (/[A-Za-z]/.test(character)) return LETTER;
  return /[0-9]/.test(character) ? DIGIT : PUNCTUATION;
}
