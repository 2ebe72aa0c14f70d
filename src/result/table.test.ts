import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toInline } from "./preview.ts";
import { toTable } from "./table.ts";

const ALL = { items: 1e6, keys: 1e6, textChars: 1e6, depth: 64 };
const cell = (value: unknown) => toInline(value, ALL);
const table = (rows: readonly unknown[]) => toTable(rows, [], [], 1e6, cell);

describe("toTable", () => {
  it("writes bare what can't be mistaken and JSON for the rest", () => {
    const rows = [
      { id: 1, at: "2026-01-02", code: "12", none: null, text: "a|b", list: [1, "x"] },
      { id: 2, at: "true", code: "", text: "two\nlines", list: [] },
    ];
    expect(table(rows)?.split("\n")).toEqual([
      "id|at|code|none|text|list",
      '1|2026-01-02|"12"|null|"a\\u007cb"|[1,"x"]',
      '2|"true"|""||"two\\nlines"|[]',
    ]);
  });

  it("is not for items that are not alike", () => {
    expect(table([{ a: 1 }, { b: 1 }, { c: 1 }])).toBeUndefined();
    expect(table([{ a: 1 }, 1])).toBeUndefined();
    expect(table([{ a: 1 }])).toBeUndefined();
  });

  it("keeps every value of flat objects apart from every other", () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom("null", "1", "", " x", "a|b"),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ a: value, b: value }), { minLength: 2, maxLength: 8 }), (rows) => {
        const lines = table(rows)?.split("\n").slice(1) ?? [];
        expect(lines.map((line) => line.split("|").map(parseCell))).toEqual(
          rows.map((row) => [row.a, row.b]),
        );
      }),
    );
  });
});

function parseCell(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
