import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  toBoundedText,
  toCleanText,
  toCommentLine,
  toDocstringLine,
  toHashComment,
  toLines,
  toOneLine,
  toPythonString,
  toTypeScriptString,
} from "./doc-text.ts";

describe("toCleanText", () => {
  test.each([
    ["ANSI colours", "\u001b[31mred\u001b[0m", "red"],
    ["terminal titles", "a\u001b]0;title\u0007b", "ab"],
    ["bidirectional controls", "a\u202Eb\u2066c\u200Fd\u061ce", "abcde"],
    ["zero-width and tag characters", "a\u200bb\ufeffc\u{e0041}d", "abcd"],
    ["control characters", "a\u0000b\u0007c\u007fd\u0085e", "abcd\ne"],
    ["line ends of all kinds", "a\r\nb\rc\u2028d\u2029e", "a\nb\nc\nd\ne"],
    ["lone surrogates", "a\ud800b", "a\ufffdb"],
  ])("removes %s", (_, text, clean) => {
    expect(toCleanText(text)).toBe(clean);
  });

  test("keeps ordinary text of any script, with joined emoji", () => {
    const text = "Zażółć 必应 👩‍🚀 שלום";
    expect(toCleanText(text)).toBe(text);
  });
});

test("long text is cut at a word", () => {
  expect(toBoundedText("one two three", 9)).toBe("one two…");
  expect(toBoundedText("x".repeat(20), 10)).toBe(`${"x".repeat(9)}…`);
  expect(toBoundedText("short", 10)).toBe("short");
});

test("text on one line and as lines", () => {
  expect(toOneLine("a\n  b\n\nc", 100)).toBe("a b c");
  expect(toLines("a\n\n\n\nb  ", 100)).toEqual(["a", "", "b"]);
});

test("a comment can neither be ended nor given tags or directives", () => {
  expect(toCommentLine("a */ b")).toBe("a *\\/ b");
  expect(toCommentLine("  @ts-ignore")).toBe("  \\@ts-ignore");
  expect(toCommentLine("mail@example.com")).toBe("mail@example.com");
  expect(toHashComment("type: ignore")).toBe("type : ignore");
  expect(toHashComment("x # pyright: basic")).toBe("x # pyright : basic");
  expect(toDocstringLine('a """ \\ "')).toBe('a \\"\\"\\" \\\\ \\"');
});

test("a TypeScript literal means exactly the string, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const literal = toTypeScriptString(text);
      expect(new Function(`return ${literal}`)()).toBe(text);
      expect(literal).not.toMatch(/[\u0000-\u001f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    }),
  );
});

test("a Python literal escapes in Python's way", () => {
  expect(toPythonString('a"\n\u2028\u{e0041}\ud800é😀')).toBe('"a\\"\\n\\u2028\\U000e0041\\ud800é😀"');
});

test("text made to be slow is not", () => {
  const size = 500_000;
  for (const unit of [" ", "\n", "\u001b]", "# ", "*/", "@", '"', "\\"]) {
    const text = `a${unit.repeat(size)}b`;
    const lines = toLines(text, 4000).map((line) => toDocstringLine(toCommentLine(toHashComment(line))));
    expect(lines.join("").length + toOneLine(text, 1000).length).toBeLessThan(20_000);
  }
});
