import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Checker, createChecker } from "../../src/language/typescript/check/checker.ts";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import type { Folder, Sandbox } from "../../src/sandbox/sandbox.ts";
import { MODULE_NAMES } from "../../src/world/modules.ts";
import { serverRecord, toolRecord } from "../fixtures/codegen/records.ts";

const SERVERS = [serverRecord("github", [toolRecord({ name: "createIssue" })]), serverRecord("path_db", [])];

let sandbox: Sandbox;
let checker: Checker;
let workspace: Folder;

beforeAll(async () => {
  sandbox = createSandbox({ poolSize: 1 });
  checker = createChecker({ servers: () => SERVERS, timeoutMs: 20_000 });
  workspace = { name: "workspace", dir: await mkdtemp(join(tmpdir(), "keyhole-test-")), access: "write" };
});
afterAll(async () => {
  checker.close();
  await sandbox.close();
  await rm(workspace.dir, { recursive: true, force: true });
});

type Logs = [level: string, text: string][];

/** The whole way of a program: prepared, checked, run. */
async function run(source: string, servers: readonly string[] = ["github"]) {
  const prepared = checker.prepare(source);
  if (!prepared.ok) throw new Error(`${prepared.error.message}. ${prepared.error.hint}`);
  const checked = await checker.check(source, prepared);
  if (!checked.ok) throw new Error(checked.error.errors.map(({ message }) => message).join("; "));
  expect(checked.skipped).toBeUndefined();
  const logs: Logs = [];
  const finished = prepared.finish();
  if (!finished.ok) throw new Error(finished.error.message);
  const { code, modules } = finished;
  const outcome = await sandbox.run(
    { code, modules, servers, hostFolders: ["servers"] },
    {
      callTool: async (server, tool) => `${server}.${tool}`,
      callOwn: async () => ({ kind: "file", text: "types" }),
      onLog: (level, text) => logs.push([level, text]),
    },
    { folders: [workspace] },
  );
  return { outcome, logs, modules };
}

async function returned(source: string, servers?: readonly string[]): Promise<unknown> {
  const { outcome } = await run(source, servers);
  if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
  return outcome.value;
}

/** How programs get at a module: `NAME` is its name, `x` what they call it. */
const FORMS = [
  'import x from "node:NAME"; BODY',
  'import * as x from "NAME"; BODY',
  'import x = require("NAME"); BODY',
  'const x = require("node:NAME"); BODY',
  'const x = await import("NAME"); BODY',
  'const { default: x } = await import("node:NAME"); BODY',
];

/** What each module does, in few words, and what comes of it in Node. */
const USES: readonly [module: string, body: string, result: unknown][] = [
  ["assert", "x.equal(1, 1); x.deepStrictEqual({ a: [1] }, { a: [1] }); return 'held'", "held"],
  ["assert/strict", "try { x.equal(1, '1') } catch (e) { return e.code }", "ERR_ASSERTION"],
  ["buffer", "return x.Buffer.from('hé').toString('base64')", "aMOp"],
  ["crypto", "return x.createHash('md5').update('a').digest('hex')", "0cc175b9c0f1b6a831c399e269772661"],
  [
    "events",
    "const e = new x.EventEmitter(); let n = 0; e.on('a', (v) => { n += v }); e.emit('a', 2); return n",
    2,
  ],
  ["fs", "x.writeFileSync('./workspace/f', 'text'); return x.readFileSync('./workspace/f', 'utf8')", "text"],
  [
    "fs/promises",
    "await x.writeFile('workspace/g', 'text'); return x.readFile('workspace/g', 'utf8')",
    "text",
  ],
  ["os", "return [x.EOL, x.platform(), x.tmpdir()]", ["\n", "linux", "/workspace"]],
  ["path", "return [x.join('a', '..', 'b'), x.extname('c.tar.gz'), x.resolve('d')]", ["b", ".gz", "/d"]],
  ["path/posix", "return x.relative('/a/b', '/a/c/d')", "../c/d"],
  ["perf_hooks", "const t = x.performance.now(); return x.performance.now() >= t", true],
  ["process", "return [x.env.HOME, x.argv.length, x.cwd(), x.platform]", [null, 2, "/", "linux"]],
  ["querystring", "return x.stringify(x.parse('a=1&b=2&b=3'))", "a=1&b=2&b=3"],
  [
    "readline",
    "const { Readable } = require('stream'); const lines = []; for await (const l of x.createInterface({ input: Readable.from(['a\\nb']) })) lines.push(l); return lines",
    ["a", "b"],
  ],
  [
    "readline/promises",
    "const { Readable } = require('stream'); const rl = x.createInterface({ input: Readable.from(['yes\\n']) }); const a = await rl.question('?'); rl.close(); return a",
    "yes",
  ],
  ["stream", "return x.Readable.from([1, 2, 3]).map((n) => n * 2).toArray()", [2, 4, 6]],
  ["stream/consumers", "return x.json(require('stream').Readable.from(['{\"a\":', '1}']))", { a: 1 }],
  [
    "stream/promises",
    "const { Readable, Writable } = require('stream'); let text = ''; await x.pipeline(Readable.from(['a', 'b']), new Writable({ write(chunk, _, done) { text += chunk; done() } })); return text",
    "ab",
  ],
  [
    "stream/web",
    "return (await new x.ReadableStream({ start(c) { c.enqueue(1) } }).getReader().read()).value",
    1,
  ],
  ["string_decoder", "return new x.StringDecoder('utf8').write(new Uint8Array([0xc3, 0xa9]))", "é"],
  ["timers", "return new Promise((resolve) => x.setTimeout(() => resolve('late'), 1))", "late"],
  ["timers/promises", "return x.setTimeout(1, 'later')", "later"],
  [
    "url",
    "return [new x.URL('https://a.b/c').host, x.fileURLToPath('file:///workspace/a')]",
    ["a.b", "/workspace/a"],
  ],
  ["util", "return [x.inspect({ a: { b: {} } }), x.format('%s=%d', 'a', 1)]", ["{ a: { b: {} } }", "a=1"]],
  ["util/types", "return [x.isDate(new Date()), x.isMap([])]", [true, false]],
  ["zlib", "return x.gunzipSync(x.gzipSync('zipped')).toString()", "zipped"],
];

describe("a module", () => {
  it("is tried for each one that there is", () => {
    expect(USES.map(([module]) => module)).toEqual([...MODULE_NAMES].sort());
  });

  for (const [module, body, result] of USES) {
    it.each(FORMS.map((form) => form.replace("NAME", module).replace("BODY", body)))(
      "works by %s",
      async (source) => {
        expect(await returned(source)).toEqual(result);
      },
    );
  }
});

describe("an ordinary program", () => {
  it.each<[string, unknown]>([
    // Names taken out of a module.
    ['import { join, basename as base } from "path"; return base(join("a", "b.txt"), ".txt")', "b"],
    ['import path, { sep } from "node:path"; return path.join("a", sep, "b")', "a/b"],
    [
      'const { readFile, writeFile } = require("fs/promises"); await writeFile("./workspace/a", "1"); return readFile("./workspace/a", "utf8")',
      "1",
    ],
    [
      'const { promises: fs } = require("fs"); await fs.writeFile("workspace/b", "2"); return (await fs.readFile("workspace/b")).toString()',
      "2",
    ],
    ['return require("path").join("a", "b")', "a/b"],
    ['return require("crypto").randomBytes(8).toString("hex").length', 16],
    ["return require(`os`).EOL", "\n"],
    [
      'const { once, EventEmitter } = require("events"); const e = new EventEmitter(); setTimeout(() => e.emit("x", 5), 1); return (await once(e, "x"))[0]',
      5,
    ],
    [
      'import EventEmitter from "events"; class Jobs extends EventEmitter { start() { this.emit("done", 3) } } const j = new Jobs(); return new Promise((r) => { j.on("done", r); j.start() })',
      3,
    ],
    [
      'import { EventEmitter } from "node:events"; const e: EventEmitter = new EventEmitter(); e.once("a", () => {}); return e.listenerCount("a")',
      1,
    ],
    ['import { strict as assert } from "assert"; assert.equal(1, 1); return "ok"', "ok"],
    ['import assert from "node:assert"; assert(true); assert.ok(1); return "ok"', "ok"],
    [
      'import type { ParsedPath } from "path"; import { parse } from "path"; const p: ParsedPath = parse("/a/b.c"); return p.name',
      "b",
    ],
    ['import { setTimeout as sleep } from "timers/promises"; await sleep(2); return "slept"', "slept"],
    [
      'import { promisify } from "util"; const sleep = promisify(setTimeout); await sleep(1); return "slept"',
      "slept",
    ],
    ['import { performance } from "perf_hooks"; return typeof performance.now()', "number"],
    ['import process from "node:process"; return process.argv[0]', "node"],
    ['import { argv, env } from "process"; return [argv.length, Object.keys(env)]', [2, []]],
    ['import { Buffer } from "buffer"; return Buffer.from("ff", "hex")[0]', 255],
    ['import { createServer } from "./servers/github"; return 1'.replace("createServer", "createIssue"), 1],
    ['const { createIssue } = require("./servers/github"); return createIssue({})', "github.createIssue"],
    ['return require("./servers/github").createIssue({})', "github.createIssue"],
    // Without any import.
    [
      "await fs.writeFile('./workspace/c.csv', 'a,b'); return fs.readFile('./workspace/c.csv', 'utf8')",
      "a,b",
    ],
    [
      "fs.writeFileSync('./workspace/d.txt', 'sync'); return [fs.existsSync('./workspace/d.txt'), fs.existsSync('workspace/none')]",
      [true, false],
    ],
    ["return path.join('./workspace', `${'a'}.csv`)", "workspace/a.csv"],
    ["return crypto.createHash('sha256').update('a').digest('hex').slice(0, 6)", "ca9781"],
    ["return [crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(2)).length]", [36, 2]],
    [
      "const h = crypto.createHmac('sha1', 'k').update('a').digest('hex'); return [h.length, crypto.randomUUID().length, (await crypto.subtle.digest('SHA-1', new Uint8Array(1))).byteLength]",
      [40, 36, 20],
    ],
    ["return ['a', 'b'].join(os.EOL)", "a\nb"],
    ["return util.inspect({ a: [1, 2] }, { depth: null })", "{ a: [ 1, 2 ] }"],
    ["const { promisify } = util; return promisify((a, done) => done(null, a + 1))(1)", 2],
    ["return util.isDeepStrictEqual({ a: 1 }, { a: 1 })", true],
    ["return zlib.gunzipSync(zlib.gzipSync('x'.repeat(1000))).length", 1000],
    ["return url.parse('https://a.b/c?d=1', true).query.d", "1"],
    ["return querystring.parse('a=1').a", "1"],
    ["const e = new events.EventEmitter(); return e.emit('none')", false],
    ["return { ...process.env, cwd: process.cwd() }", { cwd: "/" }],
    [
      "return [typeof process.hrtime.bigint(), process.hrtime().length, process.memoryUsage().heapUsed > 0, process.uptime() >= 0]",
      ["bigint", 2, true, true],
    ],
    [
      "const done = []; process.nextTick((v) => done.push(v), 'tick'); await null; await null; return done",
      ["tick"],
    ],
    [
      "process.on('unhandledRejection', () => {}); process.once('exit', () => {}); return process.listenerCount('exit')",
      1,
    ],
    ["assert.strictEqual(1, 1); return 1", 1],
    ["return await new Promise((resolve) => setImmediate(resolve, 'soon'))", "soon"],
    ["const id = setImmediate(() => { throw new Error('no') }); clearImmediate(id); return 1", 1],
    // A name of the program's own comes first.
    ["const path = '/a'; return path.length", 2],
    ["const url = new URL('https://a.b/c'); return url.host", "a.b"],
    ["function stream(events) { return events.length } return stream([1])", 1],
    ["for (const os of ['a']) return os.length", 1],
    ["return [{ path: 'x' }].map(({ path }) => path.toUpperCase())", ["X"]],
    ["const { fs } = { fs: { a: 1 } }; return fs.a", 1],
    ["const require = (name) => name.length; return require('anything')", 8],
    // Files in all ways.
    [
      "const fs = require('fs'); return new Promise((resolve) => fs.writeFile('./workspace/e', 'cb', () => fs.readFile('./workspace/e', 'utf8', (error, text) => resolve([error, text]))))",
      [null, "cb"],
    ],
    [
      "fs.mkdirSync('./workspace/dir/in', { recursive: true }); fs.writeFileSync('./workspace/dir/in/a.json', '{}'); return fs.readdirSync('./workspace/dir', { recursive: true })",
      ["in", "in/a.json"],
    ],
    [
      "fs.writeFileSync('workspace/s', 'abc'); const s = fs.statSync('workspace/s'); fs.renameSync('workspace/s', 'workspace/t'); fs.copyFileSync('workspace/t', 'workspace/u'); fs.unlinkSync('workspace/t'); fs.rmSync('workspace/u'); return [s.size, s.isFile(), s.mtime instanceof Date, fs.statSync('workspace/t', { throwIfNoEntry: false })]",
      [3, true, true, null],
    ],
    [
      "import { createWriteStream, createReadStream } from 'fs'; const out = createWriteStream('./workspace/s.txt'); out.write('a\\n'); out.end('b\\n'); await new Promise((r) => out.on('finish', r)); let text = ''; for await (const part of createReadStream('./workspace/s.txt', 'utf8')) text += part; return text",
      "a\nb\n",
    ],
    [
      "import fs from 'fs'; import readline from 'readline'; fs.writeFileSync('./workspace/l', 'x\\ny\\n'); const lines = []; for await (const line of readline.createInterface({ input: fs.createReadStream('./workspace/l'), crlfDelay: Infinity })) lines.push(line); return lines",
      ["x", "y"],
    ],
    [
      "import { pipeline } from 'stream/promises'; import fs from 'fs'; import zlib from 'zlib'; fs.writeFileSync('./workspace/p', 'p'.repeat(200000)); await pipeline(fs.createReadStream('./workspace/p'), zlib.createGzip(), fs.createWriteStream('./workspace/p.gz')); return zlib.gunzipSync(fs.readFileSync('./workspace/p.gz')).length",
      200000,
    ],
    [
      "import fs from 'fs'; import { Transform } from 'stream'; fs.writeFileSync('./workspace/up', 'abc'); const up = new Transform({ transform(chunk, _, done) { done(null, chunk.toString().toUpperCase()) } }); return (await fs.createReadStream('./workspace/up').pipe(up).toArray()).join('')",
      "ABC",
    ],
    [
      "const { createHash } = require('crypto'); const fs = require('fs'); fs.writeFileSync('./workspace/h', 'a'); return createHash('md5').update(fs.readFileSync('./workspace/h')).digest('hex').slice(0, 4)",
      "0cc1",
    ],
    [
      "fs.writeFileSync('./workspace/bin', Buffer.from([1, 2, 3, 4])); return fs.readFileSync('./workspace/bin').readUInt16BE(1)",
      515,
    ],
    [
      "const b = fs.readFileSync('./workspace/bin'); return [Buffer.isBuffer(b), b.toString('base64')]",
      [true, "AQIDBA=="],
    ],
    [
      "fs.appendFileSync('./workspace/log', 'one\\n'); fs.appendFileSync('./workspace/log', 'two\\n'); return fs.readFileSync('./workspace/log', 'utf-8').trim().split('\\n').length",
      2,
    ],
    [
      "import { fileURLToPath } from 'url'; import { dirname, join } from 'path'; const here = dirname(fileURLToPath(import.meta.url)); await fs.writeFile(join(here, 'workspace', 'here'), 'x'); return fs.existsSync('./workspace/here')",
      true,
    ],
    [
      "const file = path.join(__dirname, 'workspace', 'dir.txt'); fs.writeFileSync(file, 'x'); return file",
      "/workspace/dir.txt",
    ],
    ["async function main() { return 'main' } if (require.main === module) return main()", "main"],
    ["return (await fs.promises.readFile('./servers/github/index.ts', 'utf8'))", "types"],
  ])("does what it does in Node: %s", async (source, result) => {
    expect(await returned(source)).toEqual(result);
  });

  it("writes lines by process.stdout, in order with what it logs", async () => {
    const { logs } = await run(
      "process.stdout.write('a'); process.stdout.write('b\\nc'); console.log('d'); process.stderr.write('e\\n'); process.stdout.write('rest')",
    );
    expect(logs).toEqual([
      ["info", "ab"],
      ["info", "c"],
      ["info", "d"],
      ["error", "e"],
      ["info", "rest"],
    ]);
  });

  it("can be piped into process.stdout, more than once", async () => {
    const { logs } = await run(
      "import { Readable } from 'stream'; for (const t of ['a\\n', 'b\\n']) { const s = Readable.from([t]); s.pipe(process.stdout); await new Promise((r) => s.on('close', r)) } console.log('end')",
    );
    expect(logs.map(([, text]) => text)).toEqual(["a", "b", "end"]);
  });

  it("ends by process.exit with what is there", async () => {
    const { outcome, logs } = await run(
      "console.log('a'); process.stdout.write('b'); process.exit(); console.log('never')",
    );
    expect(outcome).toMatchObject({ ok: true, value: undefined });
    expect(logs.map(([, text]) => text)).toEqual(["a", "b"]);
  });

  it.each([
    "process.exit(3)",
    "process.exitCode = 3",
    "setTimeout(() => process.exit(3), 1); await new Promise(() => {})",
  ])("fails with its exit code: %s", async (source) => {
    const { outcome, logs } = await run(`console.log("kept"); ${source}`);
    expect(outcome).toMatchObject({
      ok: false,
      error: { kind: "exception", message: "The program ended itself with the exit code 3" },
    });
    expect(logs.map(([, text]) => text)).toEqual(["kept"]);
  });

  it("makes no call after process.exit", async () => {
    const { outcome } = await run("process.exit(); await github.createIssue({})");
    expect(outcome).toMatchObject({ ok: true, used: { calls: 0 } });
  });

  it("uses a module beside a server of the same name, which has another", async () => {
    const own = createChecker({
      servers: () => [serverRecord("path", [toolRecord({ name: "find" })])],
      timeoutMs: 20_000,
    });
    const source = "return [path.join('a', 'b'), await path_.find({})]";
    const prepared = await own.prepare(source);
    if (!prepared.ok) throw new Error(prepared.error.message);
    expect(await own.check(source, prepared)).toEqual({ ok: true });
    const finished = prepared.finish();
    own.close();
    if (!finished.ok) throw new Error(finished.error.message);
    const { code, modules } = finished;
    const program = { code, modules, servers: ["path_"] };
    const outcome = await sandbox.run(program, { callTool: async (server, tool) => `${server}.${tool}` });
    expect(outcome).toMatchObject({ ok: true, value: ["a/b", "path_.find"] });
  });

  it("writes its files where the user finds them", async () => {
    await returned("await fs.writeFile('./workspace/found.txt', 'here')");
    expect(await readFile(join(workspace.dir, "found.txt"), "utf8")).toBe("here");
  });

  it.each([
    "return 1",
    "const path = 'a'; return { path, url: path }",
    "return crypto.randomUUID()",
    "return \"require('fs')\"",
  ])("loads nothing that it does not use: %s", async (source) => {
    expect((await run(source)).modules).toEqual([]);
  });
});
