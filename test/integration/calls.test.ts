import { describe, expect, it } from "vitest";
import type { Call, CallStage } from "../../src/engine/call/call.ts";
import { createCalls } from "../../src/engine/call/create-calls.ts";
import { inTurn } from "../../src/engine/call/in-turn.ts";
import { createProgramCalls } from "../../src/engine/call/program-calls.ts";
import { type CallContext, toStages } from "../../src/engine/call/stages.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import { openPolicy } from "../../src/engine/policy/open-policy.ts";
import { probeTools } from "../../src/engine/probe.ts";
import type { EndedCall, StartedCall } from "../../src/engine/recorder.ts";
import { createRun } from "../../src/engine/run/run-record.ts";
import { CALL_FAILURE_CODES, type CallFailureCode, KeyholeError, toKeyholeError } from "../../src/errors.ts";
import { createReceiptBook } from "../../src/result/receipt.ts";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { createSession } from "../../src/session.ts";
import { loadTokenCounter } from "../../src/tokens/tokens.ts";
import { inSession } from "../fixtures/in-session.ts";
import { fixture, onCleanup, project } from "../fixtures/project.ts";

const session = createSession({ client: { name: "test" } });

/** Calls as a program makes them, with what is written down of them and a stage of the test's own. */
async function callsWith(servers: Record<string, unknown>, config?: unknown, stage?: CallStage) {
  const opened = await project(servers, config);
  await opened.catalog.read();
  const started: StartedCall[] = [];
  const ended: EndedCall[] = [];
  const context: CallContext = {
    catalog: opened.catalog,
    policy: openPolicy(opened).policy,
    recorder: { callStarted: (call) => started.push(call), callEnded: (call) => ended.push(call) },
  };
  const calls = createCalls(context, [...toStages(context), ...(stage ? [stage] : [])]);
  const book = createReceiptBook(await loadTokenCounter(), () => 0);
  const { signal } = new AbortController();
  const run = createRun({ id: "r_1", request: { code: "", session }, signal, book, tell: () => {} });
  const { callTool } = createProgramCalls(calls, run, session);
  return {
    opened,
    calls,
    started,
    ended,
    run,
    receipt: () => book.finish({ code: "", text: "", phasesMs: {} }),
    call: (
      server: string,
      tool: string,
      args: unknown = {},
      options: { timeoutMs?: number; signal?: AbortSignal } = {},
    ) => callTool(server, tool, args, options.signal ?? new AbortController().signal, options),
  };
}

const servers = {
  results: fixture("results"),
  cancellable: fixture("cancellable"),
  closes: fixture("closes-mid-call"),
};

describe("a call", () => {
  it("is written down before it is made and before its result is told, with an id of its own", async () => {
    const { call, started, ended, run } = await callsWith(servers);
    await call("results", "plain", { a: "ü" });
    await call("results", "jsonText");
    expect(started).toMatchObject([
      { runId: run.id, server: "results", tool: "plain", argumentsText: '{"a":"ü"}' },
      { server: "results", tool: "json_text" },
    ]);
    expect(ended).toMatchObject([
      { id: started[0]?.id, ok: true, resultText: "hello", resultBytes: 5, ms: expect.any(Number) },
      { id: started[1]?.id, ok: true, resultText: '{"a":[1,2]}' },
    ]);
    for (const { id } of started) expect(id).toMatch(/^c_[0-9a-f]{16}$/);
    expect(started[0]?.id).not.toBe(started[1]?.id);
  });

  it.each([
    ["an unknown tool", ["results", "nope"], "tool_unknown"],
    ["an unknown server", ["nobody", "x"], "server_unknown"],
    ["wrong arguments", ["results", "plain", [1]], "usage"],
    ["a failing tool", ["results", "failure"], "tool_failed"],
    ["a crashing server", ["closes", "crash"], "server_closed"],
    ["no answer in time", ["cancellable", "wait", {}, { timeoutMs: 20 }], "timeout"],
  ] as const)("that ends with %s leaves a record", async (_what, [server, tool, args, options], code) => {
    const { call, started, ended } = await callsWith(servers);
    await expect(call(server, tool, args, options)).rejects.toMatchObject({ code });
    expect(started).toMatchObject([{ server, tool, argumentsText: JSON.stringify(args ?? {}) }]);
    expect(ended).toMatchObject([{ id: started[0]?.id, ok: false, code }]);
  });

  it("that is cancelled leaves a record", async () => {
    const { call, ended, opened } = await callsWith(servers);
    await opened.catalog.connection("cancellable").connect();
    const controller = new AbortController();
    const waiting = call("cancellable", "wait", {}, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    expect(ended).toMatchObject([{ ok: false, code: "cancelled" }]);
  });

  it("that never went out is in no receipt, and one for which there is no tool in no list", async () => {
    const deny: CallStage = async (call, next) => {
      if (call.tool.name === "image") throw new KeyholeError("denied", "Not this one");
      return next(call);
    };
    const { call, run, receipt, ended } = await callsWith(servers, undefined, deny);
    await call("results", "plain");
    await expect(call("results", "image")).rejects.toMatchObject({ code: "denied", exitCode: 3 });
    await expect(call("results", "nope")).rejects.toMatchObject({ code: "tool_unknown" });
    await expect(call("results", "failure")).rejects.toMatchObject({ code: "tool_failed" });
    expect(run.calls).toMatchObject([
      { tool: "plain", ok: true },
      { tool: "image", ok: false },
      { tool: "failure", ok: false },
    ]);
    expect(run.callLog.calls.map(({ outcome }) => outcome)).toEqual(["done", "unsent", "failed"]);
    expect(receipt().calls).toBe(2);
    expect(ended.map(({ code }) => code)).toEqual([undefined, "denied", "tool_unknown", "tool_failed"]);
  });

  it("is one of 10,000 for which there is no tool, and each has its record and its answer", async () => {
    const { call, started, ended, run } = await callsWith(servers);
    const names = Array.from({ length: 10_000 }, (_, n) => `plai${n}`);
    const said = await Promise.all(names.map((name) => call("results", name).catch(toKeyholeError)));
    const errors = said.filter((error) => error instanceof KeyholeError);
    expect(errors.filter(({ code }) => code === "tool_unknown")).toHaveLength(10_000);
    expect(errors.filter(({ message }) => message.includes("Did you mean")).length).toBeLessThan(20);
    expect([started.length, ended.length, run.calls.length]).toEqual([10_000, 10_000, 0]);
  });

  it("passes a stage that is added, whoever makes it, and its result says where it came from", async () => {
    const seen: [Call, unknown][] = [];
    const spy: CallStage = async (call, next) => {
      const result = await next({ ...call, args: { ...call.args, seen: true } });
      seen.push([call, result.from]);
      return result;
    };
    const shop = { servers: { shop: { trusted: true } } };
    const { call, calls, opened } = await callsWith({ ...servers, shop: fixture("orders") }, shop, spy);
    await call("mcp", "results__plain");
    await probeTools(opened, await opened.catalog.read({ refresh: true, only: ["shop"] }), { calls });
    const facts = seen.map(([{ id, server, tool }, from]) => [id, server.name, tool.name, from]);
    expect(facts).toEqual(
      [
        ["results", "plain"],
        ["shop", "list_orders"],
      ].map(([server, tool], n) => {
        const callId = seen[n]?.[0].id;
        return [callId, server, tool, { server, tool, callId }];
      }),
    );
    expect(seen.map(([call]) => call.session.principal)).toEqual(["local", "local"]);
  });
});

describe("a failed call", () => {
  const stop: CallStage = async (call, next) => {
    if (call.tool.name === "image") throw new KeyholeError("denied", "Not this one");
    if (call.tool.name === "link") throw new KeyholeError("waiting", "Somebody is asked");
    return next(call);
  };
  /** What ends with each code, all in real programs. */
  const programs: { readonly [code in CallFailureCode]: string } = {
    tool_failed: "await results.failure()",
    tool_unknown: "await results.nope()",
    bad_arguments: "await results.plain(5)",
    server_unavailable: "await closes.crash()",
    timeout: "await cancellable.wait({}, { timeoutMs: 20 })",
    cancelled: "await cancellable.wait({}, { signal: AbortSignal.abort() })",
    denied: "await results.image()",
    waiting: "await results.link()",
    limit: "let deep = {}; for (let n = 0; n < 600; n++) deep = { deep }; await results.plain(deep)",
  };

  it("has one of nine codes, for the program and in what is told of it", async () => {
    const { calls, run } = await callsWith(servers, undefined, stop);
    const sandbox = createSandbox({ poolSize: 0 });
    onCleanup(() => sandbox.close());
    const host = createProgramCalls(calls, run, session);
    expect(Object.keys(programs).toSorted()).toEqual([...CALL_FAILURE_CODES].toSorted());
    for (const [code, program] of Object.entries(programs)) {
      const world = { servers: ["results", "closes", "cancellable"] };
      const caught = `try { ${program} } catch (error) { return [error instanceof ToolError, error.code]; }`;
      expect(await sandbox.run({ ...world, code: caught }, host)).toMatchObject({ value: [true, code] });
      expect(await sandbox.run({ ...world, code: program }, host)).toMatchObject({
        ok: false,
        error: { kind: "tool_error", code },
      });
    }
  });
});

describe("the calls of one server", () => {
  async function engineWith(maxConcurrency: number) {
    const config = { servers: { cancellable: { maxConcurrency } } };
    const opened = await project({ cancellable: fixture("cancellable") }, config);
    await opened.catalog.read();
    const engine = inSession(createEngine(opened, { poolSize: 0, maxConcurrentTasks: 4 }));
    onCleanup(() => engine.close());
    return { engine, opened };
  }

  it("run at most as many at a time as configured, of all programs together and by any spelling", async () => {
    const { engine } = await engineWith(3);
    const code = `await Promise.all(Array.from({ length: 6 }, (_, n) =>
      n % 2 ? cancellable.slow({}) : callMCPTool(n % 4 ? "mcp__cancellable__slow" : "Cancellable__slow", {})))`;
    await Promise.all([engine.run({ code }), engine.run({ code })]);
    expect(await engine.run({ code: "return cancellable.most({})" })).toMatchObject({ result: "3" });
  });

  it("are not made when they were cancelled while they waited for another program's", async () => {
    const { engine, opened } = await engineWith(1);
    await opened.catalog.connection("cancellable").connect();
    let isCalling = () => {};
    const calling = new Promise<void>((resolve) => {
      isCalling = resolve;
    });
    const stop = new AbortController();
    const first = engine.run({
      code: "await cancellable.wait({})",
      signal: stop.signal,
    });
    engine.events.subscribe({}, ({ kind }) => kind === "call" && isCalling());
    await calling;
    const second = await engine.run({
      code: `const stop = new AbortController();
        const waiting = cancellable.slow({}, { signal: stop.signal }).catch((e: ToolError) => e.code);
        setTimeout(() => stop.abort(), 5);
        return waiting;`,
    });
    expect(second).toMatchObject({ ok: true, result: "cancelled", calls: [] });
    stop.abort();
    await first;
    expect(await engine.run({ code: "return cancellable.most({})" })).toMatchObject({ result: "0" });
  });

  it("wait in line with those that Keyhole makes itself", async () => {
    const { calls, opened } = await callsWith(servers);
    const entry = opened.catalog.entry("results");
    if (entry === undefined) throw new Error("There is no such server");
    const queue = calls.queueOf(entry);
    expect(calls.queueOf(entry)).toBe(queue);
    const places = Array.from({ length: 8 }, () => queue.join(() => {}));
    expect(places.map((place) => place.enter())).not.toContain(false);
    const controller = new AbortController();
    const cancelled = inTurn(queue, controller.signal, async () => "made");
    const made = inTurn(queue, new AbortController().signal, async () => "made");
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
    places[0]?.leave();
    expect(await made).toBe("made");
  });
});

describe("what Keyhole does itself", () => {
  it("is no server's, by no name", async () => {
    const opened = await project({ good: fixture("good", "good", "1") });
    await opened.catalog.read();
    const engine = inSession(createEngine(opened, { poolSize: 0, checkTypes: false }));
    onCleanup(() => engine.close());
    const code = `const say = (work) => work.then((value) => typeof value, (e) => e.code ?? e.name);
      return Promise.all([
        say(callMCPTool("keyhole__searchTools", {})), say(callMCPTool("keyhole__readFolder", {})),
        say(callMCPTool("__searchTools", {})), say(callMCPTool(" __searchTools", {})),
        say(__keyhole.callTool("", "searchTools", {})), say(__keyhole.callTool("keyhole", "", {})),
        say(good.searchTools({})), say(good.good0({ value: 1 })), say(searchTools("good")),
      ])`;
    expect(await engine.run({ code })).toMatchObject({
      ok: true,
      result: [
        "tool_unknown",
        "tool_unknown",
        "TypeError",
        "TypeError",
        "tool_unknown",
        "tool_unknown",
        "tool_unknown",
        "object",
        "object",
      ],
      calls: [{ server: "good", tool: "good_0", ok: true }],
    });
  });

  it("fails as Keyhole's own", async () => {
    const opened = await project({ good: fixture("good") });
    await opened.catalog.read();
    const engine = inSession(createEngine(opened, { poolSize: 0, checkTypes: false }));
    onCleanup(() => engine.close());
    const code = "return searchTools(5).catch((e) => [e instanceof ToolError, e.server, e.tool, e.code])";
    expect(await engine.run({ code })).toMatchObject({
      ok: true,
      result: [true, "keyhole", "searchTools", "bad_arguments"],
      calls: [],
    });
  });
});
