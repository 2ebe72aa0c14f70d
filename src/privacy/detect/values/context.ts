import type { Surroundings } from "../finding.ts";
import { isLatinLetter } from "./characters.ts";
import { HINT, type Hint, hintOfKey, lastHint, nextHint } from "./hints.ts";

const BEFORE = 40;
const AFTER = 24;
/** How near a word must be that says what a number is not. */
const CLOSE = 16;
/** Keys that leave it to the one above: `phone: { number }`. */
const PLAIN_KEY = /^(?:number|no|nr|num|value|values|text|raw|content|primary|home|work|main|current|\d+)$/i;

/** A text, and what is known of what stands in it. */
export type Context = {
  readonly text: string;
  readonly region: string | undefined;
  /** What the key says, in bits of `HINT`. */
  readonly key: number;
  readonly keyName: string;
  /** What the key and all words say together. */
  readonly hints: number;
  /** Numbers and nothing else, and nothing is known of them: someone asks what they are. */
  readonly isAlone: boolean;
  /** How far words were read, and the last that said something: candidates come in order, and words are read once. */
  readonly words: { readTo: number; last: Hint | undefined };
};

export function createContext(
  text: string,
  key: number,
  hints: number,
  surroundings: Surroundings | undefined,
): Context {
  return {
    text,
    region: surroundings?.region,
    key,
    keyName: surroundings?.key ?? "",
    hints,
    isAlone: surroundings === undefined && text.length <= 80 && !hasWords(text),
    words: { readTo: 0, last: undefined },
  };
}

/** What the nearest word before it, the key, or else the nearest word after it says of a part of the text. */
export function hintAt(context: Context, start: number, end: number): number {
  const { text, key, hints } = context;
  if (hints === 0) return 0;
  const before = hintBefore(context, start);
  if (before !== undefined && !(before.bits === HINT.other && start - before.end > CLOSE)) return before.bits;
  if (key !== 0) return key;
  if (end >= text.length) return 0;
  return nextHint(text, end, clauseEnd(text, end))?.bits ?? 0;
}

const CLAUSE_ENDS = new Set([...'",;:|{}[]\\\n\t'].map((sign) => sign.charCodeAt(0)));

/** `… is my number`, `… (mobile)`, but not what the next field of a record is called. */
function clauseEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + AFTER);
  let end = start;
  while (end < limit && !CLAUSE_ENDS.has(text.charCodeAt(end))) end++;
  return end;
}

function hintBefore({ text, words }: Context, start: number): Hint | undefined {
  if (start < words.readTo || start - words.readTo > BEFORE) {
    words.readTo = wordStart(text, Math.max(0, start - BEFORE));
    words.last = undefined;
  }
  if (start > words.readTo) {
    words.last = lastHint(text, words.readTo, start) ?? words.last;
    words.readTo = start;
  }
  return words.last !== undefined && start - words.last.end <= BEFORE ? words.last : undefined;
}

/** What the key says, or else the one above it. */
export function keyHint({ key, above }: Surroundings): number {
  const own = key === undefined ? 0 : hintOfKey(key);
  if (own !== 0 || (key !== undefined && !PLAIN_KEY.test(key))) return own;
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
