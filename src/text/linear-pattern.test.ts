import { describe, expect, it } from "vitest";
import { PatternProblem, parseLinearPattern } from "./linear-pattern.ts";

const SOURCES = [
  "@corp\\.com$",
  "^a*b+c?$",
  "(?:ab|cd)+x",
  "^(a|ab)(c|bcd)(d*)$",
  "[^a-c\\d]{2,3}",
  "^\\w+\\s\\w+$",
  "a{0}b",
  "^$",
  "",
  "(a*)*b",
  "\\bcat\\b",
  "\\Bat",
  "x|",
  "^.{3}$",
  "[\\]x-]y",
  "\\u0041\\x42",
  "(?<name>a)b{2,}?",
  "\\p{L}\\p{N}",
];
const TEXTS = [
  "",
  "a@corp.com",
  "a@corp.com.evil",
  "aabbc",
  "abcdx",
  "abcd",
  "zz9",
  "two words",
  "b",
  "aaab",
  "the cat sat",
  "cat",
  "😀ab",
  "éé",
  "]y",
  "-y",
  "AB",
  "abbb",
  "é1",
  "a\nb",
];

const plenty = () => ({ left: Number.POSITIVE_INFINITY });

describe("parseLinearPattern", () => {
  it.each(SOURCES)("finds what RegExp finds: %s", (source) => {
    const ours = parseLinearPattern(source);
    const loose = parseLinearPattern(source, { ignoreCase: true });
    for (const text of TEXTS) {
      expect([text, ours.test(text, plenty())]).toEqual([text, new RegExp(source, "su").test(text)]);
      expect([text, loose.test(text, plenty())]).toEqual([text, new RegExp(source, "isu").test(text)]);
    }
  });

  it("finds what RegExp finds, of generated patterns and texts", () => {
    let seed = Number(process.env["KEYHOLE_TEST_SEED"] ?? 1);
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const make = (depth: number): string => {
      const kind = random(depth > 2 ? 3 : 7);
      if (kind < 3) return ["a", "b", "[ab]", ".", "c", "^", "$"][random(7)] ?? "a";
      if (kind < 5) return `${make(depth + 1)}${make(depth + 1)}`;
      if (kind === 5) return `(?:${make(depth + 1)}|${make(depth + 1)})`;
      return `(?:${make(depth + 1)})${["*", "+", "?", "{2}", "{1,2}"][random(5)]}`;
    };
    for (let n = 0; n < 2_000; n++) {
      const source = make(0);
      const text = Array.from({ length: random(7) }, () => "abc"[random(3)]).join("");
      expect([source, text, parseLinearPattern(source).test(text, plenty())]).toEqual([
        source,
        text,
        new RegExp(source, "su").test(text),
      ]);
    }
  });

  it("is not led astray by patterns that take RegExp years", () => {
    const text = `${"a".repeat(4_000)}!`;
    for (const source of ["^(a+)+$", "^(a|a)*$", "^(?:a?){50}a{50}$", "(.*a){20}b"])
      expect(parseLinearPattern(source).test(text, plenty())).toBe(false);
  });

  it("ignores case where it is told to", () => {
    expect(parseLinearPattern("(?i)^MAIN$").test("main", plenty())).toBe(true);
    expect(parseLinearPattern("^MAIN$").test("main", plenty())).toBe(false);
  });

  it.each([
    "(?=a)",
    "(?!a)",
    "(?<=a)b",
    "(a)\\1",
    "(?<n>a)\\k<n>",
    "(",
    "[",
    "a{700}",
    "(?:a{50}){50}",
    "x".repeat(501),
    `${"(".repeat(60)}a${")".repeat(60)}`,
  ])("refuses what it can't do: %s", (source) => {
    expect(() => parseLinearPattern(source)).toThrow(PatternProblem);
  });
});
