import { describe, expect, it } from "vitest";
import { scanShape } from "./scan-shape.ts";
import { SHAPE_DETAILS, toShapeText } from "./shape-text.ts";

const FULL = SHAPE_DETAILS[0] ?? { keys: 9, depth: 5, values: true };
const text = (value: unknown) => toShapeText(scanShape(value).shape, FULL);

describe("a shape", () => {
  it("tells ranges, lengths, few-valued fields and optional keys", () => {
    const rows = Array.from({ length: 100 }, (_, id) => ({
      id,
      score: id / 8,
      kind: id % 4 === 0 ? "a" : "b",
      name: "x".repeat(1 + (id % 9)),
      tags: ["t"].slice(id % 2),
      ...(id > 50 ? { extra: null } : {}),
    }));
    expect(text(rows)).toBe(
      '[100 × { id: int 0…99, score: number 0…12.375, kind: "a"(25)|"b"(75), name: string(1–9), tags: [0–1 × "t"], extra?: null }]',
    );
  });

  it("tells mixed types and nested lists", () => {
    expect(text([1, "x", null, true, { a: 1 }])).toBe('[5 × int 1|"x"|boolean|{ a: int 1 }|null]');
    expect(text([[1, 2], [3]])).toBe("[2 × [1–2 × int 1…3]]");
    expect(text([])).toBe("[]");
    expect(text({})).toBe("{}");
  });

  it("looks at a sample of very long lists, both ends included", () => {
    const { shape, isSampled } = scanShape(Array.from({ length: 1e6 }, (_, index) => index));
    expect(isSampled).toBe(true);
    expect(toShapeText(shape, FULL)).toBe("[1,000,000 × int 0…999999]");
  });

  it("has keys of the prototype as keys like any other", () => {
    expect(text(JSON.parse('{"__proto__":1,"constructor":2}'))).toBe(
      "{ __proto__: int 1, constructor: int 2 }",
    );
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });

  it("escapes what is hidden in keys and values", () => {
    expect(text([{ "k\u202e": "v\u0000" }, { "k\u202e": "v\u0000" }])).toBe(
      '[2 × { "k\\u202e": "v\\u0000" }]',
    );
  });
});
