import { expect, test } from "vitest";
import { PRINTERS } from "../codegen/printers.ts";
import { LANGUAGES } from "../language/languages.ts";
import { findLanguageName, LANGUAGE_NAMES, LANGUAGE_WORDS, toLanguageName } from "./language-names.ts";

test("the fronts take every language that tools can be written in or programs can run in", () => {
  expect(LANGUAGE_NAMES).toEqual(Object.keys(PRINTERS));
  for (const [name, printer] of Object.entries(PRINTERS)) expect(printer.name).toBe(name);
  for (const { name, aliases } of LANGUAGES)
    expect(LANGUAGE_WORDS).toEqual(expect.arrayContaining([name, ...aliases]));
});

test("a language is known by what people call it, and each word means one", () => {
  expect(["ts", "js", "javascript", "typescript"].map(toLanguageName)).toEqual(Array(4).fill("typescript"));
  expect(["TypeScript", "JS"].map(findLanguageName)).toEqual(["typescript", "typescript"]);
  expect(["ruby", "constructor", 7].map(findLanguageName)).toEqual(Array(3).fill(undefined));
  expect(["py", "python"].map(toLanguageName)).toEqual(["python", "python"]);
  expect(toLanguageName(undefined)).toBe("typescript");
  expect(new Set(LANGUAGE_WORDS).size).toBe(LANGUAGE_WORDS.length);
});
