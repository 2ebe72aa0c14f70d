import { expect, it } from "vitest";
import { insteadOfProgram } from "./no-program.ts";

it.each([
  "import json\nfrom servers.crm import search",
  "async def main():\n    return 1",
  "def f(a, b=2) -> int:\n    pass",
  "for c in rows:\n    print(c)",
])("knows Python: %j", (text) => expect(insteadOfProgram(text)).toMatch(/language: "python".*TypeScript/));

it.each(['{"code": "return 1"}', '{ "code": "x", "language": "typescript" }'])("knows JSON: %s", (text) =>
  expect(insteadOfProgram(text)).toMatch(/^This is JSON/),
);

it.each([
  "const a = [1, 2",
  'import fs from "fs";\nconst a = (',
  "if (a) b = c ?\n d :\n e }",
  "for (const a of b) {",
  "switch (a) { case 1:\n default:\n",
  '{ "a": 1, b',
  "",
])("says nothing of what may be a program: %j", (text) => expect(insteadOfProgram(text)).toBeUndefined());

it("is done with hostile text in no time", () => {
  for (const text of [
    "def f(".repeat(9_000),
    "if ".repeat(9_000),
    "from a.".repeat(9_000),
    "\n ".repeat(9_000),
  ])
    expect(insteadOfProgram(text)).toBeUndefined();
});
