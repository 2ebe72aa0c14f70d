import type { Surroundings } from "../finding.ts";
import { isLatinLetter } from "./characters.ts";
import { hintOfKey, lastHint, nextHint } from "./hints.ts";

const BEFORE = 40;
const AFTER = 24;

/** A text, and what is known of what stands in it. */
export type Context = {
  readonly text: string;
  readonly region: string | undefined;
  /** What the key says, in bits of `HINT`. */
  readonly key: number;
  /** Numbers and nothing else, and nothing is known of them: someone asks what they are. */
  readonly isAlone: boolean;
};

export function createContext(text: string, surroundings: Surroundings | undefined): Context {
  return {
    text,
    region: surroundings?.region,
    key: surroundings === undefined ? 0 : keyHint(surroundings),
    isAlone: surroundings === undefined && text.length <= 80 && !hasWords(text),
  };
}

/** What the nearest word before it, the key, or else the nearest word after it says of a part of the text. */
export function hintAt(context: Context, start: number, end: number): number {
  const { text, key } = context;
  const before =
    start === 0 ? undefined : lastHint(text, wordStart(text, Math.max(0, start - BEFORE)), start);
  if (before !== undefined) return before.bits;
  if (key !== 0) return key;
  if (end >= text.length) return 0;
  return nextHint(text, end, Math.min(text.length, end + AFTER))?.bits ?? 0;
}

function keyHint({ key, above }: Surroundings): number {
  const own = key === undefined ? 0 : hintOfKey(key);
  if (own !== 0) return own;
  const last = above?.at(-1);
  return last === undefined ? 0 : hintOfKey(last);
}

/** Not in the middle of a word. */
function wordStart(text: string, from: number): number {
  let at = from;
  while (at > 0 && at < from + BEFORE && isLatinLetter(text.charCodeAt(at - 1))) at++;
  return at;
}

/** Two letters in a row, which no number has that is written alone. */
function hasWords(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127 || (isLatinLetter(code) && isLatinLetter(text.charCodeAt(at + 1)))) return true;
  }
  return false;
}
