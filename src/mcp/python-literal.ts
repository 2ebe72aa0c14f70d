import type { ParsedJson } from "./lenient-json.ts";

/** Longer texts are no answer that somebody printed by mistake, and this parser is slower than the platform's. */
const MAX_LENGTH = 4 * 1024 * 1024;
const MAX_DEPTH = 100;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\r\n]*/y;
const PLAIN_TEXT = { "'": /[^'\\\r\n]*/y, '"': /[^"\\\r\n]*/y };
const WORD = /-?[A-Za-z]{3,5}/y;

/**
 * What Python prints of a list, tuple or dict of plain data (`['a@b.c']`, `{'a': None, 'b': (1, 2)}`), as data. Nothing
 * unless the whole text is exactly that: no other key than text, no call, no name, no set, no bytes. Tuples become
 * lists; `nan` and `inf` become null.
 */
export function parsePythonLiteral(text: string): ParsedJson | undefined {
  if (text.length > MAX_LENGTH || !/^[ \t\r\n]*[[{(]/.test(text)) return undefined;
  const reader: Reader = { text, at: 0 };
  const value = readValue(reader, 0);
  skip(reader, SPACE);
  if (value === NOTHING || reader.at !== text.length) return undefined;
  return { value, ...(reader.notANumber === undefined ? {} : { notANumber: reader.notANumber }) };
}

type Reader = { readonly text: string; at: number; notANumber?: string };

/** In place of a value where there is none: `undefined` and `null` are too easily taken for one. */
const NOTHING = Symbol("no value");

function readValue(reader: Reader, depth: number): unknown {
  if (depth > MAX_DEPTH) return NOTHING;
  skip(reader, SPACE);
  const first = reader.text[reader.at];
  switch (first) {
    case "[":
      return readItems(reader, "]", depth)?.items ?? NOTHING;
    case "(":
      return readTuple(reader, depth);
    case "{":
      return readDict(reader, depth);
    case "'":
    case '"':
      return readText(reader, first);
    default:
      return readScalar(reader);
  }
}

function readItems(reader: Reader, close: string, depth: number) {
  const items: unknown[] = [];
  reader.at++;
  for (let hasComma = true; ; ) {
    skip(reader, SPACE);
    if (take(reader, close)) return { items, endsWithComma: hasComma && items.length > 0 };
    if (!hasComma) return undefined;
    const item = readValue(reader, depth + 1);
    if (item === NOTHING) return undefined;
    items.push(item);
    skip(reader, SPACE);
    hasComma = take(reader, ",");
  }
}

/** `(1)` is a number in parentheses, and a word in parentheses is prose. */
function readTuple(reader: Reader, depth: number): unknown {
  const read = readItems(reader, ")", depth);
  if (read === undefined || (read.items.length === 1 && !read.endsWithComma)) return NOTHING;
  return read.items;
}

function readDict(reader: Reader, depth: number): unknown {
  const entries: [string, unknown][] = [];
  reader.at++;
  for (let hasComma = true; ; ) {
    skip(reader, SPACE);
    // By entries, since an assignment to `__proto__` would not make a key.
    if (take(reader, "}")) return Object.fromEntries(entries);
    const quote = reader.text[reader.at];
    if (!hasComma || (quote !== "'" && quote !== '"')) return NOTHING;
    const key = readText(reader, quote);
    skip(reader, SPACE);
    if (typeof key !== "string" || !take(reader, ":")) return NOTHING;
    const value = readValue(reader, depth + 1);
    if (value === NOTHING) return NOTHING;
    entries.push([key, value]);
    skip(reader, SPACE);
    hasComma = take(reader, ",");
  }
}

function readText(reader: Reader, quote: "'" | '"'): string | typeof NOTHING {
  const { text } = reader;
  const parts: string[] = [];
  reader.at++;
  for (;;) {
    const from = reader.at;
    skip(reader, PLAIN_TEXT[quote]);
    if (reader.at > from) parts.push(text.slice(from, reader.at));
    if (take(reader, quote)) return parts.join("");
    const escaped = text[reader.at] === "\\" ? readEscape(reader) : undefined;
    if (escaped === undefined) return NOTHING;
    parts.push(escaped);
  }
}

const ESCAPES = new Map([
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["a", "\u0007"],
]);
const HEX_DIGITS = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

function readEscape(reader: Reader): string | undefined {
  const letter = reader.text[reader.at + 1] ?? "";
  const plain = ESCAPES.get(letter);
  if (plain !== undefined) {
    reader.at += 2;
    return plain;
  }
  const digits = HEX_DIGITS.get(letter);
  const hex = reader.text.slice(reader.at + 2, reader.at + 2 + (digits ?? 0));
  if (digits === undefined || hex.length !== digits || !/^[0-9a-fA-F]+$/.test(hex)) return undefined;
  const code = Number.parseInt(hex, 16);
  if (code > 0x10ffff) return undefined;
  reader.at += 2 + digits;
  return String.fromCodePoint(code);
}

function readScalar(reader: Reader): unknown {
  const from = reader.at;
  skip(reader, NUMBER);
  if (reader.at > from) {
    const number = Number(reader.text.slice(from, reader.at));
    return Number.isFinite(number) ? number : toNull(reader, String(number));
  }
  skip(reader, WORD);
  const word = reader.text.slice(from, reader.at);
  if (word === "None") return null;
  if (word === "True" || word === "False") return word === "True";
  return word === "nan" || word === "inf" || word === "-inf" ? toNull(reader, word) : NOTHING;
}

function toNull(reader: Reader, written: string): null {
  reader.notANumber ??= written;
  return null;
}

function skip(reader: Reader, pattern: RegExp): void {
  pattern.lastIndex = reader.at;
  if (pattern.test(reader.text)) reader.at = pattern.lastIndex;
}

function take(reader: Reader, character: string): boolean {
  if (reader.text[reader.at] !== character) return false;
  reader.at++;
  return true;
}
