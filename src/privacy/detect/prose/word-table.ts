import { readFileSync } from "node:fs";
import { foldCode } from "./letters.ts";
import { CONTEXT_WORDS } from "./lexicon.ts";
import {
  CITY,
  COUNTRY,
  FAMILY,
  FAMILY_RARE,
  FREQUENT,
  GIVEN,
  GIVEN_RARE,
  LARGE_CITY,
  STARTS_PHRASE,
  WORD,
} from "./word-flags.ts";

/** What is known of words: for the hash of a word, or of several in a row, its flags. No word is kept as text. */
export type WordTable = {
  flagsOf(hash: number): number;
};

const FILES = [
  ["given", GIVEN],
  ["given-rare", GIVEN_RARE],
  ["family", FAMILY],
  ["family-rare", FAMILY_RARE],
  ["words-frequent", WORD | FREQUENT],
  ["words", WORD],
  ["cities-large", LARGE_CITY],
  ["cities", CITY],
  ["countries", COUNTRY],
] as const;
const SLOTS = 1 << 18;
export const HASH_START = 0x811c9dc5 | 0;

let table: WordTable | undefined;

/** Read at the first use. */
export function loadWordTable(): WordTable {
  table ??= createWordTable();
  return table;
}

function createWordTable(): WordTable {
  // Pairs of a hash and its flags.
  const slots = new Int32Array(2 * SLOTS);
  for (const [file, flag] of FILES)
    addLines(slots, readFileSync(new URL(`./words/${file}.txt`, import.meta.url)), flag);
  for (const [flag, words] of CONTEXT_WORDS)
    addLines(
      slots,
      Buffer.from(
        `${words
          .trim()
          .split(/\s*[\n|]\s*/)
          .join("\n")}\n`,
      ),
      flag,
    );
  return {
    flagsOf(hash) {
      return slots[slotOf(slots, hash) + 1] as number;
    },
  };
}

function slotOf(slots: Int32Array, hash: number): number {
  let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  while (slots[2 * slot + 1] !== 0 && slots[2 * slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
  return 2 * slot;
}

function add(slots: Int32Array, hash: number, flag: number): void {
  const slot = slotOf(slots, hash);
  slots[slot] = hash;
  slots[slot + 1] = (slots[slot + 1] as number) | flag;
}

/** WordSet of one line are one name. UTF-8 up to U+07FF. */
function addLines(slots: Int32Array, bytes: Uint8Array, flag: number): void {
  let word = HASH_START;
  let phrase = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte > 32) {
      const code = byte < 0x80 ? byte : ((byte & 31) << 6) | ((bytes[++at] as number) & 63);
      word = addToHash(word, code);
      continue;
    }
    if (byte === 32) {
      if (phrase === 0) add(slots, word, STARTS_PHRASE);
      phrase = addToPhrase(phrase, word);
    } else {
      add(slots, phrase === 0 ? word : addToPhrase(phrase, word), flag);
      phrase = 0;
    }
    word = HASH_START;
  }
}

export function addToHash(hash: number, foldedCode: number): number {
  return Math.imul(hash ^ foldedCode, 0x01000193);
}

export function addToPhrase(phrase: number, word: number): number {
  return Math.imul(phrase ^ word, 0x9e3779b1 | 0) | 1;
}

export function hashOf(text: string, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = addToHash(hash, foldCode(text.charCodeAt(at)));
  return hash;
}
