import { expect, test } from "vitest";
import { toDoc } from "./parse-doc.ts";

test.each([
  [{ description: "Labels", default: [] }, "Labels (default: [])"],
  [{ description: "Page size (default: 5)", default: 5 }, "Page size (default: 5)"],
  [{ description: "Page", minimum: 1, maximum: 100 }, "Page (1..100)"],
  [{ minimum: 1 }, ">=1"],
  [{ exclusiveMinimum: 0, multipleOf: 5 }, ">0; multiple of 5"],
  [{ type: "string", minLength: 2, maxLength: 2, format: "uuid" }, "uuid; length 2"],
  [{ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, minItems: 0 }, ""],
  [{ description: "Mail", pattern: "^.+@.+$", examples: ["a@b"] }, 'Mail (pattern ^.+@.+$; e.g. "a@b")'],
  [{ pattern: "x".repeat(200) }, ""],
  [
    { description: "When", anyOf: [{ type: "string", format: "date" }, { type: "null" }], default: null },
    "When (date)",
  ],
  [{ description: "Old", required: true, deprecated: true }, "Old (deprecated; required)"],
  [{ description: 5, title: "Title" }, ""],
  [null, ""],
])("%j", (schema, doc) => {
  expect(toDoc(schema)).toBe(doc);
});
