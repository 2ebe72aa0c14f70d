import { describe, expect, it } from "vitest";
import { findMisfits } from "./misfits.ts";
import { parseOutputSchema } from "./parse-schema.ts";

const ORDER = {
  type: "object",
  properties: {
    id: { type: "integer" },
    state: { enum: ["open", "closed"] },
    items: { type: "array", items: { $ref: "#/$defs/item" } },
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false, minItems: 2 },
    either: {
      anyOf: [{ type: "string" }, { type: "object", properties: { a: { type: "number" } }, required: ["a"] }],
    },
    closed: { type: "object", properties: { x: {} }, additionalProperties: false },
    counts: { type: "object", additionalProperties: { type: "integer" } },
  },
  required: ["id"],
  $defs: {
    item: {
      type: "object",
      properties: { price: { type: "number" }, parts: { type: "array", items: { $ref: "#/$defs/item" } } },
    },
  },
};
const misfits = (value: unknown, schema: unknown = ORDER) =>
  findMisfits(value, parseOutputSchema(schema).type);

describe("findMisfits", () => {
  it("finds nothing where a value is what was declared, whatever else it has", () => {
    const whole = {
      id: 1,
      state: "open",
      items: [{ price: 1.5, parts: [{ price: 2 }] }, {}],
      pair: ["a", 1],
      either: { a: 1 },
      closed: {},
      counts: { anything: 1 },
      more: [null],
    };
    expect(misfits(whole)).toEqual([]);
    expect(misfits({ id: 1, either: "text" })).toEqual([]);
    expect(misfits("anything", {})).toEqual([]);
  });

  it.each([
    ["a text", { path: "", expected: "object", seen: "string" }],
    [{}, { path: "id", expected: "integer", seen: "nothing" }],
    [{ id: 1.5 }, { path: "id", expected: "integer", seen: "number" }],
    [{ id: null }, { path: "id", expected: "integer", seen: "null" }],
    [
      { id: 1, state: "SECRET" },
      { path: "state", expected: "one of the values listed", seen: "string" },
    ],
    [
      { id: 1, items: [{ parts: [{ price: "9" }] }] },
      { path: "items.[].parts.[].price", expected: "number", seen: "string" },
    ],
    [
      { id: 1, pair: ["a"] },
      { path: "pair", expected: "a list of 2", seen: "a list of 1" },
    ],
    [
      { id: 1, pair: ["a", "b"] },
      { path: "pair.[]", expected: "number", seen: "string" },
    ],
    [
      { id: 1, either: { a: "x" } },
      { path: "either.a", expected: "number", seen: "string" },
    ],
    [
      { id: 1, either: 5 },
      { path: "either", expected: "string | object", seen: "number" },
    ],
    [
      { id: 1, closed: { SECRET: 1 } },
      { path: "closed.*", expected: "no further keys", seen: "a further key" },
    ],
    [
      { id: 1, counts: { SECRET: "x" } },
      { path: "counts.*", expected: "integer", seen: "string" },
    ],
  ])("tells what is wrong with %j by kinds, without its values", (value, expected) => {
    expect(misfits(value)).toEqual([expected]);
    expect(JSON.stringify(misfits(value))).not.toContain("SECRET");
  });

  it("says one thing once, and ends with what is too deep or too long", () => {
    expect(misfits({ id: 1, items: Array.from({ length: 30 }, () => ({ price: "x" })) })).toHaveLength(1);
    let deep: unknown = { price: "x" };
    for (let level = 0; level < 3_000; level++) deep = { parts: [deep] };
    expect(misfits({ id: 1, items: [deep] })).toEqual([]);
    expect(misfits({ id: 1, items: Array.from({ length: 500_000 }, () => ({ price: 1 })) })).toEqual([]);
  });

  it("makes no list of all that is missing, however much that is and however long its names", () => {
    const long = "L".repeat(200_000);
    const required = Array.from({ length: 14_000 }, (_, index) => `a${index}`);
    const item = {
      type: "object",
      properties: Object.fromEntries(required.map((name) => [name, {}])),
      required,
    };
    const lists = { type: "array", items: { type: "array", items: item } };
    const schema = { type: "object", properties: { [long]: lists } };
    const value = { [long]: Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => ({}))) };
    const found = misfits(value, schema);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(5);
    expect(JSON.stringify(found).length).toBeLessThan(2_000);
  });

  it("looks for a bounded number of keys, in unions as well", () => {
    let looked = 0;
    const value = new Proxy({}, { getOwnPropertyDescriptor: () => void looked++ });
    const properties = Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`a${index}`, {}]));
    const closed = { type: "object", properties, required: ["a14999"], additionalProperties: false };
    const schema = {
      $defs: { closed },
      type: "array",
      items: {
        anyOf: Array.from({ length: 30 }, (_, index) => ({
          type: "object",
          properties: { [`p${index}`]: { $ref: "#/$defs/closed" } },
          required: [`p${index}`, "q"],
        })),
      },
    };
    const item = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, value]));
    expect(misfits(Array(40).fill(item), schema)).toEqual([]);
    expect(looked).toBeLessThan(200_000);
  });
});
