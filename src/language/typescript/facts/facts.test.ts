import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { readProgramFacts } from "../../../policy/program-facts.ts";
import { validate } from "../../../policy/validate/validate.ts";
import { parse } from "../prepare/oxc.ts";
import { toTypeScriptFacts } from "./facts.ts";

const names = (...tools: string[]) => tools.map((name) => toolRecord({ name }));
const servers = [
  serverRecord("github", names("list_issues", "create_issue", "delete_issue")),
  serverRecord("crm", names("list_contacts")),
  serverRecord("mail", names("send_email")),
];
const factsOf = (source: string) => toTypeScriptFacts(source, parse(source), servers);
const toolsOf = (source: string) => factsOf(source).tools.map(({ server, tool }) => `${server}.${tool}`);

describe("a way out that is handed on", () => {
  it.each([
    'await Promise.all(["https://a.example/"].map(fetch))',
    "class Client { constructor(private deps) {} send(u) { return this.deps.fetch(u) } } new Client({ fetch }).send(u)",
    'const f = (() => fetch)(); await f("https://a.example/")',
    "const f = fetch; use(f)",
    "use(globalThis.fetch)",
    "const api = {}; api.get = fetch; await api.get(url)",
    "const { fetch: get } = globalThis; use(get)",
    'const get = Object.getOwnPropertyDescriptor(globalThis, "fetch").value; await get(url)',
    "const go = async (get = fetch) => get(url); await go()",
    `${"{".repeat(900)}await fetch(url)${"}".repeat(900)}`,
  ])("goes to a host that nobody knows: %j", (source) => {
    const { hosts, hits } = factsOf(source);
    expect(hosts.map(({ host }) => host)).toContain(undefined);
    expect(hits.map(({ rule }) => rule)).toContain("network-fetch");
  });

  it.each([
    "const api = { run: runCommand }; const go = (a) => a.run('ls'); await go(api)",
    "const twice = async (f) => [await f('ls'), await f('ls')]; await twice(runCommand)",
    "const get = () => runCommand; await get()('ls')",
    'const run = Object.getOwnPropertyDescriptor(globalThis, "run" + "Command").value; await run("ls")',
  ])("runs a command that nobody knows: %j", (source) => {
    expect(factsOf(source).commands.map(({ command }) => command)).toContain(undefined);
  });

  it("is what it is where only its name is another", () => {
    const { hosts, commands } = factsOf(
      'const get = fetch; const run = runCommand; await get("https://a.example/x"); await run("ls", ["-l"])',
    );
    expect(hosts.map(({ host }) => host)).toEqual(["a.example"]);
    expect(commands.map(({ command }) => command)).toEqual(["ls -l"]);
    expect(factsOf('if (typeof fetch === "function") console.log(Object.keys(globalThis))')).toMatchObject({
      hosts: [],
      hits: [],
      dynamic: [],
    });
  });
});

describe("what can call any tool", () => {
  it.each([
    "await (function () { return this }).call(undefined).github.deleteIssue({})",
    "const all = (function (this: any) { return this })(); await all.github.deleteIssue({})",
    "function all() { const self = this; return self } await all().github.deleteIssue({})",
    "function all() { return use(() => this) }",
    "await Reflect.apply(callMCPTool, undefined, [name, {}])",
    "setTimeout(callMCPTool, 1, name, {})",
    "await new Keeper(callMCPTool).go()",
  ])("is counted as that: %j", (source) => {
    expect(factsOf(source)).toMatchObject({ hits: [], dynamic: [{ line: 1 }] });
  });

  it.each([
    "class Builder { add(x) { this.x = x; return this } sub = function () { return this } } new Builder().add(1)",
    "const builder = { add(x) { this.x = x; return this }, sub: function () { return this } }",
    "const later = (f) => function (...args) { return f.apply(this, args) }",
    "function Point(x) { this.x = x; this.move = (y) => { this.x += y } } new Point(1).move(2)",
    "const list = github.listIssues.bind(github); await list({})",
    'return "listIssues" in github',
    "return [typeof github.createIssue, typeof github[name]]",
  ])("is nothing that has its own: %j", (source) => {
    expect(factsOf(source)).toMatchObject({ hits: [], dynamic: [] });
  });

  it("is the tool that it names", () => {
    expect(
      toolsOf("(function () { this.github.deleteIssue({}); this.callMCPTool('crm__list_contacts') })()"),
    ).toEqual(["github.delete_issue", "crm.list_contacts"]);
  });
});

describe("what lies deep, or behind a lot", () => {
  it("is seen as if it stood at the top", () => {
    const source = 'await github.deleteIssue({}); await runCommand("ls"); await fetch("https://a.example/")';
    const deep = factsOf(`${"{".repeat(1_000)}${source}${"}".repeat(1_000)}`);
    const flat = factsOf(source);
    expect(deep.tools).toMatchObject([{ server: "github", tool: "delete_issue" }]);
    expect(deep.commands).toMatchObject([{ command: "ls" }]);
    expect(deep.hosts).toMatchObject([{ host: "a.example" }]);
    expect(deep.hits.map(({ rule }) => rule)).toEqual(flat.hits.map(({ rule }) => rule));
  });

  it("counts as any tool where there are more than are told", () => {
    const many = Array.from({ length: 201 }, (_, number) => `get_${number}`);
    const source = many.map((name) => `await big.${name}({})`).join("\n");
    const { tools, dynamic } = toTypeScriptFacts(source, parse(source), [
      serverRecord("big", names(...many)),
    ]);
    expect(tools).toHaveLength(200);
    expect(dynamic).toMatchObject([{ server: "big" }]);
  });
});

describe("the tools of a program", () => {
  it.each([
    "await github.createIssue({})",
    "await github?.create_issue?.({})",
    'await github["create-issue"]({})',
    'import { createIssue } from "./servers/github"; await createIssue({})',
    'import { createIssue as make } from "./servers/github/index.ts"; await make({})',
    'import make from "./servers/github/createIssue"; await make({})',
    'import * as gh from "./servers/github"; await gh.createIssue({})',
    'import { github as gh } from "./servers"; await gh.createIssue({})',
    'import * as all from "./servers"; await all.github.createIssue({})',
    'const gh = require("./servers/github"); await gh.createIssue({})',
    'const { createIssue } = await import("./servers/github"); await createIssue({})',
    "const gh = github; const { createIssue: make } = gh; await make({})",
    'await callMCPTool("github__create_issue", {})',
    'const name = "github__create_issue"; await callMCPTool(name, {})',
    "const call = callMCPTool; await call(`github.createIssue`, {})",
    "await globalThis.github.createIssue({})",
    'await Reflect.get(github, "createIssue")({})',
    "await Reflect.apply(github.createIssue, undefined, [{}])",
    "await github.createIssue.call(null, {})",
    "const api = { make: github.createIssue }; await api.make({})",
    "await Promise.all(items.map(github.createIssue))",
    'const key = "create" + "Issue"; await github[key]({})',
  ])("are known in %j", (source) => {
    expect(toolsOf(source)).toEqual(["github.create_issue"]);
    expect(factsOf(source).dynamic).toEqual([]);
  });

  it.each([
    ["await github[name]({})", "github"],
    ["await callMCPTool(name, {})", undefined],
    ["use(github)", "github"],
    ["for (const f of Object.values(github)) await f({})", "github"],
    ["await globalThis[server].list()", undefined],
    ["const { [name]: f } = github; await f({})", "github"],
  ])("are dynamic in %j", (source, server) => {
    expect(factsOf(source).dynamic.map((call) => call.server)).toContain(server);
  });

  it.each([
    "const github = { createIssue: () => 1 }; github.createIssue()",
    "function f(github) { return github.createIssue() }",
    "const s = 'github.createIssue({})'",
  ])("are not those of the program's own objects: %j", (source) => {
    expect(toolsOf(source)).toEqual([]);
  });
});

describe("loops", () => {
  it.each([
    "for (const i of items) await github.deleteIssue({ i })",
    "for (let i = 0; i < 3; i++) await github.deleteIssue({ i })",
    "while (more) { await github.deleteIssue({}) }",
    "await Promise.all(items.map((i) => github.deleteIssue({ i })))",
    "items.forEach(async (i) => { await github.deleteIssue({ i }) })",
    "async function drop(i) { await github.deleteIssue({ i }) } for (const i of items) await drop(i)",
    "const drop = (i) => github.deleteIssue({ i }); await Promise.all(items.map(drop))",
    "const a = (i) => b(i); const b = (i) => github.deleteIssue({ i }); for (const i of items) await a(i)",
    "async function go(n) { if (!n) return; await github.deleteIssue({ n }); await go(n - 1) } await go(9)",
    "const a = async (n) => { await github.deleteIssue({ n }); return b(n - 1) }; const b = (n) => n && a(n); await b(9)",
    "setInterval(() => { void github.deleteIssue({}) }, 10)",
    "async function each(xs, f) { for (const x of xs) await f(x) } await each([1, 2], (id) => github.deleteIssue({ id }))",
    "const each = (xs, f) => xs.map((x) => f(x)); const drop = (id) => github.deleteIssue({ id }); await each(ids, drop)",
  ])("around a call are seen in %j", (source) => {
    expect(factsOf(source).tools).toMatchObject([{ tool: "delete_issue", inLoop: true }]);
  });

  it.each([
    "await github.deleteIssue({}); for (const i of items) console.log(i)",
    "for (const i of await github.deleteIssue({})) console.log(i)",
    "async function drop() { await github.deleteIssue({}) } await drop()",
    "const timed = async (f) => { const t = Date.now(); await f(); return t }; await timed(() => github.deleteIssue({}))",
  ])("elsewhere are not taken for one in %j", (source) => {
    expect(factsOf(source).tools).toMatchObject([{ tool: "delete_issue", inLoop: false }]);
  });
});

describe("flows", () => {
  const flowsOf = (source: string) => factsOf(source).flows.map(({ from, to }) => `${from.tool} ${to.tool}`);

  it.each([
    "const c = await crm.listContacts({}); await mail.sendEmail({ body: JSON.stringify(c) })",
    "await mail.sendEmail({ body: await crm.listContacts({}) })",
    "const { items: [first] } = await crm.listContacts({}); await mail.sendEmail({ to: first.email })",
    "for (const c of await crm.listContacts({})) await mail.sendEmail({ to: c.email })",
    "const c = await crm.listContacts({}); await Promise.all(c.map((one) => mail.sendEmail({ to: one.email })))",
    "const lines = []; for (const c of await crm.listContacts({})) lines.push(c.name); await mail.sendEmail({ body: lines.join() })",
    "const o = {}; o.text = (await crm.listContacts({}))[0]; await mail.sendEmail(o)",
    "async function all() { return await crm.listContacts({}) } await mail.sendEmail({ body: await all() })",
    "function send(text) { return mail.sendEmail({ text }) } await send(await crm.listContacts({}))",
    "let text = ''; crm.listContacts({}).then((c) => { text += c }); await mail.sendEmail({ text })",
  ])("are seen in %j", (source) => {
    expect(flowsOf(source)).toContain("list_contacts send_email");
  });

  it("are not made up", () => {
    expect(
      flowsOf(
        "const c = await crm.listContacts({}); console.log(c); await mail.sendEmail({ body: 'hello' })",
      ),
    ).toEqual([]);
  });
});

it("names files, hosts and commands, or says that they are computed", () => {
  const facts = factsOf(`import fs from "node:fs/promises";
await fs.writeFile("./workspace/a.txt", "x");
await fs.rm(path);
await fetch("https://api.example.com/items/" + id);
await fetch(url);
await runCommand("git", ["log", "-n", count]);`);
  expect(facts.files).toMatchObject([
    { path: "./workspace/a.txt", access: "write" },
    { access: "delete", line: 3 },
  ]);
  expect(facts.hosts.map(({ host }) => host)).toEqual(["api.example.com", undefined]);
  expect(facts.commands.map(({ command }) => command)).toEqual(["git log -n …"]);
});

it("refuses none of the ordinary programs that models wrote", () => {
  const programs = readdirSync("bench/check/right")
    .flatMap((file) => readFileSync(`bench/check/right/${file}`, "utf8").split(/^\/\/\/\/.*\n/m))
    .filter((text) => text.trim() !== "");
  expect(programs.length).toBeGreaterThan(1_000);
  const findings = programs.flatMap((source) => validate(factsOf(source), "high"));
  expect(findings.filter(({ severity }) => severity !== "note").map(({ message }) => message)).toEqual([]);
});

describe("hostile texts", () => {
  const DEEP = 3_000;
  it.each([
    ["brackets", `${"(".repeat(300)}1${")".repeat(300)}`],
    ["members", `a${".b".repeat(DEEP)}`],
    ["calls", `a${"()".repeat(DEEP)}`],
    ["sums", `x = ${"1+".repeat(DEEP)}1`],
    ["conditions", `x = ${"a?b:".repeat(400)}c`],
    ["arrows", `x = ${"a=>".repeat(400)}1`],
    ["else", `${"if(a)b;else ".repeat(1_000)}c`],
    ["blocks", `${"{".repeat(400)}${"}".repeat(400)}`],
    [
      "aliases",
      Array.from({ length: 2_000 }, (_, i) => `const a${i} = ${i === 0 ? "eval" : `a${i - 1}`};`).join("\n"),
    ],
    ["circles", "let a = b, b = c, c = a; a(b(c)); a.b = b; b.a = a; const f = () => f(f)"],
    ["names", Array.from({ length: 3_000 }, (_, i) => `a${i}(a${i + 1})`).join(";")],
    [
      "flows",
      `${Array.from({ length: 400 }, (_, i) => `const r${i} = await crm.listContacts({ ${i ? `a: r${i - 1}` : ""} });`).join("\n")}`,
    ],
    ["texts", `x = ${'["a","b"].join("").concat('.repeat(200)}"c"${")".repeat(200)}`],
    [
      "growing texts",
      `${Array.from({ length: 40 }, (_, i) => `const s${i} = ${i === 0 ? '"ab"' : `s${i - 1} + s${i - 1}`};`).join("\n")} globalThis[s39]()`,
    ],
    ["patterns", `const ${"[".repeat(300)}a${"]".repeat(300)} = b`],
    ["templates", `x = ${"`${".repeat(300)}1${"}`".repeat(300)}`],
    [
      "prototype names",
      "const o = { __proto__: 1, constructor: 2 }; o.hasOwnProperty; const toString = o; toString(constructor)",
    ],
  ])("made of %s give facts that pass the border", (_, source) => {
    expect(readProgramFacts(JSON.parse(JSON.stringify(factsOf(source))))).toBeDefined();
  });

  it("of any tokens give facts that pass the border", () => {
    const TOKENS =
      "a b eval github crm . ?. [ ] ( ) { } => = += , ; : ? + await async function class for of in while if else return const let new import require 'x' `t${ } ` 1 ... * yield".split(
        " ",
      );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }), (tokens) => {
        const facts = factsOf(tokens.join(" "));
        return readProgramFacts(JSON.parse(JSON.stringify(facts))) !== undefined;
      }),
      { numRuns: 2_000 },
    );
  });
});
