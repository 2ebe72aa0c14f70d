import { type Decoded, decodePart, plainPart } from "./decoded.ts";

/** JSON in a text, read as far as it goes: cut off, with single quotes, with Python's words. */
type JsonRead = { readonly value: unknown; readonly end: number };

/** Deeper than this, brackets are no JSON. */
export const MAX_NESTING = 100;
const ESCAPES: { readonly [letter: string]: string } = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);

/** The value that begins at a place. What cannot be read ends it there. */
export function readJsonAt(text: string, at: number): JsonRead {
  return readValue(text, skipBlanks(text, at), 0);
}

function readValue(text: string, at: number, depth: number): JsonRead {
  const first = text.charAt(at);
  if (first === "{" && depth < MAX_NESTING) return readObject(text, at, depth);
  if (first === "[" && depth < MAX_NESTING) return readList(text, at, depth);
  if (first === '"' || first === "'") {
    const end = stringEnd(text, at);
    return { value: decodeString(text, at, end).text, end };
  }
  const end = wordEnd(text, at);
  const word = text.slice(at, end);
  if (WORDS.has(word)) return { value: WORDS.get(word), end };
  const number = word === "" ? Number.NaN : Number(word);
  return { value: Number.isNaN(number) ? undefined : number, end };
}

function readObject(text: string, start: number, depth: number): JsonRead {
  const object: { [key: string]: unknown } = Object.create(null);
  const end = eachMember(text, start, (_key, at, name) => {
    const read = readValue(text, at, depth + 1);
    object[name] = read.value;
    return read.end;
  });
  return { value: object, end };
}

function readList(text: string, start: number, depth: number): JsonRead {
  const list: unknown[] = [];
  const end = eachItem(text, start, (_index, at) => {
    const read = readValue(text, at, depth + 1);
    list.push(read.value);
    return read.end;
  });
  return { value: list, end };
}

/**
 * Goes over an object's members: `visit` is given the key and where its value begins, and says where that ends. A key that
 * comes again has another name, so that the first value is not lost.
 */
export function eachMember(
  text: string,
  start: number,
  visit: (key: Decoded, at: number, name: string) => number,
): number {
  let at = skipBlanks(text, start + 1);
  const seen = new Set<string>();
  while (at < text.length) {
    if (text.charAt(at) === "}") return at + 1;
    const quote = text.charAt(at);
    const isQuoted = quote === '"' || quote === "'";
    const keyEnd = isQuoted ? stringEnd(text, at) : wordEnd(text, at);
    if (keyEnd === at) return at;
    const key = isQuoted ? decodeString(text, at, keyEnd) : plainPart(text, at, keyEnd);
    at = skipBlanks(text, keyEnd);
    if (text.charAt(at) !== ":") return at;
    const from = skipBlanks(text, at + 1);
    const name = seen.has(key.text) ? `${key.text}\u0000${seen.size}` : key.text;
    seen.add(name);
    at = skipBlanks(text, visit(key, from, name));
    if (text.charAt(at) === ",") at = skipBlanks(text, at + 1);
    else if (text.charAt(at) !== "}") return Math.max(at, from);
  }
  return at;
}

/** The same for a list's items. */
export function eachItem(text: string, start: number, visit: (index: number, at: number) => number): number {
  let at = skipBlanks(text, start + 1);
  for (let index = 0; at < text.length; index++) {
    if (text.charAt(at) === "]") return at + 1;
    const end = visit(index, at);
    if (end === at) return at;
    at = skipBlanks(text, end);
    if (text.charAt(at) === ",") at = skipBlanks(text, at + 1);
    else if (text.charAt(at) !== "]") return at;
  }
  return at;
}

/** A string between its quotes, its escapes undone. */
export function decodeString(text: string, start: number, end: number): Decoded {
  const quote = text.charAt(start);
  const to = end > start + 1 && text.charAt(end - 1) === quote ? end - 1 : end;
  if (!text.slice(start + 1, to).includes("\\")) return plainPart(text, start + 1, to);
  return decodePart(text, start + 1, to, (at) =>
    text.charAt(at) === "\\" ? readEscape(text, at) : undefined,
  );
}

function readEscape(text: string, at: number): { text: string; length: number } {
  const letter = text.charAt(at + 1);
  const hex = letter === "u" ? text.slice(at + 2, at + 6) : letter === "x" ? text.slice(at + 2, at + 4) : "";
  if (/^(?:[0-9a-f]{4}|[0-9a-f]{2})$/i.test(hex))
    return { text: String.fromCharCode(Number.parseInt(hex, 16)), length: 2 + hex.length };
  return { text: ESCAPES[letter] ?? letter, length: 2 };
}

/** Past the closing quote, or where the text ends. */
export function stringEnd(text: string, start: number): number {
  const quote = text.charCodeAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === quote) return at + 1;
  }
  return text.length;
}

/** Past a number, `true` and its like, or a key without quotes. */
export function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && isWordCode(text.charCodeAt(at))) at++;
  return at;
}

function isWordCode(code: number): boolean {
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
  return isLetter || (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
  return at;
}
