import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { EngineEvent } from "../../src/engine/events/event.ts";
import { readRun, readRuns } from "../../src/engine/runs/runs-of-project.ts";
import { serveHttp } from "../../src/server/http/serve-http.ts";
import { createSession } from "../../src/session.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, homeOf, onCleanup, project } from "../fixtures/project.ts";

const TOKENS = [
  { principal: "ada", token: "ada-token-of-some-length" },
  { principal: "ada", token: "another-token-of-adas" },
  { principal: "bob", token: "bob-token-of-some-length" },
];
const WAITS = "console.log('begun'); await cancellable.wait({});";

async function serve() {
  const opened = await project({ cancellable: fixture("cancellable"), good: fixture("good") });
  const engine = createEngine(opened, {
    poolSize: 0,
    checkTypes: false,
    answerAfterMs: 4_000,
    ready: opened.catalog.read(),
  });
  onCleanup(() => engine.close());
  const front = await serveHttp(engine, { tokens: TOKENS });
  onCleanup(() => front.close());
  const events: EngineEvent[] = [];
  engine.events.subscribe({}, (event) => events.push(event));

  async function connect(mode: "modern" | "legacy", token: string) {
    const negotiation = mode === "modern" ? { pin: "2026-07-28" } : "legacy";
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: negotiation } });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(front.url), { requestInit: { headers } }));
    onCleanup(() => client.close());
    return async (code: string, signal?: AbortSignal) => {
      const { _meta } = await client.callTool(
        { name: "execute_code", arguments: { code } },
        signal ? { signal } : {},
      );
      return { ...(_meta?.["keyhole/result"] as object) } as {
        status: string;
        runId: string;
        result?: unknown;
        error?: { kind: string; message: string };
      };
    };
  }

  const sessionOf = (runId: string) => events.find((event) => event.runId === runId);
  return { engine, dir: opened.dir, events, connect, sessionOf };
}

describe("sessions over HTTP", () => {
  it("are told apart: two of one principal, those of two principals, and the one of all requests without state", async () => {
    const { engine, dir, connect, sessionOf } = await serve();
    const runs = [
      await connect("legacy", "ada-token-of-some-length"),
      await connect("legacy", "another-token-of-adas"),
      await connect("legacy", "bob-token-of-some-length"),
      await connect("modern", "ada-token-of-some-length"),
      await connect("modern", "another-token-of-adas"),
      await connect("modern", "bob-token-of-some-length"),
    ];
    const ids: string[] = [];
    for (const run of runs) ids.push((await run("return (await good.good0({ value: 'x' })).echoed")).runId);
    const sources = ids.map((id) => sessionOf(id));
    expect(sources.map((source) => source?.principal)).toEqual(["ada", "ada", "bob", "ada", "ada", "bob"]);
    const sessions = sources.map((source) => source?.session);
    expect(sessions[3]).toBe(sessions[4]);
    expect(new Set(sessions).size).toBe(5);
    for (const id of sessions) expect(id).toMatch(/^(?:s_|http-)[0-9a-f]{16}$/);
    const { tokens, runs: count } = await engine.stats();
    const written = await readRuns(dir, 100, await homeOf(dir));
    expect(written.map(({ runId, session }) => [runId, session]).reverse()).toEqual(
      ids.map((id, at) => [id, sessions[at]]),
    );
    // The direct way would have shown the catalogue once in each.
    const receipts = await Promise.all(
      ids.map(async (id) => (await readRun(dir, id, await homeOf(dir))).receipt),
    );
    const sum = (key: string) => receipts.reduce((total, receipt) => total + Number(receipt?.[key]), 0);
    expect(count).toBe(6);
    expect(tokens.direct).toBe(sum("directTokens") - sum("catalogTokens") / 6);
  });

  it("cancel and fetch their own runs alone", async () => {
    const { engine, events, connect } = await serve();
    const [one, two] = [
      await connect("legacy", "ada-token-of-some-length"),
      await connect("legacy", "ada-token-of-some-length"),
    ];
    const [first, second] = await Promise.all([one(WAITS), two(WAITS)]);
    expect([first.status, second.status]).toEqual(["waiting", "waiting"]);
    const fetch = ({ runId }: { runId: string }) => `return (await runs.result("${runId}")).status;`;
    expect((await two(fetch(first))).error).toMatchObject({ kind: "tool_error" });
    expect((await one(fetch(first))).result).toBe("running");
    engine.runs.cancel(first.runId);
    expect((await one(fetch(first))).result).toBe("failed");
    expect((await two(fetch(second))).result).toBe("running");
    const kinds = (runId: string) => events.filter((event) => event.runId === runId).map(({ kind }) => kind);
    expect(kinds(first.runId)).toContain("ended");
    expect(kinds(second.runId)).not.toContain("ended");
  });

  it("that were ended take what was kept for them along; what runs goes on", async () => {
    const { engine } = await serve();
    const session = createSession({ client: { name: "test" }, savesFor: "session" });
    const { runId } = await engine.answer({ code: WAITS, session });
    await engine.endSession(session);
    expect(engine.runs.get(runId)?.status).not.toBe("failed");
    const own = createSession({ client: { name: "test" } });
    const other = await engine.answer({ code: WAITS, session: own });
    for (const id of [runId, other.runId]) engine.runs.cancel(id);
    await until(() => engine.runs.get(other.runId)?.status === "failed", "the run to end");
    expect(engine.runs.list().map((run) => run.runId)).toEqual([other.runId]);
    await engine.endSession(own);
    expect(engine.runs.list()).toEqual([]);
  });
});

it("nobody learns by searching what another principal calls", async () => {
  const opened = await project({ shop: fixture("good", "shop", "3") });
  await opened.catalog.read();
  const open = () => createEngine(opened, { poolSize: 0, checkTypes: false });
  let engine = open();
  const of = (principal: string) => createSession({ principal, client: { name: "test" } });
  const first = async (principal: string) => {
    const found = await engine.search({ query: "tool of shop" }, of(principal));
    const code = 'return (await searchTools("tool of shop", "name")).tools[0].tool';
    const { result } = await engine.run({ code, session: of(principal) });
    expect(found).toMatchObject({ tools: [{ tool: result }, {}, {}] });
    return result;
  };
  const call = (principal: string, tool: string) =>
    engine.run({
      code: `for (let n = 0; n < 50; n++) await shop.${tool}({ value: "x" }); return 1`,
      session: of(principal),
    });
  const all = async () => [await first("local"), await first("ada"), await first("bob")];
  expect(await all()).toEqual(["shop_0", "shop_0", "shop_0"]);
  expect(await call("ada", "shop2")).toMatchObject({ result: 1 });
  expect(await all()).toEqual(["shop_0", "shop_0", "shop_0"]);
  await call("local", "shop1");
  expect(await all()).toEqual(["shop_1", "shop_0", "shop_0"]);
  await engine.close();
  engine = open();
  expect(await all()).toEqual(["shop_1", "shop_0", "shop_0"]);
  await engine.close();
});

it("ten thousand sessions leave nothing behind but what they wrote down", async () => {
  const { engine } = await serve();
  const signal = AbortSignal.abort();
  for (let n = 0; n < 100; n++)
    await Promise.all(
      Array.from({ length: 100 }, () =>
        engine.run({ code: "return 1", session: createSession({ client: { name: "many" } }), signal }),
      ),
    );
  expect(engine.runs.list()).toEqual([]);
  const session = createSession({ client: { name: "one more" } });
  expect(await engine.run({ code: "return 1", session })).toMatchObject({ result: 1 });
});
