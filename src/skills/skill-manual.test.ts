import { describe, expect, it } from "vitest";
import { readManual, writeManual } from "./skill-manual.ts";

const read = (text: string) => {
  const found = readManual(text, "sum-up");
  if (!found.ok) throw new Error(found.problem);
  return found;
};

describe("SKILL.md", () => {
  it("is read with all that the format has", () => {
    const { manual, remarks } = read(`---
name: sum-up
description: >
  Sums up
  the issues: one line each
license: MIT
compatibility: Node 20
allowed-tools: Read Bash(git:*)
metadata:
  author: somebody
  version: 1.0
  tags: issues, reports
---

# Sum up

Text.
`);
    expect(remarks).toEqual([]);
    expect(manual).toEqual({
      name: "sum-up",
      description: "Sums up the issues: one line each",
      license: "MIT",
      compatibility: "Node 20",
      allowedTools: "Read Bash(git:*)",
      metadata: { author: "somebody", version: "1" },
      tags: ["issues", "reports"],
      body: "# Sum up\n\nText.",
    });
  });

  it("is read again as it was written", () => {
    const manual = {
      name: "sum-up",
      description: 'Says "yes": #1 - {x}, ---',
      metadata: { "a key": "true", n: "1" },
      tags: ["a b", "c"],
      body: "---\nno head: at all",
    };
    expect(read(writeManual(manual)).manual).toEqual(manual);
  });

  it.each([
    ["another name", "---\nname: other\ndescription: d\n---\n", /is not the folder's name/],
    ["a long description", `---\nname: sum-up\ndescription: ${"x".repeat(2_000)}\n---\n`, /cut/],
  ])("is taken with a remark: %s", (_name, text, remark) => {
    expect(read(text).remarks).toEqual([expect.stringMatching(remark)]);
  });

  it.each([
    ["a mark of the byte order", "\ufeff---\nname: sum-up\ndescription: d\n---\n"],
    ["lines of Windows", "---\r\nname: sum-up\r\ndescription: d\r\n---\r\nbody"],
    [
      "values that are odd",
      "---\nname: sum-up\ndescription: d\nlicense: [1]\nmetadata: [x]\ntags: [a]\n---\n",
    ],
    ["keys of nobody", "---\nname: sum-up\ndescription: d\n__proto__: {x: 1}\nmodel: opus\n---\n"],
  ])("is taken with %s", (_name, text) => {
    expect(read(text).manual.description).toBe("d");
  });

  it.each([
    ["no head", "# Title", /does not begin with a head/],
    ["no end of the head", "---\nname: sum-up\n", /does not begin with a head/],
    ["no description", "---\nname: sum-up\n---\n", /no "description"/],
    ["a description that nobody sees", '---\ndescription: "\\u200b"\n---\n', /no "description"/],
    ["a head that is no YAML", "---\nname: [\n---\n", /can't be read/],
    ["a head that is a list", "---\n- a\n---\n", /no list of keys and values/],
    ["a head without end", `---\n${"a: b\n".repeat(10_000)}---\n`, /does not begin with a head/],
    ["a bomb of aliases", `---\n${bomb()}description: d\n---\n`, /can't be read/],
  ])("is left out with %s", (_name, text, problem) => {
    expect(readManual(text, "sum-up")).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  it.each([
    ["a name of another kind", { name: "Sum" }, /is no name for a skill/],
    ["no description", { description: " \u200b" }, /needs a description/],
    ["a long description", { description: "x".repeat(1_025) }, /more than 1024/],
    ["a long body", { body: "\n".repeat(600) }, /more than 500 lines/],
  ])("is not written with %s", (_name, change, message) => {
    const manual = { name: "sum-up", description: "d", metadata: {}, tags: [], body: "" };
    expect(() => writeManual({ ...manual, ...change })).toThrow(message);
  });
});

function bomb(): string {
  const lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"];
  for (let n = 1; n < 9; n++) lines.push(`a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`);
  return `${lines.join("\n")}\n`;
}
