import { describe, expect, it } from "vitest";
import { dropHidden, toExcerpt, toPlainText, toQuestionText } from "./plain-text.ts";

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

describe("dropHidden", () => {
  it.each([
    ["tags", "a\u{e0049}\u{e0047}b"],
    ["variation selectors", "a\u{e0100}\u{e01ef}\ufe00\ufe0eb"],
    ["fillers", "a\u115f\u3164\u2800\u034f\uffa0b"],
    ["zero width", "a\u200b\u2060\ufeff\u00adb"],
    ["joiners without a use", "a\u200d\u200c\u200d\ufe0fb"],
    ["direction", "a\u202e\u2066\u200fb"],
  ])("takes out %s", (_, text) => expect(dropHidden(text)).toBe("ab"));

  it.each(["👨\u200d👩", "می\u200cخواهم", "क्\u200dष", "❤\ufe0f", "a\tb\nc"])("leaves %j", (text) =>
    expect(dropHidden(text)).toBe(text),
  );

  it("takes out a run of joiners that could hold a text, but for the first", () => {
    expect(dropHidden(`文${"\u200d\u200c".repeat(50)}字`).length).toBeLessThanOrEqual(3);
  });
});

describe("toQuestionText", () => {
  it.each([
    ["ann\u200d@corp.com", "ann\\u200d@corp.com"],
    ["a\u200cb", "a\\u200cb"],
    ["pay\ufe0f", "pay\\ufe0f"],
    ["می\u200cخواهم", "می\\u200cخواهم"],
    ["👨\u200dann", "👨\\u200dann"],
    ["1\ufe0f0", "1\\ufe0f0"],
    ["a\u00a0b\u2003c\u3000d\u1680", "a\\u00a0b\\u2003c\\u3000d\\u1680"],
    ["a\ufffcb\u{1d159}c\u{16fe4}", "a\\ufffcb\\ud834\\udd59c\\ud81b\\udfe4"],
    ["a\u200b\u202e", "a\\u200b\\u202e"],
  ])("writes out what nobody sees of %j", (text, shown) => {
    expect(toQuestionText(text)).toBe(shown);
    expect(JSON.parse(`"${shown}"`)).toBe(text);
  });

  it.each([
    "👨\u200d👩\u200d👧",
    "❤\ufe0f",
    "❤\ufe0f\u200d🔥",
    "👩🏽\u200d💻",
    "1\ufe0f\u20e3",
    "a b\tc",
    "日本語",
  ])("leaves %j", (text) => expect(toQuestionText(text)).toBe(text));
});
