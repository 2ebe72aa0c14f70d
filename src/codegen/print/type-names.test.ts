import { expect, test } from "vitest";
import { createTypeNames } from "./type-names.ts";

test("a name that is taken gets the next number that is free", () => {
  const { claim } = createTypeNames(["A", "A3"], "Part");
  expect([claim("A"), claim("A"), claim("B"), claim("A")]).toEqual(["A2", "A4", "B", "A5"]);
});

test("a hundred thousand types may be called alike", () => {
  const { claim } = createTypeNames([], "Part");
  const names = new Set(Array.from({ length: 100_000 }, () => claim("A")));
  expect(names.size).toBe(100_000);
});
