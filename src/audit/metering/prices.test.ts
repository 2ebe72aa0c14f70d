import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../test/fixtures/project.ts";
import { toModelKey } from "./model-name.ts";
import { loadPrices } from "./prices.ts";

const NOW = Date.UTC(2026, 10, 16);

describe("the name of a model is known", () => {
  it.each([
    ["claude-sonnet-4-5", "claude-sonnet-4-5"],
    ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
    ["Claude-Sonnet-4.5", "claude-sonnet-4-5"],
    ["anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"],
    ["openrouter/anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"],
    ["anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"],
    ["claude-sonnet-4-5@20250929", "claude-sonnet-4-5"],
    ["claude-opus-4-8[1m]", "claude-opus-4-8"],
    ["claude-3-5-haiku-latest", "claude-3-5-haiku"],
    ["claude-sonnet-4-20250514", "claude-sonnet-4"],
    ["gpt-4o-2024-08-06", "gpt-4o"],
    ["gpt-5.4-mini", "gpt-5-4-mini"],
    ["models/gemini-2.5-pro", "gemini-2-5-pro"],
  ])("%s", (written, key) => {
    expect(toModelKey(written)).toBe(key);
  });

  it.each([["azure/gpt-4o"], ["x".repeat(201)], [""], ["gpt 5"], ["gpt-5:free"], ["../gpt-5"]])(
    "but not %s",
    (written) => {
      expect(toModelKey(written)).toBeUndefined();
    },
  );
});

describe("prices", () => {
  it("are those of exactly this model, and of no other", async () => {
    const { priceOf } = await loadPrices();
    expect(priceOf("anthropic/claude-opus-5.5", NOW)).toEqual({
      model: "claude-opus-5-5",
      input: 4,
      output: 20,
    });
    expect(priceOf("gpt-5.4-mini", NOW)?.input).toBe(0.75);
    expect(priceOf("claude-sonnet-4-0", NOW)?.model).toBe("claude-sonnet-4");
    for (const other of ["claude", "gpt-5.4-mini-preview", "claude-opus-5-5-fast", "gpt", "my-model"])
      expect(priceOf(other, NOW)).toBeUndefined();
  });

  it("hold from day to day", async () => {
    const { priceOf } = await loadPrices();
    const lastMoment = Date.UTC(2027, 0, 1) - 1;
    expect(priceOf("gemini-3.8-flash", lastMoment)?.input).toBe(0.75);
    expect(priceOf("gemini-3.8-flash", lastMoment + 1)?.input).toBe(1.5);
  });

  it("have their date and their sources, and no name twice at one time", async () => {
    const { date, sources, priceOf } = await loadPrices();
    expect(date).toMatch(/^2026-\d{2}-\d{2}$/);
    const vendors = sources.map((source) => new URL(source).hostname);
    expect(vendors).toEqual(["platform.claude.com", "developers.openai.com", "ai.google.dev"]);
    const { default: list } = await import("./prices.json", { with: { type: "json" } });
    const open = list.models.filter(({ from }: { from?: string }) => from === undefined);
    const names = open.flatMap(({ name, aliases = [] }: { name: string; aliases?: string[] }) => [
      name,
      ...aliases,
    ]);
    expect(new Set(names.map(toModelKey)).size).toBe(names.length);
    for (const name of names) {
      expect(priceOf(name, NOW), name).toBeDefined();
      // Of another vendor, the list would not say where it is from.
      expect(name).toMatch(/^(?:claude|gpt|gemini)-/);
    }
  });

  it("of the user go before ours", async () => {
    const file = join(await tempDir(), "prices.json");
    expect((await loadPrices(file)).priceOf("gpt-5", NOW)?.input).toBe(1.25);
    const models = [
      { name: "gpt-5", input: 1, output: 2 },
      { name: "house-model", aliases: ["house"], input: 0, output: 0 },
    ];
    await writeFile(file, JSON.stringify({ date: "2026-11-01", models }));
    const { priceOf, date } = await loadPrices(file);
    expect([priceOf("openai/gpt-5", NOW)?.input, priceOf("house", NOW)?.input, date]).toEqual([
      1,
      0,
      "2026-11-01",
    ]);
    expect(priceOf("gpt-4o", NOW)?.input).toBe(2.5);
  });

  it.each([
    ["{", "it is not valid JSON"],
    ['{"date":"2026-11-01","models":[{"name":"a","input":"1","output":2}]}', '"models.0.input"'],
    ['{"models":[]}', '"date"'],
  ])("that are wrong are told: %s", async (text, message) => {
    const file = join(await tempDir(), "prices.json");
    await writeFile(file, text);
    await expect(loadPrices(file)).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining(message),
    });
  });
});
