import { describe, expect, it } from "vitest";
import type { SkillExport } from "../../language/skill-export.ts";
import { toCallProgram } from "./call-program.ts";
import { mentionedSkills } from "./mentioned-skills.ts";

const functions = (...names: string[]) =>
  names.map((name): SkillExport => ({ name, kind: "function", signature: `${name}()` }));
const typescript = (...names: string[]) =>
  ({ name: "sum-up", language: "typescript", exports: functions(...names) }) as const;
const python = (...names: string[]) =>
  ({ name: "sum-up", language: "python", exports: functions(...names) }) as const;

describe("the program that calls a skill", () => {
  it("hands over a list as the arguments, anything else as the only one", () => {
    expect(toCallProgram(typescript("sumUp"), { args: [[1], "a"] })).toContain('called([1], "a")');
    expect(toCallProgram(typescript("sumUp"), { args: { a: null } })).toContain('called({ "a": null })');
    expect(toCallProgram(typescript("sumUp"), {})).toContain("called()");
    const prototype: unknown = JSON.parse('{"__proto__": 1}');
    expect(toCallProgram(typescript("sumUp"), { args: prototype })).toContain('["__proto__"]: 1');
  });

  it("hands over an object as keyword arguments in Python, in Python's words", () => {
    const program = toCallProgram(python("sum_up"), { args: { a: true, b: [null, "x'\n"] } });
    expect(program).toContain('sum_up(**{"a": True, "b": [None, "x\'\\n"]})');
    expect(program).toContain("from skills.sum_up import sum_up");
  });

  it("calls the only function, or the one that is named as the skill, or says which there are", () => {
    expect(toCallProgram(typescript("a", "sumUp"), {})).toContain("sumUp as called");
    expect(toCallProgram(typescript("default", "b"), {})).toContain("import called from");
    expect(() => toCallProgram(typescript("a", "b"), {})).toThrow(/exports several functions/);
    expect(() => toCallProgram(typescript(), {})).toThrow(/exports nothing that could be called/);
    const main = { name: "default", kind: "function", signature: "hello(name: string): string" } as const;
    const skill = { ...typescript("b"), exports: [main, ...typescript("b").exports] };
    expect(toCallProgram(skill, { function: "hello" })).toContain("import called from");
    expect(() => toCallProgram(typescript("listAll"), { function: "listall" })).toThrow(
      /no function "listall"/,
    );
  });
});

it.each([
  ['import { a } from "./skills/sum-up"', ["sum-up"]],
  ['await import("../skills/sumUp/index.ts")', ["sumUp"]],
  ["from skills.sum_up import a\nimport skills.other", ["sum_up", "other"]],
  ["from skills import (a as b, c)", ["a", "c"]],
  ["const text = 'no such thing'", []],
])("finds the skills that a program may import: %s", (code, names) => {
  expect(mentionedSkills(code)).toEqual(names);
});
