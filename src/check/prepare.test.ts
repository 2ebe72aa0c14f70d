import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SERVERS } from "../../test/fixtures/check/servers.ts";
import { prepare } from "./prepare.ts";

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

async function prepared(source: string) {
  const result = await prepare(source, SERVERS);
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.message}`);
  return result;
}

async function failure(source: string) {
  const result = await prepare(source, SERVERS);
  if (result.ok) throw new Error(`No failure: ${result.code}`);
  return result.error;
}

/** Runs a prepared program in a world that records what it calls. */
async function run(source: string) {
  const { code } = await prepared(source);
  const github = {
    createIssue: async (input: unknown) => ({ created: input }),
    listIssues: async () => ["one"],
  };
  const fs = { readFile: async (path: string) => `text of ${path}` };
  const importSkill = async (name: string) => ({
    default: `default of ${name}`,
    hello: () => `hello ${name}`,
  });
  const modules = { fs: { promises: fs }, "fs/promises": fs };
  const __keyhole = { modules, importSkill };
  Object.assign(globalThis, { github, my_db: { query: async () => 1 }, __keyhole });
  return new AsyncFunction(`"use strict";${code}`)();
}

describe("a prepared program", () => {
  it.each([
    ["return at the top", "return 1 + 1", 2],
    ["await at the top", "const x: number = await Promise.resolve(3)\nreturn x", 3],
    ["no result", "const x = 1", undefined],
    ["nothing", "", undefined],
    ["a comment at the end", "return 4 // and no more", 4],
    [
      "types of all kinds",
      "interface A { a: string }\ntype B = A;\nenum C { x = 5 }\nreturn C.x as number satisfies number",
      5,
    ],
    ["a hashbang", "#!/usr/bin/env node\nreturn 6", 6],
    ["a byte order mark", "\ufeffreturn 7", 7],
    ["escapes in names", "const { \\u0063reateIssue: c } = git\\u{68}ub; return (await c(8)).created", 8],
    [
      "text that looks like imports",
      'const t = `import { x } from "fs"`; // import a from "b"\nreturn /import "x"/.test(t) || t',
      'import { x } from "fs"',
    ],
    ["import.meta.main", "if (import.meta.main) return 9", 9],
    [
      "an import between lines without semicolons",
      'const a = 1\nimport fs from "fs/promises"\n;(1)\nreturn a',
      1,
    ],
  ])("runs with %s", async (_, source, result) => {
    expect(await run(source)).toEqual(result);
  });

  it.each([
    'import { createIssue } from "./servers/github"; return createIssue(1)',
    'import { createIssue as c } from "./servers/github/index.ts"; return c(1)',
    'import { createIssue as c } from "./servers/github/createIssue.ts"; return c(1)',
    'import { createIssue as c } from "../servers/github/createIssue.js"; return c(1)',
    'import { createIssue as c } from "../../lib/servers/github/index.js"; return c(1)',
    'import { createIssue as c } from "../.claude/mcp-api/github/index.ts"; return c(1)',
    'import { createIssue as c } from "/home/me/project/.claude/mcp-api/github/createIssue.ts"; return c(1)',
    'const { createIssue } = await import("../.claude/mcp-api/github"); return createIssue(1)',
    'import c from "./servers/github/createIssue"; return c(1)',
    'import * as github from "./servers/github"; return github.createIssue(1)',
    'import gh from "servers/github/"; return gh.createIssue(1)',
    'import { github } from "./servers"; return github.createIssue(1)',
    'import { createIssue, CreateIssueInput, type CreateIssueResponse } from "./servers/github"; return createIssue(1)',
    'return c(1); import { createIssue as c } from "./servers/github"',
    'const { createIssue } = await import("./servers/github"); return createIssue(1)',
    'return (await import("./servers/github/createIssue.ts")).createIssue(1)',
    "return import('./servers/github').then((m) => m.default.createIssue(1))",
    'import {\n  createIssue,\n  listIssues,\n} from "./servers/github"\nreturn createIssue(1)',
  ])("imports servers: %s", async (source) => {
    expect(await run(source)).toEqual({ created: 1 });
  });

  it.each([
    'import fs from "fs/promises"; return fs.readFile("a")',
    'import * as fs from "node:fs/promises"; return fs.readFile("a")',
    'import { readFile } from "node:fs/promises"; return readFile("a")',
    'import fs from "node:fs"; return fs.promises.readFile("a")',
    'import { promises as fs } from "fs"; return fs.readFile("a")',
    'const fs = await import("fs/promises"); return fs.readFile("a")',
  ])("imports files: %s", async (source) => {
    expect(await run(source)).toBe("text of a");
  });

  it.each([
    ['import { hello } from "./skills/greet"; return hello()', "hello greet"],
    ['import greet from "./skills/greet.ts"; return greet', "default of greet"],
    ['import * as greet from "./skills/greet/index.ts"; return greet.hello()', "hello greet"],
    ['return (await import("./skills/greet")).hello()', "hello greet"],
  ])("imports skills: %s", async (source, result) => {
    expect(await run(source)).toBe(result);
  });

  it("drops imports of types, wherever they are from", async () => {
    const source =
      'import type { A } from "whatever"; import { type B } from "zod"; const a: A | B = 1; return a';
    expect(await run(source)).toBe(1);
  });

  it.each([
    ["export default async function main() { return 1 }", 1],
    ["export default async () => 2", 2],
    ["async function main() { return 3 }\nexport default main", 3],
    ["export default function () { return 4 }", 4],
    ["export default { five: 5 }", { five: 5 }],
    ["let calls = 0;\nexport default function main() { calls++ }\nmain();\nreturn calls", 1],
    [
      "export const a = 6, b = 7;\nexport { a as c };\nexport {};\nexport function f() { return a }\nreturn f()",
      6,
    ],
    ["export default class A {}\nreturn 8", 8],
    ["export interface A {}\nexport type B = A;\nexport default interface C {}\nreturn 9", 9],
    ['export * from "./servers/github"; return 10', 10],
  ])("tolerates exports: %s", async (source, result) => {
    expect(await run(source)).toEqual(result);
  });

  it("knows where its code came from", async () => {
    const source = `import { listIssues } from "./servers/github";
// A comment, which is dropped

interface Gone {
  a: string;
}
const list: string[] = await listIssues();
function fail(text: string): never { throw new Error(text); }
fail("here");`;
    const { code, toSourcePosition } = await prepared(source);
    const lines = code.split("\n");
    const place = (text: string) => {
      const line = lines.findIndex((candidate) => candidate.includes(text));
      return toSourcePosition(line + 1, (lines[line] ?? "").indexOf(text) + 1);
    };
    expect(place('fail("here")')).toEqual({ line: 9, column: 1 });
    expect(place("throw")).toEqual({ line: 8, column: 38 });
    expect(place("await listIssues")).toEqual({ line: 7, column: 24 });
    expect(toSourcePosition(1, 1)).toBeUndefined();
  });
});

describe("a program that can't be prepared", () => {
  it.each([
    ["const x = 1;\nconst y = ;", 2, 11],
    ["let a = 1;\nlet a = 2;", 1, 5],
    ["foo(", 1, 5],
    ["}); evil(); (async()=>{", 1, 1],
    ["return 1 }\n{", 1, 10],
    ["*/ evil() /*", 1, 1],
    ["`${", 1, 4],
    ["const a = 1; /* and on", 1, 14],
    ["const a = 1;\n\nconst b = /(/;", 3, 11],
    ["const a = <div>hi</div>", 1, 19],
  ])("has a syntax error with its place: %s", async (source, line, column) => {
    const error = await failure(source);
    expect(error).toMatchObject({ kind: "syntax", line, column });
    expect(error.excerpt?.split("\n")[1]?.indexOf("^")).toBe(`${line} | `.length + column - 1);
  });

  it.each([
    'import x from "npm:zod"',
    'import x from "https://example.com/x.ts"',
    'import { exec } from "node:child_process"',
    'import x from "./other"',
    'import x from "./servers/../../etc/passwd"',
    'import x from "/etc/passwd" with { type: "text" }',
    'import "./servers/github/a/b"',
    'await import("node:child_process")',
    'await import(`./servers/${"github"}`)',
    "await import(name)",
  ])("imports what there is not: %s", async (source) => {
    expect(await failure(source)).toMatchObject({ kind: "import", line: 1 });
  });

  it("is told the name that was meant", async () => {
    expect(await failure('import x from "./servers/gitub"')).toMatchObject({
      message: 'There is no server "gitub"',
      hint: "Did you mean 'github'?",
    });
    expect(await failure('import {\n createissue } from "./servers/github"')).toMatchObject({
      message: 'Server "github" has no function "createissue"',
      hint: "Did you mean 'createIssue'?",
      line: 2,
      column: 2,
    });
  });
});

describe("hostile sources", () => {
  const deep = 100_000;
  it.each([
    ["a program of 10 MB", `return "${"x".repeat(10_000_000)}"`],
    ["100,000 parentheses", `return ${"(".repeat(deep)}1${")".repeat(deep)}`],
    ["100,000 brackets that stay open", "[".repeat(deep)],
    ["100,000 blocks", "{".repeat(deep) + "}".repeat(deep)],
    ["100,000 classes", `${"class A{x=".repeat(deep)}1${"}".repeat(deep)}`],
    ["100,000 operators", `return ${"!".repeat(deep)}1`],
    ["100,000 awaits", `return ${"await ".repeat(deep)}1`],
    ["100,000 types", `let x: ${"A<".repeat(deep)}1${">".repeat(deep)}`],
    ["100,000 templates", `return ${"`${".repeat(deep)}1${"}`".repeat(deep)}`],
  ])("refuses %s", async (_, source) => {
    expect((await failure(source)).kind).toBe("too_large");
  });

  it.each([3000, 20_000])("takes %i rows of data", async (rows) => {
    const data = JSON.stringify(Array.from({ length: rows }, (_, id) => ({ id, tags: ["a"] })));
    expect(await run(`const rows = ${data};\nreturn rows.length`)).toBe(rows);
  });

  it("never throws, whatever the text", async () => {
    const pieces = [
      ..."(){}[]<>`'\"/\\*;:,.=+-!?$#@\n ",
      ..."import export default from return await async function class => */ // /* ${ enum type as".split(
        " ",
      ),
      '"./servers/github"',
      "createIssue",
      "\\u0061",
      "\u2028",
      "😀",
      "\ud800",
    ];
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join("")),
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(" ")),
    );
    await fc.assert(
      fc.asyncProperty(text, async (source) => {
        const result = await prepare(source, SERVERS);
        // What is accepted is the body of one function, whole.
        if (result.ok) expect(() => new AsyncFunction(`"use strict";${result.code}`)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
