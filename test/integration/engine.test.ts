import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../src/engine/create-engine.ts";
import type { EngineEvent } from "../../src/engine/events/event.ts";
import { createSession } from "../../src/session.ts";
import { openEngine } from "../fixtures/engine.ts";
import { fixture, reference, tempDir } from "../fixtures/project.ts";

async function engineWith(servers: Record<string, unknown>, options: EngineOptions = {}, config?: unknown) {
  const { engine, opened } = await openEngine(servers, { ...options, config });
  return { engine, dir: opened.dir };
}

describe("a program", () => {
  it("calls tools of several servers, and only what it prints and returns comes out", async () => {
    const { engine } = await engineWith({ good: fixture("good", "good", "2"), memory: reference("memory") });
    const code = `
      import { good0 } from "./servers/good";
      const first = await good0({ value: "a secret" });
      const second = await good.good1({ value: "x" });
      const third = await callMCPTool("good__good_0", { value: "y" });
      const graph = await memory.readGraph();
      console.log("calls", [first, second, third].length, graph.entities.length);
      return { echoed: second.echoed };
    `;
    const result = await engine.run({ code });
    expect(result).toMatchObject({
      ok: true,
      result: { echoed: { value: "x" } },
      logs: [{ level: "info", text: "calls 3 0" }],
      calls: [
        { server: "good", tool: "good_0", ok: true },
        { server: "good", tool: "good_1", ok: true },
        { server: "good", tool: "good_0", ok: true },
        { server: "memory", tool: "read_graph", ok: true },
      ],
    });
    expect(result.text).not.toContain("a secret");
    expect(result.receipt).toMatchObject({
      calls: 4,
      seenTokens: expect.any(Number),
      keptTokens: expect.any(Number),
    });
  });

  it("has as many calls of a server in flight as its settings allow", async () => {
    const config = { servers: { crowd: { maxConcurrency: 12 } } };
    const { engine } = await engineWith({ crowd: fixture("gathers", "12") }, {}, config);
    const code = "return Promise.all(Array.from({ length: 12 }, () => crowd.gather({})))";
    expect(await engine.run({ code })).toMatchObject({ ok: true, result: Array(12).fill("together") });
  });

  it("catches a tool's failure as ToolError, with the server's words", async () => {
    const { engine } = await engineWith({ results: fixture("results") });
    const code = `
      try { await results.failure({}); } catch (error) {
        return [error instanceof ToolError, error.server, error.tool, error.message];
      }
    `;
    expect(await engine.run({ code })).toMatchObject({
      ok: true,
      result: [true, "results", "failure", "it did not work"],
      calls: [{ tool: "failure", ok: false }],
    });
  });

  it("is refused with the signature and the near name when it calls what is not there, before anything ran", async () => {
    const { engine } = await engineWith({ memory: reference("memory") });
    const result = await engine.run({
      code: "await memory.deleteEntities({ entityNames: ['x'] });\nreturn memory.readgrph();",
    });
    expect(result).toMatchObject({ ok: false, error: { kind: "types" }, calls: [] });
    expect(result.text).toContain("readGraph");
    expect(result.text).toContain("2:");
  });

  it("runs unchecked when the check is off, and the bridge still names the near tool", async () => {
    const { engine } = await engineWith({ memory: reference("memory") }, { checkTypes: false });
    const result = await engine.run({ code: "return memory.readgrph();" });
    expect(result).toMatchObject({ ok: false });
    expect(result.text).toContain('Did you mean "readGraph"?');
  });

  it("sees in a stack that it logs the lines as they were written", async () => {
    const { engine } = await engineWith({ good: fixture("good") });
    const code = [
      "interface Row { id: number }",
      "// a comment",
      'function fail(row: Row): never { throw new Error("no " + row.id); }',
      "try {",
      "  await null; fail({ id: 1 });",
      "} catch (error) { console.log(error.stack); }",
    ].join("\n");
    const { logs } = await engine.run({ code });
    expect(logs[0]?.text).toMatch(/^Error: no 1\n {4}at fail \(program:3:40\)\n.*\(program:5:15\)$/);
  });

  it("has the lines as they were written in the stack of its failure", async () => {
    const { engine } = await engineWith({ good: fixture("good") });
    const code = [
      "interface Row { id: number }",
      "function fail(): never { throw new Error('no'); }",
      "fail();",
    ];
    const { error } = await engine.run({ code: code.join("\n") });
    expect(error).toMatchObject({
      location: { line: 2, column: 32 },
      stack: [{ line: 2, column: 32, function: "fail" }, { line: 3 }],
    });
  });

  it.each([
    ["setTimeout(() => {}, 1)", undefined],
    ["setImmediate(() => {})", undefined],
    [
      'const e = new (require("events").EventEmitter)(); setTimeout(() => e.emit("x"), 1); e.on("x", () => {})',
      undefined,
    ],
    ['require("stream").Readable.from(["a"]).pipe(new (require("stream").PassThrough)())', undefined],
    [
      "const a: any = { n: 1, twice: [] }; a.twice.push(a.twice); a.me = a; a",
      { n: 1, twice: ["[Circular]"], me: "[Circular]" },
    ],
    [
      "const one = { a: 1 }; const all = [one, one] as any[]; all.push({ all }); all",
      [{ a: 1 }, { a: 1 }, { all: "[Circular]" }],
    ],
  ])("that ends in %s loses nothing and shows no insides", async (code, value) => {
    const { engine } = await engineWith({ good: fixture("good") });
    expect(await engine.run({ code })).toMatchObject({ ok: true, result: value });
  });

  it("finds tools by searchTools", async () => {
    const { engine } = await engineWith({ memory: reference("memory") });
    const result = await engine.run({
      code: 'return (await searchTools("delete entities", "name")).tools[0].function;',
    });
    expect(result).toMatchObject({ ok: true, result: "memory.deleteEntities" });
  });

  it("keeps what is too long for an answer, and says how to read it", async () => {
    const { engine, dir } = await engineWith({ good: fixture("good") });
    const result = await engine.run({
      code: "return Array.from({ length: 5000 }, (_, id) => ({ id, name: `user ${id}` }));",
    });
    const [, path = "", name = ""] = /\.\/(workspace\/results\/([^"]+))/.exec(result.text) ?? [];
    const file = join(dir, ".keyhole/results/local/shared", name);
    expect(JSON.parse(await readFile(file, "utf8"))).toHaveLength(5000);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await engine.run({
      code: `import { readFile } from "fs/promises"; return JSON.parse(await readFile("./${path}", "utf8")).length;`,
    });
    expect(again).toMatchObject({ ok: true, result: 5000 });
  });

  it("hands content blocks to the user by emit", async () => {
    const { engine } = await engineWith({ results: fixture("results") });
    const result = await engine.run({
      code: "const blocks = await results.image({}); emit(blocks[1]); return 'done';",
    });
    expect(result.emitted).toEqual([{ type: "image", data: "aGk=", mimeType: "image/png" }]);
    expect(result.text).not.toContain("aGk=");
  });

  it("in another language is told what can run", async () => {
    const { engine } = await engineWith({ good: fixture("good") });
    const result = await engine.run({ code: "puts 1", language: "ruby" });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "language", hint: expect.stringContaining("TypeScript or Python") },
    });
  });

  it("gets 50 MB from a tool whose server may send so much", async () => {
    const config = { servers: { huge: { maxMessageBytes: "64MB" } } };
    const { engine } = await engineWith({ huge: fixture("huge") }, {}, config);
    const result = await engine.run({
      code: "const text = await huge.huge({ megabytes: 50 }); return text.length;",
    });
    expect(result).toMatchObject({ ok: true, result: 50 * 1024 * 1024 });
  });
});

describe("while a program runs", () => {
  it("its logs and calls are told as they happen", async () => {
    const { engine } = await engineWith({ good: fixture("good") });
    const events: EngineEvent[] = [];
    engine.events.subscribe({}, (event) => events.push(event));
    const { runId } = await engine.run({
      code: "console.log('one'); await good.good0({ value: 'x' }); console.warn('two');",
    });
    expect(events.every((event, at) => event.runId === runId && event.sequence === at + 1)).toBe(true);
    expect(events).toMatchObject([
      { kind: "queued" },
      { kind: "started" },
      { kind: "log", level: "info", text: "one" },
      { kind: "call", server: "good", tool: "good_0", number: 1 },
      { kind: "called", ok: true },
      { kind: "log", level: "warn", text: "two" },
      { kind: "ended", status: "done" },
    ]);
  });

  it("cancelling stops it and cancels its calls at the server", async () => {
    const { engine } = await engineWith({ cancellable: fixture("cancellable") });
    const stop = new AbortController();
    const running = engine.run({
      code: "const waiting = cancellable.wait({}); await cancellable.most({}); console.log('sent'); await waiting;",
      signal: stop.signal,
    });
    engine.events.subscribe({}, ({ kind }) => kind === "log" && stop.abort());
    expect(await running).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    const { result } = await engine.run({ code: "return cancellable.cancelled({});" });
    expect(result).toEqual({ count: 1 });
  });

  it("others run beside it, and a session with many programs does not keep another waiting", async () => {
    const { engine } = await engineWith(
      { good: fixture("good") },
      { maxConcurrentTasks: 1, checkTypes: false },
    );
    const greedy = createSession({ client: { name: "greedy" } });
    const order: string[] = [];
    const note = (name: string) => () => order.push(name);
    const many = Array.from({ length: 12 }, () =>
      engine.run({ code: "return 1", session: greedy }).then(note("many")),
    );
    const one = engine.run({ code: "return 1" }).then(note("one"));
    await Promise.all([...many, one]);
    expect(order.indexOf("one")).toBeLessThan(12);
  });
});

describe("the configuration", () => {
  it("can turn the check off and make the answers shorter", async () => {
    const config = { typeCheck: false, output: { tokens: 150 } };
    const { engine } = await engineWith({ good: fixture("good") }, {}, config);
    const result = await engine.run({
      code: "const n: number = 'x'; return Array.from({ length: 999 }, (_, i) => i + n);",
    });
    expect(result.ok).toBe(true);
    expect(result.text.length).toBeLessThan(900);
  });
});

describe("the workspace", () => {
  it.each(["workspace", "workspace/results"])(
    "is refused when %s is a link that leads elsewhere",
    async (path) => {
      const { engine, dir } = await engineWith({ good: fixture("good") });
      const outside = await tempDir();
      await writeFile(join(outside, "secret.txt"), "the secret");
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await symlink(outside, join(dir, path));
      const read =
        'import { readFile } from "fs/promises"; return readFile("./workspace/secret.txt", "utf8");';
      const long = "return 'x '.repeat(20_000);";
      for (const code of [read, long]) {
        const outcome = await engine.run({ code }).catch((error: unknown) => ({ text: String(error) }));
        expect(outcome.text).not.toContain("the secret");
      }
      expect(await readdir(outside)).toEqual(["secret.txt"]);
    },
  );
});

describe("whoever listens to a run", () => {
  it("may fail without harm to it", async () => {
    const { engine } = await engineWith({ good: fixture("good") });
    engine.events.subscribe({}, () => {
      throw new Error("listener");
    });
    expect(await engine.run({ code: "console.log(1); return 2;" })).toMatchObject({ ok: true, result: 2 });
  });
});

describe("the limits of the configuration", () => {
  it("end a program that takes too long", async () => {
    const { engine } = await engineWith({ good: fixture("good") }, {}, { maxExecutionTime: 1000 });
    const result = await engine.run({ code: "await good.good0({ value: 'x' }); while (true) {}" });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "timeout" },
      calls: [{ tool: "good_0", ok: true }],
    });
    expect(await engine.run({ code: "return 'next'" })).toMatchObject({ ok: true, result: "next" });
  });
});

describe("statistics", () => {
  it("count the catalogue once for all runs of a session", async () => {
    const { engine } = await engineWith({ memory: reference("memory") });
    const first = await engine.run({ code: "return memory.readGraph();" });
    await engine.run({ code: "return memory.readGraph();" });
    const { runs, calls, tokens, tools } = await engine.stats();
    expect({ runs, calls, tools: tools.map(({ tool }) => tool) }).toEqual({
      runs: 2,
      calls: 2,
      tools: ["read_graph"],
    });
    const { directTokens, catalogTokens } = first.receipt as { directTokens: number; catalogTokens: number };
    expect(tokens.direct).toBe(2 * directTokens - catalogTokens);
  });
});
