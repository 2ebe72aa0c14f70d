import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UNSAFE } from "../text/plain-text.ts";
import { sliceEnd, sliceStart, toVisibleLines, toVisibleText } from "./safe-text.ts";

describe("toVisibleText", () => {
  it("leaves JSON the same JSON, with nothing hidden in it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = toVisibleText(JSON.stringify(value));
        expect(text.match(UNSAFE)).toBeNull();
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
      }),
    );
  });

  it("leaves what people write alone", () => {
    const text = "Zoë 中文 👩‍🚀 नमस्ते\n\tindented";
    expect(toVisibleText(text)).toBe(text);
  });
});

describe("toVisibleLines", () => {
  it("drops colours, keeps lines, shows what else is hidden", () => {
    expect(toVisibleLines("\u001b[31mred\u001b[0m\r\nnext\rlast\u0007\u202e")).toBe(
      "red\nnext\nlast\\u0007\\u202e",
    );
  });
});

describe("slices", () => {
  it("never cut a character in two", () => {
    expect(sliceStart("a😀b", 2)).toBe("a");
    expect(sliceEnd("a😀b", 2)).toBe("b");
    expect(sliceStart("abc", 0)).toBe("");
    expect(sliceEnd("abc", 9)).toBe("abc");
  });
});
