import { describe, expect, it } from "vitest";
import { toExcerpt, toPlainText } from "./plain-text.ts";

describe("toPlainText", () => {
  it.each([
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]8;;http://evil\u0007link\u001b]8;;\u0007", "link"],
    ["\u001bcreset", "reset"],
    ["a\u0000b\u0008c\u007fd", "abcd"],
    ["\u202eevil\u202c \u2066x\u2069", "evil x"],
    ["tabs\tand\nlines stay", "tabs\tand\nlines stay"],
    ["日本語 and emoji 👍🏽 stay", "日本語 and emoji 👍🏽 stay"],
  ])("%j becomes %j", (text, plain) => {
    expect(toPlainText(text)).toBe(plain);
  });
});

describe("toExcerpt", () => {
  it("is one line, and not longer than asked for", () => {
    expect(toExcerpt("  a\n\n b\tc ", 10)).toBe("a b c");
    expect(toExcerpt("x".repeat(1000), 10)).toBe(`${"x".repeat(9)}…`);
  });
});
