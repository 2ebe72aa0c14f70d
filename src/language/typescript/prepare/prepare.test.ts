import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SERVERS } from "../../../../test/fixtures/check/servers.ts";
import { placeOf } from "../../place-table.ts";
import { openText, prepare, prepareOpened } from "./prepare.ts";

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

const GREET = { name: "greet", exports: ["hello", "default"].map((name) => ({ name, isType: false })) };
const SKILLS = new Map([["greet", GREET]]);

/** As the engine does it, less the check. */
async function finish(source: string) {
  const opened = openText(source);
  const result = "ok" in opened ? opened : prepareOpened(opened, { servers: SERVERS, skills: SKILLS });
  return result.ok ? result.finish() : result;
}

async function prepared(source: string) {
  const result = await finish(source);
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.message}`);
  return result;
}

async function failure(source: string) {
  const result = await finish(source);
  if (result.ok) throw new Error(`No failure: ${result.code}`);
  return result.error;
}

/** Runs a prepared program in a world that records what it calls. */
async function run(source: string) {
  const { code } = await prepared(source);
  const github = {
    createIssue: async (input: unknown) => ({ created: input }),
    listIssues: async () => ["one"],
    get default() {
      return github;
    },
  };
  const fs = { readFile: async (path: string) => `text of ${path}` };
  const importSkill = async (name: string) => ({
    default: `default of ${name}`,
    hello: () => `hello ${name}`,
  });
  const awaiting = (_place: string, value: unknown) => value;
  const modules = { fs: { promises: fs }, "fs/promises": fs };
  const __keyhole = { modules, importSkill, awaiting };
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
    'import { create_issue } from "./servers/GitHub"; return create_issue(1)',
    'import { "create-issue" as c } from "./servers/github"; return c(1)',
    'import c from "./servers/github/create_issue.ts"; return c(1)',
    'const { default: c } = await import("./servers/github/create-issue.ts"); return c(1)',
    'import { Github as gh } from "./servers"; return gh.createIssue(1)',
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

  const value = { a: 1 };
  it.each([
    // A return says it.
    ["return { a: 1 }; main(); function main() { return 2 }"],
    ["async function main() { return { a: 1 } }\nconst r = await main();\nreturn r"],
    ["if (1 > 0) return { a: 1 };\n'not reached'"],
    // The last expression.
    ["async function main() { return { a: 1 } }\nmain()"],
    ["async function main() { return { a: 1 } }\nawait main();"],
    ["main();\nasync function main() { return { a: 1 } }"],
    ["main();\nasync function main() { return { a: 1 } }\ninterface A { a: 1 }\nclass B {}"],
    ["const main = async () => ({ a: 1 });\nmain().catch(console.error);"],
    ["(async () => { return { a: 1 } })()"],
    ["(async function () { return { a: 1 } })();"],
    ["void 0;\n;(() => ({ a: 1 }))()"],
    ["await (async () => ({ a: 1 }))()"],
    ["!function () {}();\nPromise.resolve({ a: 1 })"],
    ["const a = 1;\n({ a })"],
    ["const row = { a: 1 };\nrow"],
    ["const row = { a: 1 };\nrow as unknown as string // the row"],
    ["let row; row = { a: 1 }"],
    ["const row = { a: 1 };\n/* the row: */ (row!)"],
    ["if (true) { ({ a: 1 }) } else { 2 }"],
    ["if (false) 2; else ({ a: 1 })"],
    ["try { await main() } catch (error) { String(error) }\nasync function main() { return { a: 1 } }"],
    ["try { null.x } catch (error) { ({ a: 1 }) } finally { 3 }"],
    ["{ const a = 1; ({ a }) }"],
    ["if (import.meta.main) main();\nfunction main() { return { a: 1 } }"],
    // A function that nobody calls.
    ["async () => { return { a: 1 } }"],
    ["async () => {\n  return { a: 1 };\n};\n"],
    ["(async function run() { return { a: 1 } })"],
    ["async ({ github }) => ({ a: (await github.listIssues()).length })"],
    ["async function main() { return { a: 1 } }"],
    ["async function main({ github }) { return { a: (await github.listIssues()).length } }"],
    ["const main = async () => ({ a: 1 })"],
    ["const main = async function () { return { a: 1 } };\nmain;"],
    ["export async function main() { return { a: 1 } }"],
    ["export const main = async (): Promise<object> => ({ a: 1 });"],
    ["export async function main() { return helper() }\nexport function helper() { return { a: 1 } }"],
    [
      "const LIMIT = 1;\nfunction toRow(a: number) { return { a } }\nasync function report() { return toRow(LIMIT) }",
    ],
    [
      "console.log = () => {};\nasync function main(depth = 0): Promise<object> { return depth > 2 ? { a: 1 } : main(depth + 1) }",
    ],
    // The default export.
    ["const row = { a: 1 };\nexport default row"],
    ["export default { a: 1 }"],
    ["export default await Promise.resolve({ a: 1 })"],
    // A function of its own that is handed back.
    ["const main = async () => ({ a: 1 });\nreturn main"],
    ["return async () => ({ a: 1 })"],
    ["return function () { return { a: 1 } };"],
    ["async function main() { return { a: 1 } }\nexport { main as default }"],
    ["async function report() { return { a: 1 } }\nexport { report as default };"],
    // What was called before, where the last statement has no value.
    ["main();\nconst done = 1;\nasync function main() { return { a: 1 } }"],
    ["main();\nvoid 0;\nasync function main() { return { a: 1 } }"],
    ["(async () => { return { a: 1 } })();\nvoid 0"],
    ["for (const n of [1]) { n }\nawait main();\nlet x = 2;\nfunction main() { return { a: 1 } }"],
    // As models send it.
    ["```ts\nreturn { a: 1 }\n```"],
    ["```typescript\r\nasync function main() {\r\n  return { a: 1 };\r\n}\r\nmain();\r\n```\r\n"],
    ["Here is the program:\n```js\nconst a = 1\n({ a })\n```".replace("1\n(", "1;\n(")],
    ["\ufeff#!/usr/bin/env -S npx tsx\n// report.ts\n'use strict';\nconst a = 1;\r\n({ a })"],
    ["#!/usr/bin/env node\r\nreturn { a: 1 }"],
    ["'use strict'\nfunction main() { return { a: 1 } }\nmain()"],
  ])("has its value: %s", async (source) => {
    expect(await run(source)).toEqual(value);
  });

  it.each([
    ["const x = 1; function unused() { return 2 }\nconsole.error === x"],
    ["function unused() { return 1 }\nfor (const n of [1]) n"],
    ["function add(a, b) { return a + b }"],
    ["function a() { return 1 }\nfunction b() { return 2 }"],
    ["class Main { run() { return 1 } }"],
    ["function handler() { return 1 }\nsetTimeout(handler, 0).unref === 1 ? 1 : undefined"],
    ["'use strict'"],
    // What was called already may be all that was wanted.
    ["const list = await github.listIssues();\nasync function createAll() { return github.createIssue(1) }"],
    ["const rows = [1]"],
    ["function main() { return 1 }\n[].map(main) && undefined"],
  ])("has none, and calls nothing: %s", async (source) => {
    expect([undefined, false]).toContain(await run(source));
  });

  it.each([
    ["const a = 1;\nconst summary = { a };", "End it with: return summary"],
    ["function main() {}", '"main" gave nothing back: return a value in it'],
    ["function a() {}\nfunction b() {}", '"a", "b" are never called'],
    ["console.log", undefined],
  ])("says what could have been meant: %s", async (source, hint) => {
    expect((await prepared(source)).hint).toBe(hint);
  });

  it("says where each await stands", async () => {
    const { code } = await prepared(
      "const a = 1;\n  await a; const f = async () => [await a,\n await (await a)];",
    );
    expect(code.match(/"\d+:\d+"/g)).toEqual(['"2:9"', '"2:41"', '"3:8"', '"3:15"']);
  });

  it("runs what the host's own engine does not know yet", async () => {
    expect((await prepare("using a = open(); await using b = open(); return 1", SERVERS)).ok).toBe(true);
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
    const { code, places } = await prepared(source);
    const lines = code.split("\n");
    const place = (text: string) => {
      const line = lines.findIndex((candidate) => candidate.includes(text));
      return placeOf(places, line + 1, (lines[line] ?? "").indexOf(text) + 1);
    };
    expect(place('fail("here")')).toEqual({ line: 9, column: 1 });
    expect(place("throw")).toEqual({ line: 8, column: 38 });
    expect(place("await $k")).toEqual({ line: 7, column: 24 });
    expect(place("listIssues()")).toEqual({ line: 7, column: 30 });
    expect(placeOf(places, 1, 1)).toBeUndefined();
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
    expect(error).toMatchObject({ kind: "syntax", location: { line, column } });
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
    expect(await failure(source)).toMatchObject({ kind: "import", location: { line: 1 } });
  });

  it("is told the name that was meant", async () => {
    expect(await failure('import x from "./servers/gitub"')).toMatchObject({
      message: 'There is no server "gitub"',
      hint: "Did you mean 'github'?",
    });
    expect(await failure('import {\n createisue } from "./servers/github"')).toMatchObject({
      message: 'Server "github" has no function "createisue"',
      hint: "Did you mean 'createIssue'?",
      location: { line: 2, column: 2 },
    });
  });
});

describe("hostile sources", () => {
  it("refuses a program of 10 MB", async () => {
    expect((await failure(`return "${"x".repeat(10_000_000)}"`)).kind).toBe("too_large");
  });

  it.each([
    ["a name like our own that is 900,000 long", `return 1 // $${"k".repeat(900_000)}`, 1],
    ["names like our own", "const $ka = 1, $k0_a = 2; return $ka + (await $k0_a)", 3],
    ["900,000 line separators", `${"\u2028".repeat(900_000)}return 1`, 1],
    [
      "40,000 functions that nobody calls",
      `${Array.from({ length: 40_000 }, (_, at) => `function f${at}() {}`).join("\n")}\nreturn 1`,
      1,
    ],
    [
      "20,000 functions, and one that is called 60,000 times",
      `let n = 0;\n${Array.from({ length: 20_000 }, (_, at) => `function f${at}(){}`).join("\n")}\nfunction g() { n++ }\n${"g();".repeat(60_000)}return n`,
      60_000,
    ],
    ["4,900 operators beside a module", `typeof fs; return ${"!".repeat(4900)}1`, true],
  ])("takes %s", async (_, source, value) => {
    expect(await run(source)).toBe(value);
  });

  it("refuses 900,000 line separators before what is no program", async () => {
    expect((await failure(`${"\u2028".repeat(900_000)})`)).kind).toBe("syntax");
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
        const result = await finish(source);
        // What is accepted is the body of one function, whole.
        if (result.ok) expect(() => new AsyncFunction(`"use strict";${result.code}`)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
