import { expect, it } from "vitest";
import { toReadable } from "./readable-schema.ts";

const text = { type: "string" };

it("leaves a schema of ordinary size as it is", () => {
  const schema = {
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`p${n}`, text])),
  };
  expect(toReadable(schema)).toBe(schema);
});

it("keeps the upper part of one that is too large, and nothing that refers to the rest", () => {
  const linked = (n: number) => ({ type: "object", properties: { next: { $ref: `#/$defs/d${n + 1}` } } });
  const schema = {
    type: "object",
    $defs: Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`d${n}`, linked(n)])),
    properties: { name: text, first: { $ref: "#/$defs/d0" } },
    required: ["name"],
  };
  expect(toReadable(schema)).toEqual({
    type: "object",
    properties: { name: text, first: {} },
    required: ["name"],
  });
});

it("never leaves an empty list of alternatives, which nothing would fit", () => {
  const deep = (levels: number): object => (levels === 0 ? text : { anyOf: [deep(levels - 1), text] });
  const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`p${n}`, deep(4)]));
  expect(JSON.stringify(toReadable({ type: "object", properties }))).not.toContain("[]");
});
