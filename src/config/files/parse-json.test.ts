import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "./parse-json.ts";
import { ParseProblem } from "./parsed-text.ts";

test("reads every JSON text as JSON.parse does", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      // `__proto__` is an own key in both; comparing the texts sees it.
      expect(JSON.stringify(parseJson(text).data)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test("whatever the text, the answer is data or a problem with a place", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    ":",
    ",",
    "a",
    "1",
    "-",
    "\\",
    "/*",
    "//",
    "\n",
    " ",
    "null",
    "\u0000",
  );
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      try {
        parseJson(parts.join(""));
      } catch (error) {
        expect(error).toBeInstanceOf(ParseProblem);
        if (error instanceof ParseProblem) expect(error.position.line).toBeGreaterThan(0);
      }
    }),
  );
});
