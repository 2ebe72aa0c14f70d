/** A character that a text writes in another way: what it stands for, and where that ends. */
export type Escape = { readonly codePoint: number; readonly end: number };

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const SEMICOLON = 0x3b;
/** `&CounterClockwiseContourIntegral;` is longer, and no letter. */
const MAX_ENTITY = 12;
const MAX_BACKSLASHES = 16;

export function isEscapeUnit(unit: number): boolean {
  return unit === PERCENT || unit === AMPERSAND || unit === BACKSLASH;
}

/** Reads `%C3%A9`, `&#233;`, `&eacute;`, `\u00e9`, `\xe9`, `\n`. Nothing where there is none. */
export function readEscape(text: string, at: number, limit: number): Escape | undefined {
  const unit = text.charCodeAt(at);
  if (unit === PERCENT) return readPercent(text, at, limit);
  return unit === AMPERSAND ? readEntity(text, at, limit) : readBackslash(text, at, limit);
}

/** Percent signs may be escaped themselves, any number of times: `%2540`. */
function readPercent(text: string, at: number, limit: number): Escape | undefined {
  let start = at + 1;
  while (text.charCodeAt(start) === 0x32 && text.charCodeAt(start + 1) === 0x35 && start + 3 < limit)
    start += 2;
  const first = readHex(text, start, 2, limit);
  if (first === undefined) return start > at + 1 ? { codePoint: PERCENT, end: at + 3 } : undefined;
  if (first < 0x80) return { codePoint: first, end: start + 2 };
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  let codePoint = more === 0 ? first : first & (0x3f >> more);
  let end = start + 2;
  for (let count = 0; count < more; count++) {
    const digits = end + start - at;
    const byte = readHex(text, digits, 2, limit);
    if (text.charCodeAt(end) !== PERCENT || byte === undefined || byte >> 6 !== 2)
      return { codePoint: 0xfffd, end };
    codePoint = (codePoint << 6) | (byte & 0x3f);
    end = digits + 2;
  }
  return { codePoint: codePoint > 0x10ffff ? 0xfffd : codePoint, end };
}

const ENTITY = /^([a-zA-Z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/;
const LETTERS: Readonly<Record<string, string>> = {
  szlig: "ß",
  aelig: "æ",
  AElig: "æ",
  oelig: "œ",
  OElig: "œ",
};
const SIGNS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  commat: "@",
  period: ".",
  plus: "+",
  lowbar: "_",
  hyphen: "-",
  shy: "\u00ad",
};

function readEntity(text: string, at: number, limit: number): Escape | undefined {
  let end = at + 1;
  const last = Math.min(limit, at + MAX_ENTITY);
  while (end < last && text.charCodeAt(end) !== SEMICOLON) end++;
  if (end >= last) return undefined;
  const name = text.slice(at + 1, end);
  // `&amp;#64;`: what is escaped twice stands for what follows.
  if (name === "amp") return readEscapedTwice(text, end + 1, limit) ?? { codePoint: AMPERSAND, end: end + 1 };
  const codePoint =
    readNumber(name) ?? readLetter(`${name};`) ?? (LETTERS[name] ?? SIGNS[name])?.codePointAt(0);
  return codePoint === undefined ? undefined : { codePoint, end: end + 1 };
}

function readEscapedTwice(text: string, at: number, limit: number): Escape | undefined {
  let end = at;
  const last = Math.min(limit, at + MAX_ENTITY);
  while (end < last && text.charCodeAt(end) !== SEMICOLON) end++;
  if (end >= last) return undefined;
  const codePoint = readNumber(text.slice(at, end));
  return codePoint === undefined ? undefined : { codePoint, end: end + 1 };
}

function readNumber(name: string): number | undefined {
  const digits = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
  if (digits === null) return undefined;
  const codePoint = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  return codePoint > 0x10ffff ? 0xfffd : codePoint;
}

function readLetter(entity: string): number | undefined {
  return ENTITY.exec(entity)?.[1]?.codePointAt(0);
}

/** However many levels of JSON lie around it. */
function readBackslash(text: string, at: number, limit: number): Escape | undefined {
  let start = at + 1;
  while (start < limit && start - at < MAX_BACKSLASHES && text.charCodeAt(start) === BACKSLASH) start++;
  if (start >= limit) return undefined;
  const letter = text[start];
  if (letter === "u" || letter === "U") return readUnicode(text, start, limit);
  if (letter === "x") {
    const byte = readHex(text, start + 1, 2, limit);
    return byte === undefined ? undefined : { codePoint: byte, end: start + 3 };
  }
  return letter !== undefined && "ntrbfv0".includes(letter) ? { codePoint: 0x20, end: start + 1 } : undefined;
}

function readUnicode(text: string, at: number, limit: number): Escape | undefined {
  const unit = readHex(text, at + 1, 4, limit);
  if (unit !== undefined) {
    const low = unit >= 0xd800 && unit < 0xdc00 ? readLow(text, at + 5, limit) : undefined;
    if (low === undefined) return { codePoint: unit, end: at + 5 };
    return { codePoint: 0x10000 + ((unit - 0xd800) << 10) + (low.codePoint - 0xdc00), end: low.end };
  }
  const braced = /^\{([0-9a-f]{1,6})\}/i.exec(text.slice(at + 1, Math.min(limit, at + 9)));
  if (braced === null) return undefined;
  const codePoint = Number.parseInt(braced[1] ?? "", 16);
  return { codePoint: codePoint > 0x10ffff ? 0xfffd : codePoint, end: at + 1 + braced[0].length };
}

function readLow(text: string, at: number, limit: number): Escape | undefined {
  let start = at;
  while (start < limit && start - at < MAX_BACKSLASHES && text.charCodeAt(start) === BACKSLASH) start++;
  if (start === at || text[start] !== "u") return undefined;
  const unit = readHex(text, start + 1, 4, limit);
  return unit !== undefined && unit >= 0xdc00 && unit < 0xe000
    ? { codePoint: unit, end: start + 5 }
    : undefined;
}

function readHex(text: string, at: number, digits: number, limit: number): number | undefined {
  if (at + digits > limit) return undefined;
  let value = 0;
  for (let place = at; place < at + digits; place++) {
    const unit = text.charCodeAt(place) | 0x20;
    const digit =
      unit >= 0x61 && unit <= 0x66 ? unit - 0x57 : unit >= 0x30 && unit <= 0x39 ? unit - 0x30 : -1;
    // 0x10 to 0x19 become digits by the bit that makes letters small.
    if (digit < 0 || text.charCodeAt(place) < 0x30) return undefined;
    value = value * 16 + digit;
  }
  return value;
}
