import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { insert } from "./insertions.ts";

describe("insert", () => {
  it("puts texts where they belong, in the order given", () => {
    const insertions = [
      { at: 3, text: ")" },
      { at: 0, text: "(" },
      { at: 3, text: "!" },
    ];
    expect(insert("abc;", insertions).text).toBe("(abc)!;");
  });

  it("leads every place back, and what was inserted to where it was put", () => {
    const cases = fc.record({
      text: fc.string({ minLength: 1, maxLength: 30 }),
      places: fc.array(fc.record({ at: fc.nat(30), text: fc.string({ minLength: 1, maxLength: 4 }) }), {
        maxLength: 8,
      }),
    });
    fc.assert(
      fc.property(cases, ({ text, places }) => {
        const insertions = places.map(({ at, text: put }) => ({ at: at % (text.length + 1), text: put }));
        const inserted = insert(text, insertions);
        // The same, a character at a time.
        const expected: number[] = [];
        for (let at = 0; at <= text.length; at++) {
          for (const { at: place, text: put } of insertions) {
            if (place === at) for (let n = 0; n < put.length; n++) expected.push(at);
          }
          expected.push(at);
        }
        expect(expected.map((_, offset) => inserted.toOldOffset(offset))).toEqual(expected);
      }),
    );
  });
});
