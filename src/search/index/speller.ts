import { editDistance } from "../../text/edit-distance.ts";

/** A beginning may lack so many letters: `config` for `configuration` is the lexicon's business. */
const MAX_MISSING = 4;
const MIN_LENGTH = 3;
const TWO_SLIPS = 8;

export type SpellerOptions = {
  /** How many slips a long word may have; a short one may have one. */
  readonly mostSlips?: number;
  /** Whether a word may be the beginning of the one that is meant. */
  readonly beginnings?: boolean;
};

/** Finds the words that one with a slip or two may have been meant for. */
export function createSpeller(
  words: Iterable<string>,
  options: SpellerOptions = {},
): (word: string) => string[] {
  const { mostSlips = 2, beginnings = true } = options;
  const known = [...words].map((word) => ({ word, letters: toLetters(word) }));

  return (word) => {
    if (word.length < MIN_LENGTH) return [];
    const letters = toLetters(word);
    let best = word.length < TWO_SLIPS ? 1 : mostSlips;
    let found: string[] = [];
    for (const candidate of known) {
      const missing = candidate.word.length - word.length;
      if (missing < -best || missing > MAX_MISSING) continue;
      const begins = beginnings && word.length > MIN_LENGTH && isBeginning(word, candidate.word);
      // Each slip changes at most two letters of the set: most words are out without being compared.
      if (!begins && countBits(letters ^ candidate.letters) > 2 * best) continue;
      const distance = begins ? 1 : editDistance(word, candidate.word, best);
      if (distance > best) continue;
      if (distance < best) found = [];
      best = distance;
      found.push(candidate.word);
    }
    return found;
  };
}

function isBeginning(word: string, of: string): boolean {
  return of.length > word.length && of.length - word.length <= MAX_MISSING && of.startsWith(word);
}

/** Which letters a word has, as bits. */
function toLetters(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
