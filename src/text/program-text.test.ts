import { describe, expect, it } from "vitest";
import { toFencedText, toProgramText } from "./program-text.ts";

describe("the program in a text", () => {
  it.each([
    ["```ts\nreturn 1\n```", "return 1"],
    ["```typescript\r\nreturn 1\r\n```\r\n", "return 1"],
    ["\n\n~~~js\nreturn 1\n~~~\nThat is all.", "return 1"],
    ["````ts\nconst t = `\n```\n`\nreturn 1\n````", "const t = `\n```\n`\nreturn 1"],
    ['```ts title="a.ts"\nreturn 1', "return 1"],
    ["\ufeff#!/usr/bin/env node\nreturn 1", "return 1"],
    ["```js\n#!/usr/bin/env node\nreturn 1\n```", "return 1"],
    ["```ts\nconst a = 1\n```\nand then\n```ts\nreturn a\n```", "const a = 1\nreturn a"],
  ])("stands where it stood: %j", (source, program) => {
    const text = toProgramText(source);
    expect(text.length).toBe(source.length);
    expect(
      text
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "")
        .join("\n"),
    ).toBe(program);
  });

  it.each(["return `\n```\n`", "const a = 1; // ```", "", "`a`", "# no program"])(
    "is the whole text where no fence opens it: %j",
    (source) => {
      expect(toProgramText(source)).toBe(source);
    },
  );

  it("is found between sentences when asked for", () => {
    const source = "Here it is:\n\n```ts\nreturn 1\n```\nDone.";
    const text = toFencedText(source) ?? "";
    expect(text.trim()).toBe("return 1");
    expect(text.indexOf("return")).toBe(source.indexOf("return"));
    expect(toFencedText("No program at all")).toBeUndefined();
    expect(toFencedText("```\n```")).toBeUndefined();
  });
});
