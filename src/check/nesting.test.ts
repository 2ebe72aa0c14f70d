import { describe, expect, it } from "vitest";
import { mayNestDeeply } from "./nesting.ts";
import { prepare } from "./prepare.ts";

const WAYS: { readonly [name: string]: (levels: number) => string } = {
  parentheses: (n) => `${"(".repeat(n)}1${")".repeat(n)}`,
  "open brackets": (n) => "[".repeat(n),
  arrows: (n) => `${"a=>".repeat(n)}1`,
  operators: (n) => `${"!".repeat(n)}1`,
  words: (n) => `a${" in a".repeat(n)}`,
  types: (n) => `let x: ${"A<".repeat(n)}1${">".repeat(n)}`,
  classes: (n) => `${"class A{x=".repeat(n)}1${"}".repeat(n)}`,
  namespaces: (n) => "namespace A{".repeat(n) + "}".repeat(n),
};

describe("nesting", () => {
  it.each(Object.entries(WAYS))("is parsed here as deep as is taken to be safe: %s", async (_, way) => {
    let safe = 1;
    while (!mayNestDeeply(way(safe + 100))) safe += 100;
    expect(safe).toBeGreaterThan(500);
    expect(await prepare(way(safe), [])).toHaveProperty("ok");
  });
});
