import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVERS } from "../../../../test/fixtures/check/servers.ts";
import { knownSkills, typeScriptSkill as skill } from "../../../../test/fixtures/known-skills.ts";
import type { SkillSource } from "../../language.ts";
import { placeOf } from "../../place-table.ts";
import type { SkillExport } from "../../skill-export.ts";
import { type Checker, createChecker } from "../check/checker.ts";
import { toTypeScriptFacts } from "../facts/facts.ts";
import { openText } from "../prepare/prepare.ts";
import { printExports } from "./print-exports.ts";
import { createSkillsReader, withUsedSkills } from "./read-skills.ts";

const guest: { createSkills(skills: readonly object[]): { importSkill(name: string): Promise<object> } } =
  await import(new URL("../../../sandbox/guest/javascript/skills.js", import.meta.url).href);
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

const TIDY = `
import { join } from "node:path";
export type Row = { id: number; name: string };
let made = 0;
export { made as count };
export function bump(): void { made++; }
/**
 * Trims all names. And more.
 * @param rows those
 */
export async function tidy(rows: Row[], { limit = 10 }: { limit?: number } = {}): Promise<Row[]> {
  const own = await Promise.resolve(rows);
  return own.slice(0, limit).map((row) => ({ ...row, name: row.name.trim() }));
}
export function fail(): never {
  throw new TypeError("bad " + join("a", "b"));
}
export default class Tidy { hi() { return "hi"; } }
export enum Kind { A = "a" }
export interface Empty {}
`;
const SKILLS: readonly SkillSource[] = [
  skill("tidy-rows", TIDY),
  skill(
    "outer",
    [
      'export * from "../tidy-rows";',
      'export * as all from "./skills/tidyRows";',
      'import Tidy, { tidy, type Row } from "../tidy_rows/index.ts";',
      "export const hi = new Tidy().hi();",
      "export { Tidy as default, tidy as own };",
      'export { readFile as read } from "node:fs/promises";',
      'export { createIssue } from "../../servers/github";',
      "export const five: number = await Promise.resolve(5);",
    ].join("\n"),
  ),
  skill(
    "odd",
    'const a = 1; export { a as "__proto__", a as constructor, a as "two words", a as "toString" };',
  ),
  skill("quarantined", "", { unavailable: { why: "is quarantined", fix: "Ask for it" } }),
  skill("snake", "x = 1", { language: "python" }),
  skill("one", 'import "../two"; export const a = 1'),
  skill("two", 'import "../three"; export const a = 1'),
  skill("three", 'import "../one"'),
  skill("broken", "export const x = ;"),
  skill("thenable", "export function then() {}"),
  skill("returns", "return 5"),
  skill("twice", 'export * from "../one-x"; export * from "../other-x"'),
  skill("one-x", "export const x = 1"),
  skill("other-x", "export const x = 2"),
  skill("all-of-server", 'export * from "../../servers/github"'),
  skill("a-b", "export const x = 1"),
  skill("ab", "export const x = 2"),
  skill(
    "posts",
    "export const post = async (title: string) => github.createIssue({ owner: 'o', repo: 'r', title })",
  ),
  skill("raw", "export const gh = github; export const find = { gh }; export default Function"),
  skill("everybody", "export { Function as F, fetch, callMCPTool as call }"),
];

let checker: Checker;
beforeAll(async () => {
  checker = createChecker({ servers: () => SERVERS });
  await checker.warm();
});
afterAll(() => checker.close());

/** As the process that reads programs does it. */
async function read(source: string, { types = false, as = undefined as string | undefined } = {}) {
  const opened = openText(source, as !== undefined);
  if ("ok" in opened) throw new Error(opened.error.message);
  const skills = await createSkillsReader(knownSkills(SKILLS), () => SERVERS).load(opened, as);
  if ("error" in skills) return { error: skills.error };
  const prepared = checker.prepareOpened(opened, { skills: skills.imports, skill: as });
  if (!prepared.ok) return { error: prepared.error };
  let exports: SkillExport[] = [];
  const checked = await checker.check(source, prepared, {
    skills: types || as !== undefined ? skills.all : [],
    ...(as !== undefined && {
      ask: async (query) => {
        exports = await printExports(opened, prepared, query);
      },
    }),
  });
  if (types && !checked.ok) return { error: checked.error };
  const finished = prepared.finish();
  if (!finished.ok) return { error: finished.error };
  const facts = toTypeScriptFacts(source, opened.parsed, SERVERS, {
    all: skills.all.map((one) => one.text()),
    imports: skills.imports,
  });
  return { program: withUsedSkills(finished, skills.all), facts, exports };
}

async function run(source: string): Promise<unknown> {
  const { program, error } = await read(source);
  if (program === undefined) throw new Error(error?.message);
  const { importSkill } = guest.createSkills(program.skills);
  const modules = { path: { join: (...parts: string[]) => parts.join("/") }, "fs/promises": { readFile: 1 } };
  const awaiting = (_place: string, value: unknown) => value;
  Object.assign(globalThis, { github: { createIssue: 2 }, __keyhole: { importSkill, modules, awaiting } });
  return new AsyncFunction(`"use strict";${program.code}`)();
}

async function refusal(source: string) {
  const { error } = await read(source, { types: true });
  if (error === undefined) throw new Error("It was read");
  return error;
}

describe("a program that imports skills", () => {
  it.each([
    ['import { tidy } from "./skills/tidy-rows"; return (await tidy([{ id: 1, name: " a " }]))[0].name', "a"],
    ['import Tidy from "./skills/tidyRows"; return new Tidy().hi()', "hi"],
    ['import T, { Kind } from "skills/tidy_rows/index.ts"; return new T().hi() + Kind.A', "hia"],
    ['import * as s from "../skills/TidyRows.ts"; s.bump(); s.bump(); return s.count', 2],
    ['const { bump, count } = await import("./skills/tidy-rows"); bump(); return count', 0],
    ['const s = require("./skills/tidy-rows/index"); s.bump(); return s.count', 1],
    ['import s = require("./skills/tidy-rows"); return typeof s.tidy', "function"],
    [
      'import * as a from "./skills/tidy-rows"; const b = await import("./skills/tidyRows"); return a === b',
      true,
    ],
    ['import "./skills/tidy-rows"; return 1', 1],
    ['import type { Row, Empty } from "./skills/tidy-rows"; const a: Row[] = []; return a.length', 0],
    ['import { Row, tidy } from "./skills/tidy-rows"; const a: Row[] = []; return typeof tidy', "function"],
    [
      'import { hi, five, own, tidy } from "./skills/outer"; return [hi, five, own === tidy]',
      ["hi", 5, true],
    ],
    [
      'import T, { all, read, createIssue } from "./skills/outer"; return [new T().hi(), all.count, read, createIssue]',
      ["hi", 0, 1, 2],
    ],
    [
      'import * as s from "./skills/odd"; return [Object.keys(s), Object.getPrototypeOf(s), {}.constructor === Object]',
      [["__proto__", "constructor", "two words", "toString"], null, true],
    ],
    ['import { "__proto__" as p, constructor as c } from "./skills/odd"; return [p, c]', [1, 1]],
    ['import * as s from "./skills/odd"; try { s.two = 1; return "set" } catch { return "not" }', "not"],
  ])("has what they export: %s", async (source, result) => {
    expect(await run(source)).toEqual(result);
  });

  it("tells places in the text of each skill", async () => {
    const { program } = await read('import { fail } from "./skills/tidy-rows"; fail()');
    const [used] = program?.skills ?? [];
    const lines = used?.code.split("\n") ?? [];
    const at = lines.findIndex((line) => line.includes("throw"));
    const column = (lines[at] ?? "").indexOf("throw") + 1;
    expect(used && placeOf(used.places, at + 1, column)).toEqual({ line: 16, column: 3 });
    expect(used).toMatchObject({ name: "tidy-rows", hash: "hash of tidy-rows", source: TIDY });
    expect(used?.code).toContain('$ka("12:21 tidy-rows", Promise.resolve(rows))');
  });

  it("uses what they use", async () => {
    const { program } = await read('import { hi } from "./skills/outer"; return hi');
    expect(program?.skills.map(({ name }) => name)).toEqual(["tidy-rows", "outer"]);
    expect(program?.modules).toEqual(expect.arrayContaining(["path", "fs/promises"]));
    expect(program?.uses.servers).toEqual(["github"]);
  });
});

describe("a program is refused", () => {
  it.each([
    ['import { a } from "./skills/tidy-row"', 'There is no skill "tidy-row"', "Did you mean 'tidy-rows'?"],
    ['import { tydi } from "./skills/tidy-rows"', 'Skill "tidy-rows" exports no "tydi"', "It exports"],
    ['import x from "./skills/a-b"', 'Skill "a-b" has no default export', "import { x } from"],
    ['import { x } from "./skills/a_b"', 'There is no skill "a_b"', "It could mean 'a-b' or 'ab'"],
    ['import { x } from "./skills/quarantined"', 'Skill "quarantined" is quarantined', "Ask for it"],
    ['import { x } from "./skills/snake"', 'Skill "snake" is written in python', 'language: "python"'],
    ['import { a } from "./skills/one"', "in a circle: one → two → three → one", "a skill of its own"],
    [
      'import { x } from "./skills/broken"',
      'Skill "broken" can\'t be used: Unexpected token (skills/broken/index.ts:1:18)',
      undefined,
    ],
    ['import "./skills/thenable"', 'can\'t export "then"', "another name"],
    ['import "./skills/returns"', "'return'", undefined],
    ['import { x } from "./skills/twice"', 'Two others that it exports have "x"', undefined],
    ['import "./skills/all-of-server"', "not of servers and modules", "Name what it exports"],
    ['import x from "./skills/__proto__"', 'There is no skill "__proto__"', "Skills: tidy-rows"],
    ['import x from "./skills/constructor"', 'There is no skill "constructor"', "Skills:"],
    ['import x from "./sk\\u0069lls/tidy-rows"', 'There is no skill "tidy-rows"', undefined],
    ['await import("./skills/nothing")', 'There is no skill "nothing"', undefined],
    ['import x from "./skills//tidy-rows"', 'Cannot import "./skills//tidy-rows"', undefined],
    ['import x from "./skills/tidy-rows//index"', 'Cannot import "./skills/tidy-rows//index"', undefined],
    ['import x from "./skills/tidy-rows/helper"', 'Cannot import "./skills/tidy-rows/helper"', undefined],
  ])("for %s", async (source, message, hint) => {
    const error = await refusal(source);
    expect(error.message).toContain(message);
    expect(error.location).toEqual({ line: 1, column: expect.any(Number) });
    if (hint !== undefined) expect(error.hint).toContain(hint);
  });

  it.each([
    [
      'import { tidy } from "./skills/tidy-rows"; await tidy("x")',
      "not assignable to parameter of type 'Row[]'",
    ],
    ['import { tidy as t } from "./skills/tidy-rows"; await t([], { limt: 1 })', "'limt' does not exist"],
    ['import * as s from "./skills/tidy-rows"; await s.tidy()', "Expected 1-2 arguments, but got 0"],
    ['const { tidy } = await import("./skills/tidy-rows"); await tidy([{ id: "a", name: "" }])', "'id'"],
    [
      'const { tidy } = require("./skills/tidy-rows"); await tidy([], 1, 2)',
      "Expected 1-2 arguments, but got 3",
    ],
    ['import { own } from "./skills/outer"; await own(5)', "not assignable to parameter of type 'Row[]'"],
  ])("with the signature, for %s", async (source, message) => {
    const error = await refusal(source);
    expect(error).toMatchObject({
      kind: "types",
      errors: [
        {
          message: expect.stringContaining(message),
          signature: expect.stringMatching(
            /^\w+\(rows: Row\[\], \{ limit \}\?: \{ limit\?: number; \}\): Promise<Row\[\]>$/,
          ),
        },
      ],
    });
  });

  it.each([
    [
      'import { tidy } from "./skills/tidy-rows"; const rows = await tidy([]); return rows.nope',
      "Property 'nope'",
    ],
    ['import { tidy } from "./skills/tidy-rows"; return tidy([]).length', "an await is missing"],
    ['import { post } from "./skills/posts"; return (await post("a")).numbr', "Property 'numbr'"],
  ])("for what a skill's function gives: %s", async (source, message) => {
    expect((await refusal(source)).message).toContain(message);
  });
});

describe("a text that is read as a skill", () => {
  it("says what it offers", async () => {
    const { exports } = await read(TIDY, { as: "tidy-rows" });
    expect(exports).toEqual([
      { name: "Row", kind: "type", signature: "type Row = { id: number; name: string };" },
      { name: "count", kind: "value", signature: "made: number" },
      { name: "bump", kind: "function", signature: "bump(): void" },
      {
        name: "tidy",
        kind: "function",
        signature: "tidy(rows: Row[], { limit }?: { limit?: number; }): Promise<Row[]>",
        description: "Trims all names.",
      },
      { name: "fail", kind: "function", signature: "fail(): never" },
      { name: "default", kind: "value", signature: "class Tidy" },
      { name: "Kind", kind: "value", signature: 'enum Kind { A = "a" }' },
      { name: "Empty", kind: "type", signature: "interface Empty {}" },
    ]);
  });

  it("says what it offers of others, with their types where it has none", async () => {
    const source =
      'export * from "../tidy-rows"; export const post = (a: string) => github.createIssue({ owner: a, repo: a, title: a })';
    const { exports } = await read(source, { as: "new-one" });
    expect(exports).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "bump", kind: "function", signature: "bump(): void" }),
        expect.objectContaining({ name: "Row", kind: "type", signature: "type Row" }),
        expect.objectContaining({
          name: "post",
          kind: "function",
          signature: expect.stringMatching(/^post\(a: string\): Promise<.+>$/),
        }),
      ]),
    );
  });

  it("can't import itself, nor what imports it", async () => {
    expect((await read('import "../me"', { as: "me" })).error?.message).toContain("in a circle: me → me");
    expect((await read('import "../tidy-rows"', { as: "tidy-rows" })).error?.message).toContain(
      "in a circle: tidy-rows → tidy-rows",
    );
    expect((await read('import "../two"', { as: "one" })).error?.message).toContain(
      "in a circle: one → two → three → one",
    );
  });
});

describe("what skills do", () => {
  const tools = async (source: string) =>
    (await read(source)).facts?.tools.map(({ tool, inLoop, skill: where }) => ({ tool, inLoop, where }));

  it("is told of the program that imports them, with the skill", async () => {
    expect(await tools('import { post } from "./skills/posts"; await post("a")')).toEqual([
      { tool: "create_issue", inLoop: false, where: "posts" },
    ]);
    for (const source of [
      'import { post as p } from "./skills/posts"; for (const a of ["b"]) await p(a)',
      'import * as s from "./skills/posts"; for (const a of ["b"]) await s.post(a)',
      'const { post } = await import("./skills/posts"); for (const a of ["b"]) await post(a)',
      'const s = require("./skills/posts"); for (const a of ["b"]) await s.post(a)',
    ])
      expect(await tools(source)).toEqual([{ tool: "create_issue", inLoop: true, where: "posts" }]);
  });

  it("can't be hidden by what they hand on", async () => {
    const facts = async (source: string) => (await read(source)).facts;
    expect(await facts('import { gh } from "./skills/raw"; await gh.createIssue({})')).toMatchObject({
      tools: [{ server: "github", tool: "create_issue" }],
      dynamic: [
        { server: "github", skill: "raw" },
        { server: "github", skill: "raw" },
      ],
    });
    expect(
      await facts('import * as s from "./skills/raw"; await Object.values(s)[0].createIssue({})'),
    ).toMatchObject({
      dynamic: [
        { server: "github", skill: "raw" },
        { server: "github", skill: "raw" },
      ],
    });
    expect(await facts('import F from "./skills/raw"; F("return 1")()')).toMatchObject({
      hits: [{ rule: "dynamic-eval" }],
    });
    expect(await facts('import { F } from "./skills/everybody"; F("return 1")()')).toMatchObject({
      hits: [{ rule: "dynamic-eval" }, { rule: "network-fetch", skill: "everybody" }],
    });
    expect(
      await facts('import { fetch as f } from "./skills/everybody"; f("https://a.example")'),
    ).toMatchObject({
      hosts: [{ skill: "everybody" }, { host: "a.example" }],
    });
    expect(
      await facts('import { call } from "./skills/everybody"; call("github__create_issue", {})'),
    ).toMatchObject({
      tools: [{ tool: "create_issue" }],
      dynamic: [{ skill: "everybody" }],
    });
    expect(await facts('import { createIssue } from "./skills/outer"; await createIssue({})')).toMatchObject({
      tools: [{ server: "github", tool: "create_issue" }],
    });
  });
});
