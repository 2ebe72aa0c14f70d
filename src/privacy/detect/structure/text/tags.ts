import type { Decoded } from "./decoded.ts";
import { decodeEntities } from "./entities.ts";

/** A tag of HTML or XML. */
export type Tag = {
  readonly name: string;
  readonly isEnd: boolean;
  readonly isEmpty: boolean;
  readonly attributes: ReadonlyMap<string, Decoded>;
  readonly end: number;
};

const MAX_TAG = 20_000;
const MAX_ATTRIBUTES = 100;
const NAME_LETTER = /[\p{L}\p{N}_:.-]/u;

/** The tag that begins at a `<`; where to go on when that is only a sign. */
export function readTag(text: string, start: number): Tag | number {
  let at = start + 1;
  const isEnd = text.charAt(at) === "/";
  if (isEnd) at++;
  const nameStart = at;
  while (at < text.length && at - nameStart < 80 && NAME_LETTER.test(text.charAt(at))) at++;
  if (at === nameStart || !/\p{L}/u.test(text.charAt(nameStart))) return at;
  const name = text.slice(nameStart, at);
  const attributes = new Map<string, Decoded>();
  const limit = Math.min(text.length, start + MAX_TAG);
  while (at < limit) {
    const letter = text.charAt(at);
    if (letter === ">") return { name, isEnd, isEmpty: text.charAt(at - 1) === "/", attributes, end: at + 1 };
    if (letter === "<") return at;
    if (!NAME_LETTER.test(letter)) {
      at++;
      continue;
    }
    at = readAttribute(text, at, limit, attributes);
  }
  return Math.max(at, limit);
}

function readAttribute(text: string, start: number, limit: number, attributes: Map<string, Decoded>): number {
  let at = start;
  while (at < limit && NAME_LETTER.test(text.charAt(at))) at++;
  const name = text.slice(start, at);
  let mark = at;
  while (mark < limit && /\s/.test(text.charAt(mark))) mark++;
  if (text.charAt(mark) !== "=") return at;
  mark++;
  while (mark < limit && /\s/.test(text.charAt(mark))) mark++;
  const quote = text.charAt(mark);
  const isQuoted = quote === '"' || quote === "'";
  const from = isQuoted ? mark + 1 : mark;
  let end = from;
  while (end < limit && (isQuoted ? text.charAt(end) !== quote : !/[\s>]/.test(text.charAt(end)))) end++;
  if (attributes.size < MAX_ATTRIBUTES) attributes.set(name.toLowerCase(), decodeEntities(text, from, end));
  return isQuoted ? end + 1 : end;
}
