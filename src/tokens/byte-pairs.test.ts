import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { createPairCounter } from "./byte-pairs.ts";
import { loadTokenTable } from "./token-table.ts";

const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
const exact = (text: string) => countTokens(text, PLAIN);

describe("counting byte pairs", async () => {
  const count = createPairCounter(await loadTokenTable());

  it("counts what the whole encoder counts, whatever the text is made of", () => {
    const units = ["grapheme", "binary", "binary-ascii", "grapheme-ascii"] as const;
    const noise = fc.constantFrom(...units).chain((unit) => fc.string({ unit, maxLength: 60 }));
    const halves = fc.array(fc.integer({ min: 0xd700, max: 0xe010 }), { maxLength: 4 });
    const words = fc.constantFrom(
      "the quick brown fox",
      "don't WE'LL",
      "naïve Straße İstanbul",
      "中文字符，标点。",
      "кириллица",
      "👩‍👩‍👧 🇩🇪",
      "\r\n\t  \n",
      "<|endoftext|>",
      "function f(x){return x/*1*/}",
      '{"id":12345,"ok":true}',
      "ﷺ🀄\u0301\u200d",
    );
    const part = fc.oneof(
      noise,
      words,
      halves.map((codes) => String.fromCharCode(...codes)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        expect(count(text)).toBe(exact(text));
      }),
      { numRuns: 1000 },
    );
  });

  it("counts long runs and long texts the same", () => {
    for (const text of [
      "a".repeat(1000),
      "lá".repeat(700),
      "=-".repeat(900),
      " ".repeat(3000),
      "漢".repeat(400),
    ])
      expect(count(text)).toBe(exact(text));
    const long = "Some prose, 1234 numbers and symbols (#€) follow each other here.\n".repeat(3000);
    expect(count(long)).toBe(exact(long));
  });

  it("stops above a limit, and remembers nothing wrong by it", () => {
    const text = "one two three four five six";
    expect(count(text, 2)).toBe(3);
    expect(count(text)).toBe(exact(text));
    for (let word = 0; word < 30_000; word++) count(`w${word}x`);
    expect(count(text)).toBe(exact(text));
  });
});
