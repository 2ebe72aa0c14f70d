import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Folder, Host, Sandbox, SandboxRunOptions } from "../../src/sandbox/sandbox.ts";

/** The part of the conformance suite about when a program ends: when nothing is left to do, as in Node. */
export function testEndings(world: () => { sandbox: Sandbox; workspace: Folder }): void {
  const SLEEP = "const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n";

  async function run(
    code: string,
    options: SandboxRunOptions = {},
    answer: Host["callTool"] = async () => ({}),
  ) {
    const made: string[] = [];
    const logs: string[] = [];
    const host: Host = {
      callTool: async (...call) => {
        made.push(call[1]);
        return answer(...call);
      },
      onLog: (level, text) => logs.push(level === "info" ? text : `${level}: ${text}`),
    };
    const { sandbox, workspace } = world();
    const program = {
      code: SLEEP + code,
      servers: ["github"],
      modules: code.includes("modules.fs") ? ["fs"] : [],
    };
    const outcome = await sandbox.run(program, host, { folders: [workspace], ...options });
    return { outcome, made, logs };
  }

  describe("a program's end", () => {
    it.each([
      ["main", "async function main() { await github.a(); await sleep(30); await github.b() }\nmain()"],
      [
        "main, its errors caught",
        "const main = async () => { await github.a(); await sleep(5); await github.b() };\nmain().catch(console.error)",
      ],
      [
        "a function called in place",
        "(async () => { await github.a(); await sleep(30); await github.b() })()",
      ],
      ["a chain of then", "github.a().then(() => sleep(20)).then(() => github.b()).then(() => sleep(5))"],
      ["a then without a return", "github.a().then(() => { setTimeout(() => github.b(), 20) })"],
      [
        "forEach with an async function",
        "['a', 'b'].forEach(async (tool) => { await sleep(10); await github[tool]() })",
      ],
      [
        "a retry with backoff",
        "const retry = async (work, left) => { try { return await work() } catch (e) { if (left === 0) throw e; await sleep(10); return retry(work, left - 1) } };\nlet n = 0; retry(async () => { await github.a(); if (++n < 2) throw new Error('again') }, 3).then(() => github.b())",
      ],
      [
        "nested timers",
        "setTimeout(() => { github.a(); setTimeout(() => setTimeout(() => github.b(), 5), 5) }, 5)",
      ],
      [
        "an interval that is cleared",
        "let n = 0; const id = setInterval(() => { github[n++ === 0 ? 'a' : 'b'](); if (n > 1) clearInterval(id) }, 10)",
      ],
      [
        "a race with a time-out",
        "const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 40)); late.catch(() => {});\nPromise.race([sleep(10), late]).then(() => github.a()).then(() => github.b())",
      ],
      [
        "events",
        "const target = new EventTarget(); target.addEventListener('x', async () => { await github.a(); await sleep(5); await github.b() });\nsetTimeout(() => target.dispatchEvent(new Event('x')), 10)",
      ],
      [
        "an async generator",
        "async function* pages() { for (const tool of ['a', 'b']) { await sleep(5); yield tool } }\n(async () => { for await (const tool of pages()) await github[tool]() })()",
      ],
      [
        "a stream",
        "new Response(new Blob(['x'.repeat(1e5)]).stream().pipeThrough(new CompressionStream('gzip'))).bytes().then(async (bytes) => { await github.a({ n: bytes.length }); await github.b() })",
      ],
      [
        "a chain of microtasks",
        "let n = 0; const next = () => { if (++n < 1000) queueMicrotask(next); else github.a().then(() => github.b()) }; next()",
      ],
      [
        "a digest",
        "crypto.subtle.digest('SHA-256', new Uint8Array(1e6)).then(() => github.a()).then(() => crypto.subtle.digest('SHA-1', new Uint8Array(1e6))).then(() => github.b())",
      ],
      [
        "compiled wasm",
        "WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => github.a()).then(() => github.b())",
      ],
      [
        "messages",
        "const { port1, port2 } = new MessageChannel(); port1.onmessage = async ({ data }) => { port1.close(); await github.a(); await github.b() }; port2.postMessage(1)",
      ],
      [
        "a time-out signal with a listener",
        "AbortSignal.timeout(20).addEventListener('abort', async () => { await github.a(); await github.b() })",
      ],
      [
        "an import",
        "import('data:text/javascript,export default 1').then(() => github.a(), () => github.a()).then(() => github.b())",
      ],
      [
        "work after the return",
        "setTimeout(async () => { await github.a(); await sleep(5); await github.b() }, 10); return 1",
      ],
      [
        "the last of many calls",
        "for (let n = 0; n < 30; n++) await callMCPTool('other__x');\nsetTimeout(() => github.a(), 5); sleep(10).then(() => github.b())",
      ],
      ["scheduled by a call's answer", "github.a().finally(() => setTimeout(() => github.b(), 0))"],
      ["setImmediate", "setImmediate(() => github.a().then(() => setImmediate(() => github.b())))"],
    ])("waits for %s", async (_what, code) => {
      const { outcome, made } = await run(code);
      expect(outcome).toMatchObject({ ok: true });
      expect([...new Set(made)].filter((tool) => tool !== "x")).toEqual(["a", "b"]);
    });

    it("waits for files that are still being written", async () => {
      const workspace: Folder = {
        ...world().workspace,
        dir: await mkdtemp(join(world().workspace.dir, "late-")),
      };
      const code = `const fs = __keyhole.modules.fs.promises;
        fs.writeFile("./workspace/a.txt", "a".repeat(1e6)).then(() => fs.readFile("./workspace/a.txt", "utf8"))
          .then((text) => fs.writeFile("./workspace/b.txt", String(text.length)))`;
      expect((await run(code, { folders: [workspace] })).outcome).toMatchObject({ ok: true });
      expect(await readFile(join(workspace.dir, "b.txt"), "utf8")).toBe("1000000");
    });

    it("returns what was filled in by work that it did not await", async () => {
      const { outcome } = await run(
        "const found = []; [1, 2].forEach(async (n) => { await sleep(5); found.push((await github.x({ n })).n) }); return found",
        {},
        async (_server, _tool, args) => args,
      );
      expect(outcome).toMatchObject({ ok: true, value: [1, 2] });
    });

    it("does not wait for a listener, a weak reference, or a signal's time that nobody listens to", async () => {
      const code = `addEventListener("x", () => {}); new FinalizationRegistry(() => {}).register({}, 1);
        AbortSignal.timeout(9e5); const { signal } = new AbortController();
        await github.x({}, { signal: AbortSignal.any([signal, AbortSignal.timeout(9e5)]) }); return 1`;
      expect((await run(code)).outcome).toMatchObject({ ok: true, value: 1 });
    });
  });

  describe("a rejection that nobody handled", () => {
    it.each([
      ["in main", "async function main() { await github.a();\n throw new Error('left') }\nmain()", 3],
      ["after a timer", "(async () => { await sleep(10);\n throw new Error('left') })(); return 1", 3],
      ["in a timer", "setTimeout(() => {\n throw new Error('left') }, 10); return 1", 3],
      ["in the last microtask", "Promise.resolve().then(() => {\n throw new Error('left') }); return 1", 3],
      ["in a callback of then", "github.a().then(() => {\n throw new Error('left') }); return 1", 3],
      ["in forEach", "[1].forEach(async () => { await github.a();\n throw new Error('left') })", 3],
      [
        "in a listener",
        "addEventListener('x', () => {\n throw new Error('left') }); setTimeout(() => dispatchEvent(new Event('x')), 5)",
        3,
      ],
    ])("fails the run %s, with its place", async (_where, code, line) => {
      expect((await run(code)).outcome).toMatchObject({
        ok: false,
        error: { kind: "exception", message: "left", location: { line } },
      });
    });

    it("is a tool's, with the place of the call", async () => {
      const failing: Host["callTool"] = () => Promise.reject(new Error("No such repo"));
      expect(
        (await run("setTimeout(() => {\n github.a() }, 5); return 1", {}, failing)).outcome,
      ).toMatchObject({
        ok: false,
        error: { kind: "tool_error", server: "github", tool: "a", location: { line: 3 } },
      });
    });

    it("does not fail it when it is handled in time", async () => {
      const code =
        "const late = Promise.reject(new Error('x')); await null; await late.catch(() => {}); return 1";
      expect((await run(code)).outcome).toMatchObject({ ok: true, value: 1 });
    });
  });

  describe("a promise that nothing can settle", () => {
    const AWAIT = "const $ka = __keyhole.awaiting;\n";

    it("is an error with the line that awaits it", async () => {
      const { outcome } = await run(`${AWAIT} await $ka("12:7", new Promise(() => {}))`);
      expect(outcome).toMatchObject({
        ok: false,
        error: {
          kind: "stuck",
          message: "Line 12 awaits a promise that nothing can settle any more",
          source: { line: 12, column: 7 },
        },
      });
    });

    it.each([
      ["at once", 'async function main() { await $ka("3:5", new Promise(() => {})) }'],
      [
        "after a call",
        'async function main() { await $ka("2:1", github.a()); await $ka("3:5", new Promise(() => {})) }',
      ],
      [
        "in one of many",
        'async function main() { await $ka("4:1", Promise.all([1, 2].map(async (n) => { await $ka("2:1", github.a()); if (n === 2) await $ka("3:5", new Promise(() => {})) }))) }',
      ],
    ])("names the innermost line first, stuck %s", async (_when, main) => {
      const { outcome } = await run(`${AWAIT}${main}\nawait $ka("9:1", main())`);
      expect(outcome).toMatchObject({
        error: {
          kind: "stuck",
          source: { line: 3, column: 5 },
          message: expect.stringMatching(/^Line 3 .*9 too\)$/),
        },
      });
    });

    it.each([
      ["awaited", "await new Promise(() => {})"],
      ["returned", "return new Promise(() => {})"],
      ["of a place that is none", '__keyhole.awaiting("x", new Promise(() => {})); await { then() {} }'],
    ])("is an error without a line where none is known, %s", async (_how, code) => {
      const { outcome } = await run(code);
      expect(outcome).toMatchObject({
        error: { kind: "stuck", message: "The program awaits a promise that nothing can settle any more" },
      });
    });

    it("is a warning when the program itself has come to its end", async () => {
      const { outcome, logs } = await run(
        `${AWAIT}async function side() { await $ka("7:3", new Promise(() => {})) }\nside(); return 5`,
      );
      expect(outcome).toMatchObject({ ok: true, value: 5 });
      expect(logs).toEqual(["warn: (line 7 still awaits a promise that nothing can settle any more)"]);
    });

    it("is not one that is settled, and awaiting leaves values as they are", async () => {
      const { outcome, logs } = await run(`${AWAIT}
        const rejected = Promise.reject(new Error("x")); const then = { then: (done) => done(3) };
        class Own extends Promise {}
        const own = Own.resolve(4); const same = $ka("1:1", own) === own;
        const caught = await $ka("2:1", rejected).catch(() => 2);
        return [await $ka("3:1", 1), caught, await $ka("4:1", then), await $ka("5:1", own), same, await $ka("6:1", github.a())]`);
      expect(outcome).toMatchObject({ ok: true, value: [1, 2, 3, 4, true, {}] });
      expect(logs).toEqual([]);
    });
  });

  describe("a hostile end", () => {
    const soon = { limits: { sleepMs: 1000, cpuMs: 3000, wallMs: 3000 } };

    it.each([
      ["Promise.prototype.then = () => {}; return 1"],
      ["Promise.prototype.then = function () { throw new Error('no') }; return 1"],
      [
        "Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('no') } }); __keyhole.awaiting('1:1', Promise.resolve()); return 1",
      ],
      [
        "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw new Error('no') } }); return 1",
      ],
      ["globalThis.setTimeout = globalThis.queueMicrotask = () => {}; return 1"],
      ["globalThis.dispatchEvent = () => true; EventTarget.prototype.dispatchEvent = () => true; return 1"],
      ["EventTarget.prototype.addEventListener = null; Event.prototype.preventDefault = () => {}; return 1"],
      [
        "addEventListener('beforeunload', (event) => { event.stopImmediatePropagation(); throw new Error('no') }); return 1",
      ],
      ["addEventListener('beforeunload', () => setTimeout(() => github.a(), 5)); return 1"],
      ["dispatchEvent(new Event('beforeunload', { cancelable: true })); await sleep(5); return 1"],
      ["dispatchEvent(new Event('unload')); return 1"],
      ["Map.prototype.values = Array.prototype.sort = Array.prototype.filter = () => { throw 1 }; return 1"],
      ['JSON.stringify = () => \'{"ok":true,"value":"forged"}\'; return 1'],
      ["Set.prototype.has = Map.prototype.delete = () => false; await github.a(); return 1"],
      ["return { toJSON() { setTimeout(() => {}, 9e5); return 1 } }"],
      ["return { toJSON() { for (;;); } }"],
      ["setInterval(() => {}, 0); return 1"],
      ["for (let n = 0; n < 1e5; n++) setTimeout(() => {}, 9e5); return 1"],
      ["const again = () => setTimeout(again, 0); again(); return 1"],
      ["const again = () => Promise.resolve().then(again); again(); return 1"],
      ["const again = () => queueMicrotask(again); again(); await new Promise(() => {})"],
      ["new MessageChannel().port1.onmessage = () => {}; return 1"],
      ["Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return 1"],
      [
        "for (let n = 0; n < 2e5; n++) __keyhole.awaiting(`${n}:1`, new Promise(() => {})); await new Promise(() => {})",
      ],
      ["__keyhole.awaiting({ toString() { throw 1 } }, new Promise(() => {})); await new Promise(() => {})"],
      ["__keyhole.awaiting('1:1', new Proxy(Promise.resolve(), { getPrototypeOf() { throw 1 } })); return 1"],
    ])("comes to an outcome: %s", async (code) => {
      const { outcome } = await run(code, soon);
      if (outcome.ok) expect([1, "forged"]).toContain(outcome.value);
      else expect(["exception", "exit", "cpu", "timeout", "stuck", "memory"]).toContain(outcome.error.kind);
    });
  });
}
