import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJsonScan } from "./json-scan.ts";

function scan(text: string, cuts: readonly number[] = []) {
  const bytes = Buffer.from(text);
  const made = createJsonScan();
  let start = 0;
  for (const cut of cuts) {
    made.push(bytes.subarray(start, start + cut));
    start += cut;
  }
  made.push(bytes.subarray(start));
  return made;
}

function count(value: unknown): { values: number; depth: number } {
  if (typeof value !== "object" || value === null) return { values: 1, depth: 0 };
  const inner = Object.values(value).map(count);
  return {
    values: inner.reduce((sum, { values }) => sum + values, 1),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

describe("a scan of JSON", () => {
  it("counts values and levels as they are parsed, however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.nat(20)), fc.constantFrom(0, 2), (value, cuts, indent) => {
        const { values, depth } = scan(JSON.stringify(value, null, indent), cuts);
        expect({ values, depth }).toEqual(count(JSON.parse(JSON.stringify(value))));
      }),
    );
  });

  it("finds the id that a parser finds, wherever it stands", () => {
    const id = fc.oneof(fc.integer(), fc.stringMatching(/^[\w-]{1,30}$/));
    const others = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(others, id, others, fc.array(fc.nat(20)), (before, wanted, after, cuts) => {
        const message = {
          ...before,
          id: wanted,
          ...after,
          ...(after["id"] === undefined ? {} : { id: wanted }),
        };
        expect(scan(JSON.stringify(message), cuts).id).toBe(wanted);
      }),
    );
  });

  it("takes no id of an inner object, and the last of two", () => {
    expect(scan('{"result":{"id":7},"params":[{"id":8}]}').id).toBeUndefined();
    expect(scan('{"id":1,"result":"\\"id\\":3","id":"two"}').id).toBe("two");
    expect(scan('{"id":1,"id":{"id":2}}').id).toBeUndefined();
  });

  it("tells an answer from a request", () => {
    expect(scan('{"method":"x","id":1}').hasMethod).toBe(true);
    expect(scan('{"result":{"method":"x"},"id":1}').hasMethod).toBe(false);
  });
});
