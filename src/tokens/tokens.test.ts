import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { createTokenMeter } from "../result/token-meter.ts";
import { cutLongRuns } from "./long-runs.ts";
import { loadTokenCounter } from "./tokens.ts";

const rows = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, id) => ({
      id,
      name: `Person ${(id * 7919) % 9973}`,
      ok: id % 3 === 0,
    })),
  );

describe("loadTokenCounter", () => {
  it("counts as the encoder does, special tokens as text", async () => {
    const counter = await loadTokenCounter();
    expect(counter.count("hello world")).toBe(2);
    expect(counter.count("")).toBe(0);
    expect(counter.count("<|endoftext|>")).toBeGreaterThan(1);
    expect(counter.count(rows(500))).toBe(countTokens(rows(500)));
  });

  it("knows whether a text is within a limit", async () => {
    const counter = await loadTokenCounter();
    for (const text of [rows(20), "a".repeat(2000), "中文。".repeat(300), ""]) {
      const tokens = counter.count(text);
      expect(counter.isWithin(text, tokens)).toBe(true);
      expect(counter.isWithin(text, tokens - 1)).toBe(false);
    }
  });

  it("estimates a very long text from samples, within the margin it states, the same each time", async () => {
    const counter = await loadTokenCounter();
    const text = `${"Prose comes first, with words and commas. ".repeat(5000)}${rows(20_000)}`;
    const { tokens, marginTokens } = counter.measure(text);
    expect(marginTokens).toBeGreaterThan(0);
    expect(Math.abs(tokens - counter.count(text))).toBeLessThanOrEqual(marginTokens);
    expect(counter.measure(text)).toEqual({ tokens, marginTokens });
    expect(counter.measure("short")).toEqual({ tokens: 1, marginTokens: 0 });
  });
});

describe("cutLongRuns", () => {
  it("leaves ordinary text in one piece", () => {
    expect(cutLongRuns(rows(50))).toHaveLength(1);
    expect(cutLongRuns("这是一个普通的句子,有标点。 1 这是另一个句子。")).toHaveLength(1);
  });

  it("loses nothing and leaves no run that the encoder would choke on", () => {
    const run = fc
      .tuple(
        fc.constantFrom(
          "a",
          "中",
          "-",
          " ",
          "\n",
          "/\n",
          "—-",
          "é",
          "😀",
          "aB",
          "\u0301!",
          "\ud800",
          "\udc00",
        ),
        fc.nat(900),
      )
      .map(([piece, times]) => piece.repeat(times));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
        const text = runs.join("");
        const pieces = cutLongRuns(text);
        expect(pieces.join("")).toBe(text);
        const longest = pieces.flatMap(
          (piece) => piece.match(/[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+[\r\n/]*|\s+/gu) ?? [],
        );
        expect(longest.every((match) => match.length <= 130)).toBe(true);
      }),
    );
  });

  it("cuts runs of halves of characters too, and never a character in two", async () => {
    const counter = await loadTokenCounter();
    expect(counter.count("\ud800".repeat(100_000))).toBeGreaterThan(100);
    expect(cutLongRuns("😀".repeat(1000)).every((piece) => /^(?:😀)+$/u.test(piece))).toBe(true);
  });

  it("never counts less than the encoder would, and little more", async () => {
    const counter = await loadTokenCounter();
    for (const piece of ["a", "bi", "la", "word", "中文", "=", " ", "é"]) {
      const text = piece.repeat(Math.floor(3000 / piece.length));
      const exact = countTokens(text);
      expect(counter.count(text)).toBeGreaterThanOrEqual(exact);
      expect(counter.count(text)).toBeLessThanOrEqual(exact + Math.ceil(text.length / 8));
    }
  });
});

describe("createTokenMeter", () => {
  it("keeps on with coarser numbers when a run has looked at enough, and says so by the margin", async () => {
    const counter = await loadTokenCounter();
    const meter = createTokenMeter(counter);
    const text = rows(800);
    const exact = counter.count(text);
    const measures = Array.from({ length: 1500 }, () => meter.add(text));
    expect(measures[0]).toEqual({ tokens: exact, marginTokens: 0 });
    for (const { tokens, marginTokens } of measures) {
      expect(Math.abs(tokens - exact)).toBeLessThanOrEqual(marginTokens);
      expect(tokens).toBeGreaterThan(exact / 2);
      expect(tokens).toBeLessThan(exact * 2);
    }
    expect(measures.at(-1)?.marginTokens).toBeGreaterThan(0);
  });
});
