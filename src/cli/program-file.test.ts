import { expect, it } from "vitest";
import { toLanguageOption } from "./program-file.ts";

it.each([
  [
    'This looks like Python: send it with language: "python", or',
    "This looks like Python: run it with --lang python, or",
  ],
  ['a program in Python needs language: "python"', "a program in Python needs --lang python"],
  ['language: "de"', 'language: "de"'],
])("names the language as an option: %j", (told, shown) => expect(toLanguageOption(told)).toBe(shown));
