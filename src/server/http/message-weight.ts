const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A program is one text: a message with more in it than this is no call of ours, and costs many times its bytes. */
const MAX_VALUES = 50_000;
const MAX_DEPTH = 100;

/** What is too much in a client's message, told from its bytes before it is parsed; undefined when nothing is. */
export function weighMessage(bytes: Buffer): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (byte === COMMA) values++;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth++;
      values++;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    if (depth > MAX_DEPTH) return `The message is nested deeper than ${MAX_DEPTH} levels`;
    if (values > MAX_VALUES) return `The message has more than ${MAX_VALUES} values`;
  }
  return undefined;
}

/** The quote that ends a text: the first with an even number of backslashes before it. */
function endOfText(bytes: Buffer, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let before = quote;
    while (before > start && bytes[before - 1] === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
  }
  return bytes.length;
}
