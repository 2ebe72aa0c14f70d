import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVERS } from "../../../../test/fixtures/check/servers.ts";
import { nastyServer } from "../../../../test/fixtures/codegen/nasty-tools.ts";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { isAlive, until } from "../../../../test/fixtures/processes.ts";
import { type Checker, createChecker } from "./checker.ts";

let checker: Checker;
beforeAll(() => {
  checker = createChecker({ servers: () => SERVERS, timeoutMs: 20_000 });
});
afterAll(() => checker.close());

async function check(source: string, by = checker) {
  const prepared = await by.prepare(source);
  if (!prepared.ok) throw new Error(prepared.error.message);
  return by.check(source, prepared);
}

/** The errors of a program, without their places. */
async function errors(source: string, by = checker) {
  const result = await check(source, by);
  return result.ok ? [] : result.error.errors.map(({ line, column, ...error }) => error);
}

const INPUT = "github.createIssue(input: { owner: string; repo: string; title: string; labels?: string[] })";

describe("a wrong program", () => {
  it("has the place, the message and the signature of the tool concerned", async () => {
    const source = `import { createIssue as create } from "./servers/github";
const title = "😀 é"; await create({ owner: "a", repo: 5, title });`;
    expect(await check(source)).toEqual({
      ok: false,
      error: {
        kind: "types",
        message: `2:50 'repo': Type 'number' is not assignable to type 'string'.\n  ${INPUT}`,
        errors: [
          {
            line: 2,
            column: 50,
            message: "'repo': Type 'number' is not assignable to type 'string'.",
            signature: INPUT,
          },
        ],
      },
    });
  });

  it.each([
    ["a missing argument", 'github.createIssue({ owner: "a", repo: "b" })', /'title' is missing/],
    ["no argument", "github.createIssue()", /Expected 1-2 arguments, but got 0/],
    [
      "a misspelt argument",
      'github.createIssue({ owner: "", repo: "", title: "", label: [] })',
      /'label'.*'labels'/,
    ],
    [
      "arguments in a row",
      'github.createIssue("owner", "repo", "title")',
      /Expected 1-2 arguments, but got 3/,
    ],
    [
      "a value of another kind than those allowed",
      "github.listIssues({ state: 5 })",
      /'state': Type 'number'/,
    ],
    ["no map where one is wanted", "github.tag({ labels: 5 })", /'labels': Type 'number'/],
    ["a value that is none of those allowed", 'github.listIssues({ state: "all" })', /'state': Type '"all"'/],
    [
      "a call by the tool's own name",
      'callMCPTool("github__create_issue", { owner: 1 })',
      /'owner': Type 'number'/,
    ],
    ["such a call without arguments", 'callMCPTool("github__create_issue")', /Expected 2-3 arguments/],
    [
      "a value of another type in a variable",
      "const filter = { state: [] }; github.listIssues(filter)",
      /'any\[\]'/,
    ],
    ["a function under another name", 'const gh = github; gh.createIssue({ owner: "" })', /repo, title/],
    [
      "a dynamic import",
      'const m = await import("./servers/github"); m.createIssue({})',
      /owner, repo, title/,
    ],
  ])("is told of %s, with what the tool takes", async (_, source, message) => {
    const [error, ...rest] = await errors(`await ${source.includes(";") ? `0; ${source}` : source}`);
    expect(error?.message).toMatch(message);
    expect(error?.signature).toMatch(/^github\.(createIssue|listIssues|tag)\(input/);
    expect(rest).toEqual([]);
  });

  it("is told of a wrong field of a result, with what the tool returns", async () => {
    const source = 'const r = await github.createIssue({ owner: "", repo: "", title: "" });';
    expect(await errors(`${source} return r.titel`)).toEqual([
      {
        message: "Property 'titel' does not exist on type 'CreateIssueResponse'.",
        signature: expect.stringContaining("createIssue(…): Promise<{ number: number; html_url?: string;"),
      },
    ]);
    expect(await errors(`${source} return r.user.logn`)).toEqual([
      { message: "Property 'logn' does not exist on type '{ login?: string; }'. Did you mean 'login'?" },
    ]);
  });

  it.each([
    ["const r = github.listIssues(); return r.length", "'r' is a promise: an await is missing"],
    ["return github.listIssues().items", "'github.listIssues()' is a promise: an await is missing"],
    [
      "const r = github.listIssues(); for (const one of r) console.log(one)",
      "'r' is a promise: an await is missing",
    ],
    ["const text = github.listIssues(); return JSON.parse(text)", "'text' is a promise: an await is missing"],
    [
      "const r = github.listIssues(); await github.createIssue({ owner: r, repo: '', title: '' })",
      "'owner' is a promise: an await is missing",
    ],
    ["return `found ${github.listIssues()}`", "'github.listIssues()' is a promise: an await is missing"],
    ["return JSON.stringify(github.listIssues())", "'github.listIssues()' is a promise: an await is missing"],
    ["if (!github.listIssues()) return 1", "'github.listIssues()' is a promise: an await is missing"],
    ["console.log('all', github.listIssues())", "'github.listIssues()' is a promise: an await is missing"],
    [
      "return [1].filter(async (n) => (await github.listIssues()).length > n)",
      "'filter' gets promises from its async callback, which are always true: await them first, by Promise.all",
    ],
  ])("is told of a missing await: %s", async (source, message) => {
    expect((await errors(source))[0]?.message).toBe(message);
  });

  it.each([
    ["const summary = 1; return sumary", "Did you mean 'summary'?"],
    ["const issueCount = 1; console.log(issuCount)", "Did you mean 'issueCount'?"],
    ["outcome = await github.listIssues()", "Declare it: const outcome = …"],
  ])("is told the variable that was meant: %s", async (source, hint) => {
    expect((await errors(source))[0]?.hint).toBe(hint);
  });

  it.each([
    "return r.itmes ?? []",
    "return r.itmes || r.tilte",
    "return r.titel === 'a' ? 1 : 2",
    "const { number } = r; return r.nmber + number",
    "type T = { name: string }; const t: T = { name: 'a' }; return t.nmae",
    "const args = {}; args.owner = 'a'; return github.createIssue(args)",
    "if (r.html_urls) return 1; return r.html_url ? r.html_ur : 2",
    "class Report { summary() { return 1 } } return new Report().sumary()",
    "const totals = { open: 1 }; return totals.opne",
  ])("is told of what no guard or filling excuses: %s", async (source) => {
    const start = "const r = await github.createIssue({ owner: '', repo: '', title: '' });";
    expect(await errors(`${start} ${source}`)).not.toEqual([]);
  });

  it("is told of a field that no member of a union has", async () => {
    expect((await errors("const r = await github.getIssue(); return r.isue"))[0]?.message).toMatch(/'isue'/);
  });

  it.each([
    ["createisue", "'createIssue'"],
    ["create_isue", "'createIssue'"],
    ["issuesCreate", "'createIssue'"],
    ["listIssue", "'listIssues'"],
  ])("is told the function that was meant by %s", async (name, near) => {
    const [error] = await errors(`await github.${name}({})`);
    expect(error?.message).toBe(`Property '${name}' does not exist on server 'github'`);
    expect(error?.hint).toContain(`Did you mean ${near}`);
    expect(error?.signature).toMatch(new RegExp(`^github\\.${near.slice(1, -1)}\\(`));
  });

  it.each([
    "await github.create_issue({})",
    "await Github.createIssue({})",
    'await callMCPTool("github.createIssue", {})',
    'await callMCPTool("mcp__github__create_issue", {})',
    'import { create_issue } from "./servers/github"; await create_issue({})',
    "const { create_issue } = github; await create_issue({})",
  ])("is checked in other spellings too: %s", async (source) => {
    const [error] = await errors(source);
    expect(error?.message).toMatch(/missing the following properties|'owner'/);
  });

  it("is told whom a spelling could mean", async () => {
    const alike = ["a-b", "aB"].map((name) => serverRecord(name, [toolRecord({ name: "x" })]));
    const [first, second] = alike;
    if (!first || !second) throw new Error("no fixture");
    const mine = [{ ...first, identifiers: { typescript: "aB__123456", python: "a_b__123456" } }, second];
    const by = createChecker({ servers: () => mine });
    try {
      expect((await errors("await A_B.x()", by))[0]).toMatchObject({
        message: "Cannot find name 'A_B'",
        hint: "It could mean 'aB__123456' or 'aB': write the one you mean",
      });
    } finally {
      by.close();
    }
  });

  it("is told near names out of all functions of the server, not only those it mentions", async () => {
    expect((await errors("many.readThing1(); many.readThng499()"))[0]?.hint).toContain("'readThing499'");
  });

  it("is told near names of tools called by name", async () => {
    expect(await errors('await callMCPTool("github__create_isue", {})')).toEqual([
      { message: "There is no tool 'github__create_isue'", hint: "Did you mean 'github__create_issue'?" },
    ]);
  });

  it("is told what pii does not have", async () => {
    expect(await errors('return pii.lastFour("[SSN_1]")')).toMatchObject([
      { message: "Property 'lastFour' does not exist on type '$Pii'." },
    ]);
  });

  it.each([
    ["axios.get('https://a')", /^There is no network/],
    ["_.groupBy([], 'a')", /Object\.groupBy/],
    ["child_process.execSync('ls')", /start no processes/],
    ["Deno.readTextFile('a')", /node:fs/],
    ["document.title", /no browser/],
    ["gihub.listIssues()", /'github'/],
    ["listIssues()", /^Use github\.listIssues$/],
  ])("is told what there is in place of %s", async (source, hint) => {
    const found = await errors(source);
    expect(found[0]?.message).toMatch(/^Cannot find name/);
    expect(found[0]?.hint).toMatch(hint);
  });

  it("is told which servers there are where it calls one that is not", async () => {
    for (const source of ["await weather.forecast();", "await servers.github.listIssues();"])
      expect((await errors(source))[0]?.hint).toMatch(/^Each server is a global: .*github/);
    expect((await errors("return weather;"))[0]?.hint).toBeUndefined();
  });

  it("is told what is wrong with a server that is configured and not there", async () => {
    const unavailable = () => new Map([["nope", "failed: Cannot start it"]]);
    const own = createChecker({ servers: () => SERVERS, unavailable, timeoutMs: 20_000 });
    try {
      expect(await errors("await nope.foo({ a: 1 });", own)).toEqual([
        { message: "server nope failed: Cannot start it" },
      ]);
      expect((await errors("await nopes.foo();", own))[0]?.message).toMatch(/^Cannot find name/);
      expect(await errors('await callMCPTool("nope__foo", {});', own)).toEqual([
        { message: "server nope failed: Cannot start it" },
      ]);
      for (const source of [
        'import { foo } from "./servers/nope";',
        'import { nope } from "./servers";',
        'const a = require("./servers/Nope");',
        'const a = await import("./servers/nope/index.ts");',
      ]) {
        const prepared = await own.prepare(source);
        expect(prepared.ok ? undefined : prepared.error).toMatchObject({
          kind: "import",
          message: "server nope failed: Cannot start it",
        });
      }
    } finally {
      own.close();
    }
  });

  it("is told only of the first errors, each signature once", async () => {
    const source = Array.from({ length: 8 }, (_, index) => `await github.createIssue({ owner: ${index} });`);
    const result = await check(source.join("\n"));
    if (result.ok) throw new Error("No error");
    expect(result.error.errors.map((error) => error.line)).toEqual([1, 2, 3, 4, 5]);
    expect(result.error.errors.filter((error) => error.signature !== undefined)).toHaveLength(1);
    expect(result.error.message).toMatch(/\nand 3 more$/);
  });

  it("is told only of the first errors of a text with 30,000 unknown names", async () => {
    const source = Array.from({ length: 30_000 }, (_, index) => `name${index};`).join("\n");
    const result = await check(source);
    if (result.ok) throw new Error("No error");
    expect(result.error.errors.map((error) => error.line)).toEqual([1, 2, 3, 4, 5]);
    expect(result.error.message).toMatch(/\nand 29995 more$/);
  });

  it("is not gone through for each bracket when it has a line of 900,000 characters", async () => {
    const calls = "await github.createIssue(a);\n".repeat(100);
    const source = `const a = {};\n${calls}//${"a[".repeat(1000)}${"x".repeat(900_000)}`;
    expect(await check(source)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/\nand 95 more$/) },
    });
  });

  it("is told of what is wrong with what it imports", async () => {
    const result = await check(
      'const a = 1;\nimport { readFileSync } from "node:fs"; readFileSync.nope("a")',
    );
    expect(result.ok ? [] : result.error.errors).toMatchObject([{ line: 2, column: 54 }]);
  });

  it("is told of a name of half a million letters", async () => {
    const found = await errors(`return Math.${"a".repeat(500_000)}`);
    expect(found).toHaveLength(1);
    expect(found[0]?.message.length).toBeLessThan(400);
  });
});

describe("a right program", () => {
  it("may ask pii of what may be missing, with and without await", async () => {
    const source = `const rows: { email?: string; phone: string | null; born: string; card: number }[] = [];
      const found = rows.filter((r) => pii.domain(r.email) === "corp.com" && !pii.equal(r.email, r.phone));
      const year: number | undefined = await pii.year(rows[0].born);
      return [found.map((r) => pii.mask(r.email) ?? pii.last4(r.card)), pii.country(rows[0].phone)?.toLowerCase(), year];`;
    expect(await errors(source)).toEqual([]);
  });

  it.each([
    "return my_db.query({})",
    "return myDb.Query()",
    'return globalThis["my-db"].query()',
    'import * as db from "./servers/my-db"; return db.query()',
    'import { my_db } from "./servers"; return my_db.query()',
    'import * as servers from "./servers"; return servers.myDb.query()',
    'import query from "./servers/my-db/query.ts"; return query()',
    'return callMCPTool("my-db.query", {})',
    'return callMCPTool("mcp__my-db__query")',
    'const NAME = "my_db/query"; return callMCPTool(NAME)',
    "return Object.keys(github).map((name) => typeof github[name])",
    'return ["createIssue" in github, Object.entries(github).length, { ...github }]',
    'const { default: db } = await import("./servers/my-db"); return db.query()',
  ])("may spell names as it likes: %s", async (source) => {
    expect(await errors(source)).toEqual([]);
  });

  it.each([
    'const r = await github.createIssue({ owner: "", repo: "", title: "", labels: ["a"] }); return r.number.toFixed()',
    "const r = await github.listIssues(); return r.items.map((item) => item.title).join()",
    "for (const issue of await github.listIssues({ state: 'open' })) console.log(issue.number)",
    "const r = await callMCPTool('github__list_issues'); return r.anything[0]",
    "const name = (await searchTools('issues'))[0].name; return callMCPTool(name, { a: 1 })",
    "const r = await github.listIssues(); return Object.entries(r).filter(([k, v]) => v.startsWith('/')).length",
    "const r = await github.listIssues(); return Object.values(r).map((v) => v.price.toFixed())",
    "const r = await github.listIssues(); const m = new Map(Object.entries(r)); return [m.get('a').length, [...new Set(Object.values(r))].map((v) => v.id)]",
    "const r = await github.listIssues(); return Object.entries(Object.groupBy(r, (i) => i.state)).map(([k, v]) => [k, v[0].title])",
    "const tool = Math.random() > 1 ? 'a' : 'b'; return callMCPTool(`github__${await searchTools(tool)}`, {})",
    "return (await callMCPTool<{ id: number }>('github__create_issue', { owner: '' })).id",
    "const f = 'createIssue'; return github[f as string]({ a: 1 })",
    "return Object.keys(github)",
    'const r = await github.createIssue({ owner: "", repo: "", title: "" }); return [r.extra.anything, r.open.more, r.user.login]',
    "try { await my_db.query({ sql: 1 }) } catch (e) { if (e instanceof ToolError) return e.tool; return e.message }",
    'import fs from "node:fs"; fs.readFile("./servers/a", "utf8", (error, text) => console.log(error, text))',
    'import { readdir, readFile } from "node:fs/promises"; const servers = await readdir("./servers"); return (await readFile(`./servers/${servers[0]}/index.ts`, "utf8")).slice(0, 500)',
    'import { opendir } from "fs/promises"; for await (const entry of await opendir("./servers")) console.log(entry.name)',
    'import fs from "node:fs/promises"; const t = await fs.readFile("./workspace/a", "utf8"); await fs.writeFile("b", t.trim())',
    'import { promises as fs } from "fs"; return (await fs.readdir(".", { withFileTypes: true })).map((e) => e.name)',
    'import type { CreateIssueInput } from "./servers/github"; const i: CreateIssueInput = { owner: "", repo: "", title: "" }; return github.createIssue(i)',
    "const r = await fetch('https://a'); return (await r.json()).anything",
    "const c = new AbortController(); return github.listIssues({ state: 'open' }, { timeoutMs: 5_000, signal: c.signal })",
    "return callMCPTool('github__list_issues', {}, { timeoutMs: 5_000 })",
    "return callMCPTool(`github__${await searchTools()}`, {}, { signal: AbortSignal.timeout(5) })",
    "return Promise.all([{ owner: '', repo: '', title: '' }].map(github.createIssue))",
    "const tools = [github.listIssues]; return Promise.all(tools.map((tool) => tool({ state: 'open' }, { timeoutMs: 1 })))",
    "try { await github.listIssues() } catch (e) { if (e instanceof ToolError && e.code === 'timeout') return 'late'; throw e }",
    "emit(new Uint8Array(3)); emit(new ArrayBuffer(3)); emit(Buffer.from('a')); emit(new Blob(['a'])); emit({ type: 'image', data: new Uint8Array(3), mimeType: 'image/png' })",
    "console.groupCollapsed('a'); console.table([{ a: 1 }], ['a']); console.timeLog('a', 1); console.groupEnd()",
    "emit({ type: 'text', text: 'a' }); emit('b'); return new URL('https://a').searchParams.get('b')",
    "return Object.groupBy([1, 2], (n) => (n % 2 ? 'odd' : 'even'))",
    "return [1, 2].values().map((n) => n * 2).toArray()",
    "return git\\u0068ub.listIssues()",
    "export default async function main() { return github.listIssues() }",
  ])("passes: %s", async (source) => {
    expect(await check(source)).toEqual({ ok: true });
  });

  it.each([
    "const found = {}; found.total = 1; return found.total",
    "const stats = { total: 0 }; stats.failed = 2; return stats",
    "const list = []; list.push(1); list.push('a'); return list[0].foo",
    "return [{ a: 1 }].reduce((all, one) => { all.sum = one.a; return all }, {})",
    "let page = 1; page = 'last'; return page",
    "let result = null; result = { a: 1 }; return result.a",
    "function log(text, more) { console.log(text, more) } log('a')",
    "return [new Date()].sort((a, b) => new Date(b) - new Date(a))",
    "return 'abc'.match(/b/)[0] + [1].find((n) => n > 0).toFixed()",
    "const map = new Map(); map.set('a', []); map.get('a').push(1); return map",
    "const seen = new Set(); seen.add('a'); for (const id of seen) await github.createIssue({ owner: id, repo: id, title: id })",
    "await new Promise((resolve) => setTimeout(resolve, 1)); await new Promise((done) => done())",
    "const x: Missing = 1; return x as unknown as Other",
    "const { a, b = 2, ...rest } = JSON.parse('{}'); return [a, b, rest]",
    'const filter = { state: "open" }; return github.listIssues(filter)',
    'for (const state of ["open", "closed"]) await github.listIssues({ state })',
    "const range = [1, 2]; return github.getIssue({ range })",
    "const r = await github.getIssue(); return r.issue ?? r.failure",
    "const all = await Promise.allSettled([github.listIssues()]); return all[0].value",
    'import { readFile } from "fs/promises"; return JSON.parse(await readFile("a"))',
    "const unused = 1; let any: any = 2; return any.thing.other",
    "return parseInt(5.5) + Number('6') + isNaN('a')",
    "class A { constructor(x) { this.x = x } } return new A(1).x",
    "if ([] || {}) return 1 ?? 2",
    'const args: Record<string, any> = {}; args.owner = "a"; return github.createIssue(args)',
    'const args: Record<string, unknown> = { owner: "a" }; return github.createIssue(args)',
    "type Input = { owner: string; repo: string; title: string }; const args: Partial<Input> = {}; return github.createIssue(args)",
    'const args = {}; args.owner = "a"; args["repo"] = "b"; args.title ??= "c"; return github.createIssue(args)',
    'const args = { owner: "a" }; Object.assign(args, { repo: "b", title: "c" }); return github.createIssue(args)',
    'const args = {}; for (const key of ["owner", "repo", "title"]) args[key] = key; return github.createIssue(args)',
    'return github.createIssue(Object.fromEntries(["owner", "repo", "title"].map((key) => [key, key])))',
    `${"const r = await github.createIssue({ owner: '', repo: '', title: '' });"} return r.content ?? r.html_url`,
    `${"const r = await github.createIssue({ owner: '', repo: '', title: '' });"} return r.id || r.number || r.key`,
    `${"const r = await github.createIssue({ owner: '', repo: '', title: '' });"} const list = r.items ?? r; return list`,
    `${"const r = await github.createIssue({ owner: '', repo: '', title: '' });"} if (r.error) throw new Error(r.error.message); return r.number`,
    `${"const r = await github.createIssue({ owner: '', repo: '', title: '' });"} return Array.isArray(r) ? r : r.items`,
    `${"const r = await github.createIssue({ owner: '', repo: '', title: '' });"} return "items" in r ? r.items : r`,
    `${"const r = await github.createIssue({ owner: '', repo: '', title: '' });"} return r.items ? r.items.length : r?.total && r.total`,
    `${"const r = await github.createIssue({ owner: '', repo: '', title: '' });"} if (!r.ok) console.log("no"); return r?.data?.id ?? r.number`,
    "type R = { ok: true; out: string } | { ok: false; err: string }; const r: R = JSON.parse('{}'); return r.ok ? r.out : r.err",
    "const tasks: Promise<void>[] = []; tasks.push(github.createIssue({ owner: '', repo: '', title: '' })); await Promise.all(tasks)",
    "const jobs = [github.listIssues()]; return (await Promise.all(jobs)).flat().length",
    "export default 5",
  ])("passes with loose types: %s", async (source) => {
    expect(await errors(source)).toEqual([]);
  });
});

describe("the type checker", () => {
  it("checks many programs at once, each against its own tools", async () => {
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        check(
          index % 2 ? `github.createIssue({ owner: ${index} })` : `many.readThing${index}({ a: ${index} })`,
        ),
      ),
    );
    expect(results.map((result) => result.ok)).toEqual(
      Array.from({ length: 40 }, (_, index) => index % 2 === 0),
    );
  });

  it("starts again when its process was killed, between two checks or during one", async () => {
    const mine = createChecker({ servers: () => SERVERS, timeoutMs: 20_000 });
    await mine.warm();
    const first = mine.pid ?? 0;
    process.kill(first, "SIGKILL");
    expect(await errors("github.nothing()", mine)).toHaveLength(1);
    expect(mine.pid).not.toBe(first);
    const pending = check("github.listIssues()", mine);
    process.kill(mine.pid ?? 0, "SIGKILL");
    expect(await pending).toEqual({ ok: true });
    mine.close();
  });

  it("skips a check that takes too long, says so, and goes on with a new process", async () => {
    const mine = createChecker({ servers: () => SERVERS, timeoutMs: 800 });
    await mine.warm();
    const stuck = mine.pid ?? 0;
    process.kill(stuck, "SIGSTOP");
    expect(await check("github.nothing()", mine)).toEqual({
      ok: true,
      skipped: "The type check took more than 800 ms",
    });
    await until(() => !isAlive(stuck), "the end of the stuck process");
    await mine.warm();
    expect(await errors("github.nothing()", mine)).toHaveLength(1);
    mine.close();
  });

  it("leaves no process when it is closed", async () => {
    const mine = createChecker({ servers: () => SERVERS });
    await mine.warm();
    const pid = mine.pid ?? 0;
    mine.close();
    await until(() => !isAlive(pid), "the end of the process");
    expect((await check("github.nothing()", mine)).ok).toBe(true);
  });

  it("takes tools with hostile names and schemas", async () => {
    const nasty = nastyServer();
    const mine = createChecker({ servers: () => [nasty], timeoutMs: 20_000 });
    const calls = nasty.tools.map((tool) => `${nasty.identifiers.typescript}.${tool.identifiers.typescript}`);
    expect(
      await errors(`return [${calls.join(", ")}, ${nasty.identifiers.typescript}.noSuchTool]`, mine),
    ).toMatchObject([
      { message: `Property 'noSuchTool' does not exist on server '${nasty.identifiers.typescript}'` },
    ]);
    mine.close();
  });

  it("has an answer for any program", async () => {
    const pieces = [
      ..."github my_db callMCPTool createIssue listIssues const let a b = => ( ) { } [ ] . , ; : ? 1 'x' await new return as any".split(
        " ",
      ),
      "\n",
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 25 }).map((parts) => parts.join(" "));
    await fc.assert(
      fc.asyncProperty(text, async (source) => {
        const prepared = await checker.prepare(source);
        if (!prepared.ok) return;
        const result = await checker.check(source, prepared);
        if (result.ok) expect(result.skipped).toBeUndefined();
        else expect(result.error.errors.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a program that the compiler chokes on", () => {
  it.each([
    ["half a surrogate pair", "return '\ud83d'.length;"],
    ["deep nesting", `return ${"[".repeat(3000)}${"]".repeat(3000)};`],
  ])("does not keep the next one from being checked (%s)", async (_what, source) => {
    const prepared = await checker.prepare(source);
    if (prepared.ok) await checker.check(source, prepared);
    expect((await errors("await github.createIsue({});")).length).toBe(1);
  });
});

describe("loose types", () => {
  it.each([
    [
      "arguments in a record",
      "const args: Record<string, any> = { title: 'x' }; await github.createIssue(args);",
    ],
    ["arguments put together", "await github.createIssue(Object.fromEntries([['title', 'x']]));"],
    ["rows of different things", "const rows = [['name', 'size']]; rows.push(['a', 1]); return rows;"],
    [
      "a comparison that can't be true",
      "const kind = 'a' as 'a' | 'b'; return kind === ('z' as string as 'z');",
    ],
    ["Buffer", "return Buffer.from('aGk=', 'base64').toString('utf8');"],
    [
      "a dynamic import",
      "const { createIssue } = await import('./servers/github'); return typeof createIssue;",
    ],
  ])("are not refused: %s", async (_what, source) => {
    expect(await errors(source)).toEqual([]);
  });
});
