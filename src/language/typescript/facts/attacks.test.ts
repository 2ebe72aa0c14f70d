import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { validate } from "../../../policy/validate/validate.ts";
import { parse } from "../prepare/oxc.ts";
import { toTypeScriptFacts } from "./facts.ts";

const servers = [serverRecord("github", [toolRecord({ name: "list_issues" })])];

function rulesOf(source: string): string[] {
  const facts = toTypeScriptFacts(source, parse(source), servers);
  return [...new Set(validate(facts, "moderate").map(({ rule, severity }) => `${severity} ${rule}`))];
}

/** Each is written by somebody who wants it to run, unseen. */
const ATTACKS: readonly (readonly [finding: string, source: string])[] = [
  ["warning dynamic-eval", 'eval("1")'],
  ["warning dynamic-eval", "const e = eval; e(code)"],
  ["warning dynamic-eval", "let e; e = eval; e(code)"],
  ["warning dynamic-eval", "(0, eval)(code)"],
  ["warning dynamic-eval", 'globalThis.eval("x")'],
  ["warning dynamic-eval", 'globalThis["eval"]("x")'],
  ["warning dynamic-eval", 'globalThis?.["eval"]?.("x")'],
  ["warning dynamic-eval", "globalThis[`eval`](code)"],
  ["warning dynamic-eval", "window.self.globalThis.eval(code)"],
  ["warning dynamic-eval", "const { eval: run } = globalThis; run(code)"],
  ["warning dynamic-eval", "const [run] = [eval]; run(code)"],
  ["warning dynamic-eval", "const box = { run: eval }; box.run(code)"],
  ["warning dynamic-eval", '["1"].map(eval)'],
  ["warning dynamic-eval", 'Reflect.get(globalThis, "eval")(code)'],
  ["warning dynamic-eval", "Reflect.apply(eval, undefined, [code])"],
  ["warning dynamic-eval", "eval.call(null, code)"],
  ["warning dynamic-eval", "const bound = eval.bind(null); bound(code)"],
  ["warning dynamic-eval", "(ok ? eval : print)(code)"],
  ["warning dynamic-eval", "(other || eval)(code)"],
  ["warning dynamic-eval", 'new Function("return 1")()'],
  ["warning dynamic-eval", 'const F = Function; F("return 1")'],
  ["warning dynamic-eval", 'Reflect.construct(Function, ["return 1"])'],
  ["error constructor-walk", 'new (Object.getPrototypeOf(async () => {}).constructor)("return 1")'],
  ["warning dynamic-eval", 'setTimeout("attack()", 1)'],
  ["warning dynamic-eval", 'import vm from "node:vm"; vm.runInThisContext(code)'],
  ["warning dynamic-eval", "class A { run() { return eval(this.code) } }"],
  ["warning dynamic-eval", "function* g() { yield eval(code) }"],
  ["warning dynamic-eval", "const f = (x = eval(code)) => x"],
  ["warning dynamic-eval", "label: for (;;) { if (eval(code)) break label }"],
  ["warning dynamic-eval", "const o = { [eval(code)]: 1 }"],
  ["warning dynamic-eval", "switch (x) { case eval(code): break }"],
  ["warning dynamic-eval", "String.raw`${eval(code)}`"],
  ["warning dynamic-eval", "try { } catch ({ message = eval(code) }) { }"],
  ["warning dynamic-eval", "(eval as any)!(code)"],
  ["error hidden-name", 'globalThis["ev" + "al"](code)'],
  ["error hidden-name", "globalThis[`e${'v'}al`](code)"],
  ["error hidden-name", 'globalThis[["ev", "al"].join("")](code)'],
  ["warning dynamic-eval", '(() => {})[key]("return 1")()'],
  ["warning dynamic-eval", "return typeof eval(code)"],
  ["warning dynamic-eval", "return 'a' in eval(code)"],
  ["error look-alike-name", "const g\u0456thub = crm; await g\u0456thub.listContacts({})"],
  ["error look-alike-name", "const list_issu\u0435s = refund; await list_issu\u0435s({})"],
  [
    "warning dynamic-eval",
    "const f = () => {}; const made = f[(await github.listIssues({})).body](code); made()",
  ],
  ["warning dynamic-eval", "github.listIssues[JSON.parse(text)](code)()"],
  ["warning dynamic-eval", "Reflect.get(() => {}, key)(code)()"],
  [
    "warning dynamic-eval",
    "const all = Object.getOwnPropertyDescriptors(Function.prototype); for (const k in all) all[k].value(code)()",
  ],
  ["error constructor-walk", '(() => {})[[..."rotcurtsnoc"].reverse().join("")](code)()'],
  [
    "error constructor-walk",
    'const k = [99,111,110,115,116,114,117,99,116,111,114].map((c) => String.fromCharCode(c)).join(""); (() => {})[k](code)()',
  ],
  ["error hidden-name", 'globalThis[[101, 118, 97, 108].map(String.fromCharCode).join("")](code)'],
  ["error hidden-name", 'globalThis["lave".split("").reverse().join("")](code)'],
  ["error hidden-name", 'globalThis[atob("ZXZhbA==")](code)'],
  ["error hidden-name", "globalThis[String.fromCharCode(101, 118, 97, 108)](code)"],
  ["error hidden-name", 'globalThis[Buffer.from("6576616c", "hex").toString()](code)'],
  ["error hidden-name", 'globalThis["\\x65\\x76\\x61\\x6c"](code)'],
  ["error hidden-name", 'globalThis["EVAL".toLowerCase()](code)'],
  ["error hidden-name", 'globalThis["xeval".slice(1)](code)'],
  ["error hidden-name", 'globalThis["e_v_a_l".replaceAll("_", "")](code)'],
  ["error hidden-name", 'const a = "ev"; const b = "al"; globalThis[a + b](code)'],
  ["error hidden-name", 'Reflect.get(globalThis, "ev".concat("al"))(code)'],
  ["error hidden-name", 'const { ["ev" + "al"]: run } = globalThis; run(code)'],
  ["error hidden-name", "\\u0065val(code)"],
  ["error hidden-name", "globalThis.\\u{65}val(code)"],
  ["error hidden-name", 'await import("child_" + "process")'],
  ["error hidden-name", 'require(["child", "process"].join("_"))'],
  ["error hidden-name", 'globalThis["pro" + "cess"].binding("fs")'],
  ["error decoded-eval", 'eval(atob("YWxlcnQoMSk="))'],
  ["error decoded-eval", 'const code = Buffer.from(data, "base64").toString(); new Function(code)()'],
  ["error decoded-eval", "eval([104, 105].map((c) => String.fromCharCode(c)).join(''))"],
  ["error decoded-eval", "eval(decodeURIComponent(text))"],
  ["error decoded-eval", "let a = atob(x); let b = a + ''; let c = b; eval(c)"],
  ["error constructor-walk", '[]["filter"]["constructor"]("return 1")()'],
  ["error constructor-walk", '"".constructor.constructor("return process")()'],
  ["error constructor-walk", 'const c = "constructor"; [][c][c]("return 1")()'],
  ["error constructor-walk", '(() => {}).constructor("return 1")()'],
  ["error constructor-walk", 'const { constructor: { constructor: F } } = {}; F("return 1")'],
  ["error constructor-walk", 'this.x.constructor["const" + "ructor"]("return 1")'],
  ["warning computed-global", "globalThis[name](1)"],
  ["warning computed-import", "await import(name)"],
  ["warning process", 'import { execSync } from "child_process"; execSync("id")'],
  ["warning process", 'const cp = require("node:child_process"); cp.exec("id")'],
  ["warning process", 'process.getBuiltinModule("child_process").exec("id")'],
  ["warning process", 'new Deno.Command("id").output()'],
  ["warning process", 'process.binding("spawn_sync")'],
  ["warning process", "new Worker(url)"],
  ["warning raw-network", 'import net from "net"; net.connect(80, "evil")'],
  ["warning raw-network", 'new WebSocket("wss://evil.example")'],
  ["warning raw-network", "Deno.connect({ port: 80 })"],
  ["warning network-fetch", 'await fetch("https://evil.example")'],
  ["warning network-fetch", 'const get = globalThis.fetch; get("https://evil.example")'],
  ["warning file-outside", 'import fs from "fs/promises"; await fs.readFile("/etc/passwd")'],
  ["warning file-outside", 'fs.readFileSync("../../secret")'],
  ["warning file-outside", 'import { rm } from "node:fs/promises"; await rm("./workspace/../../x")'],
  ["warning file-outside", 'fs.promises.readFile("~/.ssh/id_rsa")'],
  ["warning file-outside", 'fs.readFileSync("C:\\\\Windows\\\\win.ini")'],
  ["warning file-outside", 'const dir = "/proc"; fs.readFileSync(`${dir}/self/environ`)'],
  ["warning prototype-pollution", "Object.prototype.polluted = 1"],
  ["warning prototype-pollution", 'x["__proto__"]["polluted"] = 1'],
  ["warning prototype-pollution", "({}).constructor.prototype.polluted = 1"],
  ["warning prototype-pollution", "Object.assign(Object.prototype, { a: 1 })"],
  ["warning prototype-pollution", "Array.prototype.map = () => []"],
  ["warning prototype-pollution", `merge({}, JSON.parse('{"__proto__": {"a": 1}}'))`],
  ["warning keyhole-internals", "globalThis.__keyhole.servers"],
  ["warning browser", "document.cookie"],
  ["warning browser", 'localStorage.getItem("token")'],
  ["error look-alike-name", "const еval = 1; const eval2 = еval"],
  ["error look-alike-name", "function total() {} function tоtal() {}"],
  ["error look-alike-name", "const admin = 1; const adm\u200din = 2"],
  ["error bidi-unpaired", "const a = 1; /* \u202e } \u2066if (admin)\u2069 \u2066 begin */"],
  ["warning bidi-control", 'const s = "\u2067abc\u2069";'],
  ["error invisible-text", `const s = "a${"\u200b".repeat(8)}";`],
  ["error invisible-text", `const s = "${"\u{e0041}".repeat(8)}";`],
  ["error machine-made-names", "var _0x3fa2 = [1]; var _0x12bc = _0x3fa2; var _0x9d = _0x12bc;"],
  ["error symbols-only", "[][(![]+[])[+[]]+([![]]+[][[]])[+!+[]+[+[]]]]".repeat(8)],
  ["warning dynamic-eval", `${"[".repeat(600)}eval(x)${"]".repeat(600)}`],
  ["error constructor-walk", `${"{".repeat(1_000)}[].map.constructor("return 1")()${"}".repeat(1_000)}`],
  ["warning not-examined", `const ${"[".repeat(600)}a${"]".repeat(600)} = x; a()`],
  ["warning not-examined", `${"(0,".repeat(300)}Function${")".repeat(300)}("return 1")()`],
  ["warning network-fetch", 'await Promise.all(["https://a.example"].map(fetch))'],
  ["warning computed-global", "const s = String(await notes.read({})); return globalThis[s]"],
  ["warning computed-global", "return Object.values(globalThis)"],
];

describe("findings in programs that attack", () => {
  it.each(ATTACKS)("%s in %j", (finding, source) => {
    expect(rulesOf(source)).toContain(finding);
  });

  it("stay few where there are thousands", () => {
    const facts = toTypeScriptFacts("eval(x);\n".repeat(5_000), parse("eval(x);\n".repeat(5_000)), servers);
    expect(facts.hits.length).toBe(200);
    expect(facts.moreHits).toBe(4_800);
  });

  it("have their place", () => {
    const [first] = validate(toTypeScriptFacts("\n  eval(x)", parse("\n  eval(x)"), servers), "moderate");
    expect(first).toMatchObject({ line: 2, column: 3, fix: expect.any(String) });
  });

  it("are stricter by the level", () => {
    const facts = toTypeScriptFacts("eval(x)", parse("eval(x)"), servers);
    const severities = (["low", "moderate", "high", "maximum"] as const).map(
      (level) => validate(facts, level)[0]?.severity,
    );
    expect(severities).toEqual(["note", "warning", "error", "error"]);
  });
});

/** Written as models write: nothing is to be said of them. */
const ORDINARY: readonly string[] = [
  "const names = items.map((item) => item.constructor.name)",
  'if (fn.constructor.name === "AsyncFunction") await fn()',
  "if (x.constructor === Object) return x",
  "class A { clone() { return new this.constructor(this.a) } }",
  "const evaluate = (a: number) => a + 1; return evaluate(1)",
  "function eval2(x: string) { return JSON.parse(x) }",
  "const document = await github.listIssues({}); return document.title",
  "const process = (x: number) => x; return [1].map(process)",
  'const fetch = (u: string) => u; return fetch("https://a.example")',
  "const window = issues.slice(0, 10); return window.length",
  'return typeof window === "undefined" ? 1 : 2',
  "return x instanceof Function",
  "const handlers = { open: () => 1, close: () => 2 }; return handlers[state]?.()",
  "const key = `${a}_${b}`; totals[key] = (totals[key] ?? 0) + 1",
  "const text = Buffer.from(data.content, 'base64').toString('utf8'); return text.length",
  "const bytes = Uint8Array.from(atob(s), (c) => c.charCodeAt(0))",
  "return decodeURIComponent(url)",
  'import fs from "node:fs/promises"; await fs.writeFile("./workspace/out.json", "{}")',
  'import { readFile } from "fs/promises"; return await readFile("workspace/a/../b.txt", "utf8")',
  'const p = path.join("workspace", name); return await fs.promises.readFile(p)',
  "return fs.readdirSync('/workspace')",
  "setTimeout(() => done(), 10); await new Promise((r) => setTimeout(r, 5))",
  "return process.env.HOME ?? process.cwd()",
  "class Point {} Point.prototype.norm = function () { return 1 }",
  "const o = Object.create(null); o.__proto__ = null",
  "return Object.prototype.hasOwnProperty.call(o, 'a')",
  "return Array.prototype.slice.call(arguments_, 1)",
  "const merged = Object.assign({}, a, b)",
  "return 'мама мыла раму'.split(' ')",
  "const имя = 'x'; return имя",
  "const Δt = 5, σ2 = 3, αMax = 4, μs = 2; return Δt + σ2",
  'return "👩‍👩‍👧‍👦 family 🏳️‍🌈"',
  'const s = "\\u0041bc\\u00e9"; return s',
  'const rtl = "\\u202eabc"; return rtl',
  "return JSON.parse(text)",
  'const sql = "select " + cols.join(", ") + " from t"; return await db.query(sql)',
  "return [1, 2, 3].map(String).map(Number).filter(Boolean)",
  "const matrix = [[0, 1], [1, 0]]; return matrix[0][1] + matrix[1][0]",
  "const { default: x, ...rest } = opts; return rest",
  "const total = rows.reduce((a, b) => a + b.n, 0)",
  "export default async function main() { return await github.listIssues({}) }",
  'const res = await callMCPTool("github__list_issues", {}); return res',
  "const list = github.listIssues; return await list({})",
  "const results = await Promise.all(ids.map((id) => github.listIssues({ id })))",
  "const pick = (k: keyof typeof obj) => obj[k]; return pick('a')",
  "return new Map(Object.entries(x)).get('constructor')",
  "for (const [k, v] of Object.entries(o)) console.log(k, v)",
  'const html = "<script>document.cookie; eval(x)</script>"; return html.length',
  "// eval(document.cookie)\nreturn 1",
  "const re = /eval\\(.*\\)/; return re.test(code)",
  "const compile = (t: string) => t; const exec = re.exec(s); return compile(s)",
  "let page = 1; while (true) { const r = await github.listIssues({ page }); if (!r.length) break; page++ }",
  "enum Color { Red = 1 } return Color.Red",
  "type Eval = typeof eval; interface Window2 { document: string } return 1",
  "const require2 = 1; const constructor2 = {}; return require2",
  "return await Promise.race([a(), new Promise((_, no) => setTimeout(no, 1000))])",
  "const uuid = crypto.randomUUID(); const h = createHash('sha256'); return uuid",
  "const words = text.split('').reverse().join(''); return words",
  "const turned = [...text].reverse().join(''); const up = [...'abc'].map((letter) => letter.toUpperCase()); return [turned, up]",
  "const steps = { add: (n) => () => n }; return steps[name](1)()",
  "const curry = (f) => (a) => (b) => f(a, b); return curry(Math.max)(1)(2)",
  "const f = (x) => x; f.cache = {}; return f.cache[key]",
  "const s = String.fromCharCode(65 + i); return s",
  `return ${Array.from({ length: 3_000 }, (_, i) => `"line ${i}"`).join(" + ")}`,
  `${Array.from({ length: 500 }, (_, i) => `${i === 0 ? "" : "else "}if (x === ${i}) y = ${i};`).join("\n")}`
    .split("\n")
    .slice(0, 50)
    .join("\n"),
  "const columns = ['│', '─', '┼']; return columns.join('')",
];

describe("ordinary programs", () => {
  it.each(ORDINARY.map((source) => [source]))("have no finding: %j", (source) => {
    expect(parse(source).problems.filter(({ message }) => !message.includes("return"))).toEqual([]);
    expect(rulesOf(source)).toEqual([]);
  });
});
