import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { foldText } from "./letters.ts";
import { GIVEN, WORD } from "./word-flags.ts";
import { hashOf, loadWordTable } from "./word-table.ts";

const LISTS = [
  "given",
  "given-rare",
  "family",
  "family-rare",
  "words-frequent",
  "words",
  "cities-large",
  "cities",
  "countries",
];
const read = (list: string) => readFileSync(new URL(`./words/${list}.txt`, import.meta.url), "utf8");

describe("the word lists", () => {
  it("are folded as texts are, one name a line, and small", () => {
    let size = 0;
    for (const list of LISTS) {
      const text = read(list);
      size += text.length;
      expect(foldText(text), list).toBe(text);
      expect(text.endsWith("\n") && !text.includes("\n\n") && !text.includes("  "), list).toBe(true);
    }
    expect(size).toBeLessThan(1_500_000);
  });

  it("are found by the hash of a word, whatever its case and accents", () => {
    const flagsOf = (word: string) => loadWordTable().flagsOf(hashOf(word, 0, word.length));
    expect(flagsOf("AGNÈS") & GIVEN).toBe(GIVEN);
    expect(flagsOf("table") & WORD).toBe(WORD);
    expect(flagsOf("qzxvkw")).toBe(0);
  });
});
