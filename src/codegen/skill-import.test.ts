import { expect, it } from "vitest";
import { PRINTERS } from "./printers.ts";

const taken = (...signatures: (readonly [name: string, signature: string])[]) =>
  signatures.map(([name, signature]) => ({ name, signature }));
const main = (signature: string) => taken(["default", signature]);

it.each([
  ["deff", main("hello(name: string): string"), 'import hello from "./skills/deff"'],
  [
    "deff",
    [...taken(["report", "report(): void"]), ...main("hello(): void")],
    'import hello, { report } from "./skills/deff"',
  ],
  ["sum-up", main("default(list: number[]): number"), 'import sumUp from "./skills/sum-up"'],
  ["sum-up", main("(list: number[])"), 'import sumUp from "./skills/sum-up"'],
  ["sum-up", main("class Sum extends Map"), 'import Sum from "./skills/sum-up"'],
  ["sum-up", main("async function total()"), 'import total from "./skills/sum-up"'],
  ["class", main("default: number"), 'import class_ from "./skills/class"'],
  ["3d", main("default: number"), 'import _3d from "./skills/3d"'],
  [
    "report",
    [...main("default(): void"), ...taken(["report", "report(): void"])],
    'import reportDefault, { report } from "./skills/report"',
  ],
  [
    "odd",
    taken(["delete", "delete(): void"], ["a b", "x"], ["c", "c: 1"]),
    'import { delete as delete_, c } from "./skills/odd"',
  ],
  ["none", [], 'import "./skills/none"'],
])("imports in TypeScript: %s %o", (skill, exports, line) => {
  expect(PRINTERS.typescript.importSkill(skill, exports).line).toBe(line);
});

it.each([
  ["sum-up", taken(["f", "f()"], ["g", "g()"]), "from skills.sum_up import f, g"],
  ["class", taken(["f", "f()"]), "from skills.class_ import f"],
  ["3d", [], "import skills._3d"],
])("imports in Python: %s", (skill, exports, line) => {
  expect(PRINTERS.python.importSkill(skill, exports).line).toBe(line);
});
