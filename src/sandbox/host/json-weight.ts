const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Deeper values overflow the stack of whoever walks them next, `JSON.stringify` for one. */
export const MAX_JSON_DEPTH = 512;
/** Too short to be deep, since each level takes two bytes, and not worth a scan: such a text counts as the worst there is. */
const SMALL_BYTES = 2 * MAX_JSON_DEPTH;

/** What V8 takes for each, at most: an object with a key of its own, which shares its shape with no other, takes 180. */
const OBJECT_BYTES = 104;
const ARRAY_BYTES = 72;
const KEY_BYTES = 24;
/** An object with so many keys is a table of them, which takes more, and much longer to make. */
const MANY_KEYS = 1_000;
const TABLE_KEY_BYTES = 80;
const STRING_BYTES = 24;
const VALUE_BYTES = 16;
/** `{"1":0},` is the worst. */
const WORST_FACTOR = 28;
/** A short string ends sooner than a search for its end would begin. */
const SHORT_STRING = 32;

export type JsonWeight = {
  /** What the values will take once they are parsed; ordinary data takes a fifth of it. */
  readonly heldBytes: number;
  readonly isTooDeep: boolean;
};

/** Weighs JSON by its bytes, before it is parsed: `[{},{},…]` takes twenty times its length. */
export function weighJson(bytes: Buffer): JsonWeight {
  const { length } = bytes;
  if (length <= SMALL_BYTES) return { heldBytes: length * WORST_FACTOR, isTooDeep: false };
  let depth = 0;
  let objects = 0;
  let arrays = 0;
  let keys = 0;
  let tableKeys = 0;
  /** Of the objects that are open, by their depth. */
  const keysAt = new Uint32Array(MAX_JSON_DEPTH + 1);
  let strings = 0;
  let values = 1;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      strings++;
      at = endOfString(bytes, at + 1);
    } else if (byte === COMMA) {
      values++;
    } else if (byte === COLON) {
      keys++;
      const before = keysAt[depth] ?? 0;
      keysAt[depth] = before + 1;
      if (before > MANY_KEYS) tableKeys++;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (byte === OPEN_OBJECT) objects++;
      else arrays++;
      if (++depth > MAX_JSON_DEPTH) return { heldBytes: length, isTooDeep: true };
      keysAt[depth] = 0;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--;
    }
  }
  const heldBytes =
    length +
    objects * OBJECT_BYTES +
    arrays * ARRAY_BYTES +
    keys * KEY_BYTES +
    tableKeys * TABLE_KEY_BYTES +
    strings * STRING_BYTES +
    values * VALUE_BYTES;
  return { heldBytes, isTooDeep: false };
}

/** The place of the quote that ends a string, or the end of the text. */
export function endOfString(bytes: Buffer, start: number): number {
  const soon = Math.min(bytes.length, start + SHORT_STRING);
  let at = start;
  for (; at < soon; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at;
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return bytes.length;
    let escapes = 0;
    while (quote - escapes > at && bytes[quote - escapes - 1] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote;
    at = quote + 1;
  }
}
