import { eachEventText } from "../event-text.ts";
import { addNumber, hasNumber, mixNumber, textNumber } from "./token-set.ts";

const GRAM = 3;
/** The first characters of a text say enough of where it may stand. */
const MAX_ASKED = 200;

/** Adds what can be found of an event by text: each three characters, and each id or hash as a whole. */
export function addTexts(bits: Uint8Array, seen: Set<string>, event: unknown): void {
  eachEventText(event, (text, isWhole) => {
    if (seen.has(text)) return;
    seen.add(text);
    const lower = text.toLowerCase();
    if (isWhole) addNumber(bits, wholeNumber(lower));
    else for (let index = 0; index + GRAM <= lower.length; index++) addNumber(bits, gramNumber(lower, index));
  });
}

/** Whether a block may hold an event with this text; nothing where the text is too short to say. */
export function createTextTest(text: string): ((bits: Uint8Array) => boolean) | undefined {
  const lower = text.toLowerCase();
  const count = Math.min(lower.length, MAX_ASKED) - GRAM + 1;
  if (count < 1) return undefined;
  const wanted = [...new Set(Array.from({ length: count }, (_, index) => gramNumber(lower, index)))];
  const whole = wholeNumber(lower);
  return (bits) => hasNumber(bits, whole) || wanted.every((gram) => hasNumber(bits, gram));
}

function gramNumber(text: string, index: number): number {
  const pair = Math.imul(text.charCodeAt(index), 65_599) + text.charCodeAt(index + 1);
  return mixNumber(Math.imul(pair, 65_599) + text.charCodeAt(index + 2));
}

function wholeNumber(text: string): number {
  return textNumber(text, 0x27d4eb2f);
}
