import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createEngine, type EngineOptions } from "../../src/engine/create-engine.ts";
import type { RunResult } from "../../src/engine/engine.ts";
import { cancelRun } from "../../src/engine/runs/cancel-run.ts";
import { readRun } from "../../src/engine/runs/runs-of-project.ts";
import { createSession } from "../../src/session.ts";
import { inSession } from "../fixtures/in-session.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, homeOf, onCleanup, project } from "../fixtures/project.ts";

async function open(options: EngineOptions = {}) {
  const opened = await project({ cancellable: fixture("cancellable") });
  await opened.catalog.read();
  const engine = createEngine(opened, { poolSize: 0, checkTypes: false, answerAfterMs: 400, ...options });
  onCleanup(() => engine.close());
  return { engine: inSession(engine), opened };
}

/** Goes on until there is the file `go` in the workspace. */
const LONG = `
  import { existsSync } from "node:fs";
  console.log("begun");
  emit({ type: "text", text: "early" });
  while (!existsSync("./workspace/go")) await new Promise((resolve) => setTimeout(resolve, 20));
  console.log("going");
  emit({ type: "text", text: "late" });
  return { answer: 42 };
`;
const WAITS = "console.log('begun'); await cancellable.wait({});";
const result = (runId: string) => `return await runs.result(${JSON.stringify(runId)});`;
const other = (principal = "local") => createSession({ principal, client: { name: "other" } });

describe("a run that takes long", () => {
  it("is not waited for any longer because the clock is set back", async () => {
    const { engine } = await open();
    const { runId } = await engine.answer({ code: WAITS });
    const realNow = Date.now;
    onCleanup(async () => void vi.restoreAllMocks());
    const setBack = () => void vi.spyOn(Date, "now").mockImplementation(() => realNow() - 3_600_000);
    expect(await engine.run({ code: result(runId), onStart: setBack })).toMatchObject({
      result: { runId, status: "running" },
    });
  });

  it("is answered with what it printed and its id, goes on, and is fetched by a later program", async () => {
    const { engine, opened } = await open({ answerAfterMs: 3_000 });
    await engine.run({ code: "return 1" });
    const first = await engine.answer({ code: LONG });
    expect(first).toMatchObject({
      status: "waiting",
      ok: false,
      for: [{ kind: "run", runId: first.runId }],
      logs: [{ text: "begun" }],
      emitted: [{ text: "early" }],
    });
    expect(first.runId).toMatch(/^r_[0-9a-f]{16}$/);
    expect(first.text).toContain("begun\n");
    expect(first.text).toContain(`return await runs.result("${first.runId}")`);
    expect(engine.runs.get(first.runId)).toMatchObject({ status: "running", calls: 0 });

    const soFar = await engine.run({ code: result(first.runId) });
    expect(soFar.result).toEqual({ runId: first.runId, status: "running", logs: ["begun"], calls: 0 });

    await writeFile(join(opened.dir, "workspace/go"), "");
    let last = soFar;
    while ((last.result as { status: string }).status === "running")
      last = await engine.run({ code: result(first.runId) });
    const report = {
      runId: first.runId,
      status: "done",
      result: { answer: 42 },
      logs: ["begun", "going"],
      calls: 0,
    };
    expect(last).toMatchObject({ ok: true, result: report, emitted: [{ text: "late" }] });
    const again = await engine.run({ code: result(first.runId) });
    expect(again).toMatchObject({ result: report, emitted: [], calls: [], receipt: { calls: 0 } });
    await engine.stats();
    expect(await readRun(opened.dir, again.runId, await homeOf(opened.dir))).toMatchObject({
      made: [{ server: "keyhole", tool: "runResult", ok: true }],
    });
    expect(await readRun(opened.dir, first.runId, await homeOf(opened.dir))).toMatchObject({
      status: "done",
      session: expect.any(String),
    });
  });

  it("shows what it emitted at its end in the next answer, when the one that fetched it was lost", async () => {
    const { engine, opened } = await open();
    await engine.run({ code: "return 1" });
    const { runId } = await engine.answer({ code: LONG });
    await writeFile(join(opened.dir, "workspace/go"), "");
    await until(() => engine.runs.get(runId)?.status === "done", "the run to end");
    const gone = new AbortController();
    const { signal } = gone;
    const code = `await runs.result("${runId}"); console.log("fetched"); await cancellable.wait({});`;
    engine.events.subscribe({}, (event) => event.kind === "log" && event.text === "fetched" && gone.abort());
    expect(await engine.run({ code, signal })).toMatchObject({ error: { kind: "cancelled" } });
    // On a busy machine it may have emitted nothing before it was answered.
    const { emitted } = await engine.run({ code: result(runId) });
    expect(emitted.at(-1)).toMatchObject({ text: "late" });
    expect(await engine.run({ code: result(runId) })).toMatchObject({ emitted: [] });
  });

  it("is nothing to another session, of whichever principal, and no program waits for itself", async () => {
    const { engine } = await open();
    const { runId } = await engine.answer({ code: LONG });
    for (const session of [other(), other("ada"), { ...other("ada"), id: "s_chosen" }])
      expect(await engine.run({ code: result(runId), session })).toMatchObject({
        ok: false,
        error: { kind: "tool_error", message: expect.stringContaining("no run") },
      });
    const code = `return await Promise.all(["", "r_0000000000000000", 7, undefined, "../x"].map((id) =>
      runs.result(id).catch((error) => error instanceof ToolError)));`;
    expect(await engine.run({ code })).toMatchObject({ result: [true, true, true, true, true] });
  });

  it("tells which calls are under way, and when it failed which were made", async () => {
    const { engine } = await open({ answerAfterMs: 4_000 });
    await engine.run({ code: "return 1" });
    const { runId, calls, text } = await engine.answer({ code: WAITS });
    expect(calls).toEqual([{ server: "cancellable", tool: "wait", ms: 0, ok: false, isUnderWay: true }]);
    expect(text).toContain("it has made 1 call.");
    engine.runs.cancel(runId);
    expect((await engine.run({ code: result(runId) })).result).toMatchObject({
      status: "failed",
      made: ["calls made before, all of them reads: 1: cancellable.wait (no answer)"],
    });
  });

  it("is ended by its client until it was answered, and after that by whoever may cancel it", async () => {
    const { engine } = await open();
    const { engine: attached } = await open({ answerAfterMs: 60_000 });
    const early = new AbortController();
    attached.events.subscribe({}, ({ kind }) => kind === "log" && early.abort());
    expect(await attached.answer({ code: WAITS, signal: early.signal })).toMatchObject({
      status: "failed",
      error: { kind: "cancelled" },
    });

    const late = new AbortController();
    const called = new Promise<void>((resolve) => {
      engine.events.subscribe({}, ({ kind }) => kind === "call" && resolve());
    });
    const { runId, status } = await engine.answer({ code: WAITS, signal: late.signal });
    expect(status).toBe("waiting");
    await called;
    late.abort();
    expect((await engine.run({ code: result(runId) })).result).toMatchObject({ status: "running" });
    const kinds: string[] = [];
    const ended = new Promise<void>((resolve) => {
      engine.events.subscribe({ runId }, (event) => {
        kinds.push(event.kind);
        if (event.kind === "ended") resolve();
      });
    });
    expect([engine.runs.cancel(runId), engine.runs.cancel(runId), engine.runs.cancel("r_x")]).toEqual([
      true,
      false,
      false,
    ]);
    await ended;
    expect(kinds).toEqual(["called", "ended"]);
    expect((await engine.run({ code: result(runId) })).result).toMatchObject({
      status: "failed",
      error: { kind: "cancelled" },
      calls: 1,
    });
    expect(engine.runs.get(runId)).toMatchObject({ status: "failed" });
  });

  it("goes on beside so many others of its principal; one more keeps its client waiting", async () => {
    const { engine } = await open({ maxConcurrentTasks: 1 });
    const answers: RunResult[] = [];
    const all = Array.from({ length: 17 }, () =>
      engine.answer({ code: WAITS }).then((answer) => answers.push(answer)),
    );
    await new Promise<void>((resolve) => {
      let count = 0;
      engine.events.subscribe({}, ({ kind }) => {
        if (kind === "went_on" && ++count === 16) resolve();
      });
    });
    const theirs = await engine.answer({ code: WAITS, session: other("ada") });
    expect(theirs.status).toBe("waiting");
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill("waiting"));
    await engine.close();
    await Promise.all(all);
    expect(answers.at(-1)).toMatchObject({ status: "failed", error: { kind: "cancelled" } });
  });

  it("lets another program run in the place of one that waits for it", async () => {
    const { engine } = await open({ maxConcurrentTasks: 2 });
    const { runId } = await engine.answer({ code: WAITS });
    const waits = engine.run({
      code: `for (;;) { const report = await runs.result("${runId}"); if (report.status !== "running") return report; }`,
    });
    await until(() => engine.runs.list().some(({ status }) => status === "waiting"), "it to wait");
    const third = engine.run({ code: "return 3;" });
    expect(await Promise.race([third, waits])).toMatchObject({ result: 3 });
    expect(engine.runs.list()).toHaveLength(2);
    engine.runs.cancel(runId);
    expect(await waits).toMatchObject({ result: { status: "failed" } });
  });
});

/** Waits for another run until that has ended. */
const forEnd = (runId: string) =>
  `for (;;) { const report = await runs.result(${runId}); if (report.status !== "running") return report.status; }`;

it("two runs that wait for each other: one is refused, and both come to an end", async () => {
  const { engine, opened } = await open();
  const first = await engine.answer({
    code: `
      import { existsSync, readFileSync } from "node:fs";
      while (!existsSync("./workspace/other")) await new Promise((resolve) => setTimeout(resolve, 20));
      ${forEnd('readFileSync("./workspace/other", "utf8")')}`,
  });
  const second = await engine.answer({ code: forEnd(JSON.stringify(first.runId)) });
  expect([first.status, second.status]).toEqual(["waiting", "waiting"]);
  // The first one may not have got there yet.
  await mkdir(join(opened.dir, "workspace"), { recursive: true });
  // Whole from the moment on that it is there.
  await writeFile(join(opened.dir, "workspace/later"), second.runId);
  await rename(join(opened.dir, "workspace/later"), join(opened.dir, "workspace/other"));
  const ends = [];
  for (const { runId } of [first, second]) {
    await until(() => ["done", "failed"].includes(engine.runs.get(runId)?.status ?? ""), "it to end");
    ends.push((await engine.run({ code: result(runId) })).result);
  }
  expect(ends).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ status: "done", result: "failed" }),
      expect.objectContaining({
        status: "failed",
        error: expect.objectContaining({ message: expect.stringContaining("waits for this one") }),
      }),
    ]),
  );
});

describe("an answer in time", () => {
  it("is given before the catalogue is read", async () => {
    let read = () => {};
    const ready = new Promise<void>((resolve) => (read = resolve));
    const { engine } = await open({ ready });
    const { runId, status, text } = await engine.answer({ code: "return 7" });
    expect([status, text]).toEqual(["waiting", expect.stringContaining("waits for its turn")]);
    read();
    expect((await engine.run({ code: result(runId) })).result).toMatchObject({ status: "done", result: 7 });
  });

  it("is given as soon as one of too many that go on has ended", async () => {
    const { engine } = await open();
    const first = await Promise.all(Array.from({ length: 16 }, () => engine.answer({ code: WAITS })));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set(["waiting"]));
    const oneMore = engine.answer({ code: WAITS });
    // Asked after it, and answered after its time.
    expect(await engine.answer({ code: WAITS, session: other("ada") })).toMatchObject({ status: "waiting" });
    expect(engine.runs.list().filter(({ status }) => status !== "failed")).toHaveLength(18);
    engine.runs.cancel(first[0]?.runId ?? "");
    expect(await oneMore).toMatchObject({ status: "waiting" });
  });
});

describe("cancelling from outside", () => {
  it("works without a database, and returns when the run has ended", async () => {
    const { engine, opened } = await open();
    await mkdir(join(opened.dir, ".keyhole/keyhole.db"), { recursive: true });
    const { runId } = await engine.answer({ code: WAITS });
    await cancelRun(opened.dir, runId, await homeOf(opened.dir));
    expect(engine.runs.get(runId)).toMatchObject({ status: "failed" });
  });

  it("finds a run that has not been written down yet, and refuses one that ended", async () => {
    let read = () => {};
    const ready = new Promise<void>((resolve) => (read = resolve));
    const { engine, opened } = await open({ ready });
    const home = await homeOf(opened.dir);
    const { runId } = await engine.answer({ code: WAITS });
    await cancelRun(opened.dir, runId, home);
    await expect(cancelRun(opened.dir, runId, home)).rejects.toMatchObject({
      message: expect.stringContaining("has ended already"),
    });
    read();
  });
});

describe("closing", () => {
  it("closes connections before what is written down, all with the project", async () => {
    const opened = await project({ cancellable: fixture("cancellable") });
    await opened.catalog.read();
    const seen: unknown[] = [];
    // Before the engine, whose store is closed after this.
    opened.closeLast(async () => {
      const again = opened.catalog.connection("cancellable").listTools();
      seen.push(
        await again.then(
          () => "open",
          () => "closed",
        ),
      );
      seen.push((await engine.stats()).runs);
    });
    const engine = createEngine(opened, { poolSize: 0, checkTypes: false });
    await inSession(engine).run({ code: "return 1" });
    await engine.close();
    expect(seen).toEqual([]);
    await opened.close();
    expect(seen).toEqual(["closed", 1]);
  });

  it("ends a program that is still being read as any other", async () => {
    const { engine, opened } = await open({ checkTypes: true });
    const closed = new Promise<void>((resolve) => {
      engine.events.subscribe({}, ({ kind }) => kind === "started" && resolve(engine.close()));
    });
    const { runId, error } = await engine.run({ code: "return 1" });
    await closed;
    expect(error).toMatchObject({ kind: "cancelled" });
    expect(await readRun(opened.dir, runId, await homeOf(opened.dir))).toMatchObject({ kind: "cancelled" });
  });

  it("takes no new runs, ends those under way, writes them down, and leaves the connections to who opened them", async () => {
    const { engine, opened } = await open();
    const called = new Promise<void>((resolve) => {
      let calls = 0;
      engine.events.subscribe({}, ({ kind }) => {
        if (kind === "call" && ++calls === 2) resolve();
      });
    });
    const [attached, detached] = [engine.run({ code: WAITS }), await engine.answer({ code: WAITS })];
    await called;
    const closed = engine.close();
    await expect(engine.run({ code: "return 1" })).rejects.toMatchObject({ code: "cancelled" });
    const { runId } = await attached;
    await closed;
    expect(engine.runs.list().filter(({ status }) => status === "running")).toEqual([]);
    for (const id of [runId, detached.runId])
      expect(await readRun(opened.dir, id, await homeOf(opened.dir))).toMatchObject({
        status: "failed",
        kind: "cancelled",
        made: [{ tool: "wait", ok: false }],
      });
    const [tool] =
      opened.catalog.entry("cancellable")?.record?.tools.filter(({ name }) => name === "cancelled") ?? [];
    if (tool === undefined) throw new Error("no tool");
    const { value } = await opened.catalog.connection("cancellable").callTool(tool, {});
    expect(value).toEqual({ count: expect.any(Number) });
  });
});
