import { describe, expect, it } from "vitest";
import { toPosition, toSourceExcerpt } from "./position.ts";

describe("a position", () => {
  it.each([
    ["a\nb", 2, 2, 1],
    ["a\r\nbc", 4, 2, 2],
    ["a\u2028b", 2, 2, 1],
    ["abc", 99, 1, 4],
    ["abc", -1, 1, 1],
    ["😀x", 2, 1, 3],
  ])("is found in %j at %i", (source, offset, line, column) => {
    expect(toPosition(source, offset)).toEqual({ line, column });
  });

  it("is shown with its line, cut around it when that is long", () => {
    expect(toSourceExcerpt("one\ntwo", { line: 2, column: 3 })).toBe("2 | two\n      ^");
    const [text = "", caret = ""] = toSourceExcerpt(`${"x".repeat(5000)}!${"y".repeat(5000)}`, {
      line: 1,
      column: 5001,
    }).split("\n");
    expect(text.length).toBeLessThan(120);
    expect(text[caret.indexOf("^")]).toBe("!");
  });
});
