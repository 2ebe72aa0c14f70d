import { readFileSync } from "node:fs";
import { foldCode } from "./letters.ts";
import { CONTEXT_WORDS } from "./lexicon.ts";
import {
  CITY,
  COUNTRY,
  FAMILY,
  FAMILY_RARE,
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
  ["words", WORD],
  ["cities-large", LARGE_CITY],
  ["cities", CITY],
  ["countries", COUNTRY],
] as const;
const SLOTS = 1 << 19;
export const HASH_START = 0x811c9dc5 | 0;

let table: WordTable | undefined;

/** Read at the first use: 1.4 MB in some 30 ms. */
export function loadWordTable(): WordTable {
  table ??= createWordTable();
  return table;
}

function createWordTable(): WordTable {
  const hashes = new Int32Array(SLOTS);
  const flags = new Int32Array(SLOTS);

  function slotOf(hash: number): number {
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    while (flags[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }

  function add(hash: number, flag: number): void {
    const slot = slotOf(hash);
    hashes[slot] = hash;
    flags[slot] = (flags[slot] as number) | flag;
  }

  function addLines(text: string, flag: number): void {
    let word = HASH_START;
    let phrase = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 32) {
        if (phrase === 0) add(word, STARTS_PHRASE);
        phrase = addToPhrase(phrase, word);
        word = HASH_START;
      } else if (code === 10) {
        add(phrase === 0 ? word : addToPhrase(phrase, word), flag);
        word = HASH_START;
        phrase = 0;
      } else word = addToHash(word, code);
    }
  }

  for (const [file, flag] of FILES)
    addLines(readFileSync(new URL(`./words/${file}.txt`, import.meta.url), "utf8"), flag);
  for (const [flag, words] of CONTEXT_WORDS)
    addLines(
      `${words
        .trim()
        .split(/\s*[\n|]\s*/)
        .join("\n")}\n`,
      flag,
    );
  return { flagsOf: (hash) => flags[slotOf(hash)] as number };
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
