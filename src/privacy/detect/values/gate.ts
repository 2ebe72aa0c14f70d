/** What a text has, of which values are made; one bit each. */
export const TRAIT = {
  at: 1,
  /** Enough digits for a number of somebody. */
  digits: 2,
  /** Digits and three full stops. */
  quads: 4,
  colons: 8,
  /** Five separators of pairs, or two full stops with four characters between them. */
  hex: 16,
  /** A word as long as a key. */
  long: 32,
  /** `-----` */
  dashes: 64,
  /** A sign or a digit, without which nothing is a named secret. */
  named: 128,
  /** Enough for a short postal code. */
  fewDigits: 256,
} as const;

const DIGIT = 1;
const LETTER = 2;
const AT = 3;
const COLON = 4;
const DOT = 5;
const DASH = 6;
const EQUALS = 7;
const UNDERSCORE = 8;

const KINDS = new Uint8Array(128);
for (let code = 48; code <= 57; code++) KINDS[code] = DIGIT;
for (let code = 65; code <= 90; code++) KINDS[code] = KINDS[code + 32] = LETTER;
for (const [sign, kind] of [
  ["@", AT],
  [":", COLON],
  [".", DOT],
  ["-", DASH],
  ["=", EQUALS],
  ["_", UNDERSCORE],
] as const)
  KINDS[sign.charCodeAt(0)] = kind;

const LEAST_KEY = 16;
/** `BNZPM2501F` */
const LEAST_ID = 10;

/** One pass over the characters: most texts have none of it. */
export function traitsOf(text: string): number {
  let digits = 0;
  let colons = 0;
  let dots = 0;
  let lastDot = -1;
  let dashes = 0;
  let inRow = 0;
  let word = 0;
  let longest = 0;
  let traits = 0;
  const { length } = text;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (KINDS[code] ?? 0) : 0;
    if (kind === LETTER) {
      word++;
      inRow = 0;
      continue;
    }
    if (kind === DIGIT) {
      digits++;
      word++;
      inRow = 0;
      continue;
    }
    if (kind === DASH) {
      dashes++;
      word++;
      if (++inRow === 5) traits |= TRAIT.dashes;
      continue;
    }
    if (word > longest) longest = word;
    inRow = 0;
    if (kind === UNDERSCORE) {
      word++;
      continue;
    }
    word = 0;
    if (kind === 0) continue;
    if (kind === AT) traits |= TRAIT.at;
    else if (kind === COLON) colons++;
    else if (kind === DOT) {
      dots++;
      if (at - lastDot === 5) traits |= TRAIT.hex;
      lastDot = at;
    } else traits |= TRAIT.named;
  }
  if (word > longest) longest = word;
  if (longest >= LEAST_KEY) traits |= TRAIT.long;
  if (colons > 1) traits |= TRAIT.colons;
  if (colons > 0 || digits > 0) traits |= TRAIT.named;
  if (digits > 1)
    traits |= digits > 4 || (digits === 4 && longest >= LEAST_ID) ? TRAIT.digits : TRAIT.fewDigits;
  if (digits > 3 && dots > 2) traits |= TRAIT.quads;
  if (colons > 4 || dashes > 4) traits |= TRAIT.hex;
  return traits;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const HASH = /^[\da-f]+$/i;
const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** What JSON is full of: ids of machines, and times. */
export function isPlainForm(text: string): boolean {
  const { length } = text;
  if (length === 36) return UUID.test(text);
  if (length === 32 || length === 40 || length === 64) return HASH.test(text);
  return length >= 10 && length <= 35 && text.charCodeAt(4) === 45 && MOMENT.test(text);
}
