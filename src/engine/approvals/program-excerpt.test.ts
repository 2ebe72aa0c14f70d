import { describe, expect, it } from "vitest";
import { toProgramExcerpt } from "./program-excerpt.ts";

const code = Array.from({ length: 60 }, (_, index) => `line${index + 1}();`).join("\n");
const call = { server: "post", tool: "send" };
const use = (line: number, tool = "send") => ({ server: "post", tool, line, column: 1, inLoop: false });

describe("the program's excerpt", () => {
  it("has the lines around each call of the tool, marked, and what is between left out", () => {
    const lines = toProgramExcerpt(code, [call], {
      tools: [use(10), use(50), use(30, "read")],
      dynamic: [],
    }).split("\n");
    expect(lines).toHaveLength(15);
    expect(lines[3]).toBe("> 10  line10();");
    expect(lines[7]).toBe("  …");
    expect(lines.join("\n")).not.toContain("line30");
  });

  it("has the places of calls that can't be read, or else the head", () => {
    expect(toProgramExcerpt(code, [call], { tools: [], dynamic: [{ line: 20, column: 1 }] })).toContain(
      "> 20  line20",
    );
    const head = toProgramExcerpt(code, [call], undefined).split("\n");
    expect([head[0], head.at(-1)]).toEqual(["   1  line1();", "  … of 60 lines"]);
  });

  it.each(["\n", "\r", "\r\n", "\u2028", "\u2029"])("marks the line that the facts mean, after %j", (end) => {
    const odd = `// a${end}// b${end}real();\nharmless();\nharmless();\n`;
    const shown = toProgramExcerpt(odd, [call], { tools: [use(3)], dynamic: [] }).split("\n");
    expect(shown[2]).toBe("> 3  real();");
  });

  it("shows what a terminal would obey, and stays short", () => {
    const odd = `a("\u001b[2J\u202e${"x".repeat(500)}");\n`.repeat(500);
    const shown = toProgramExcerpt(odd, [call], {
      tools: Array.from({ length: 200 }, (_, n) => use(n + 1)),
      dynamic: [],
    });
    expect(shown).toContain("\\u001b[2J\\u202e");
    expect(shown.length).toBeLessThan(9_000);
  });
});
