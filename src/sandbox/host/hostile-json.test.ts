import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHostileJson } from "./hostile-json.ts";

const parse = (text: string) => parseHostileJson(Buffer.from(text));

describe("hostile JSON", () => {
  it("is what JSON.parse makes of it, without __proto__", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        if (!text.includes("__proto__")) expect(parse(text)?.value).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['{"__proto__":{"a":1},"b":1}', '{"\\u005f_proto__":{"a":1},"b":1}', '{"b":1,"__proto__":null}'])(
    "has no __proto__ however it is spelt: %s",
    (text) => {
      const value = parse(text)?.value;
      expect(Object.keys(Object(value))).toEqual(["b"]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(parse(`[[{"x":${text}}]]`)?.value).toEqual([[{ x: { b: 1 } }]]);
    },
  );

  it("is refused when it is no JSON", () => {
    for (const text of ["", "{", "undefined", "\u0000"]) expect(parse(text)).toBeUndefined();
  });
});
