import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import { serveHttp } from "../../src/server/http/serve-http.ts";
import { openEngine } from "../fixtures/engine.ts";
import { type Collector, startCollector } from "../fixtures/otlp-collector.ts";
import { fixture, onCleanup } from "../fixtures/project.ts";
import { parsePrometheus } from "../fixtures/prometheus-text.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const FROM_CLIENT = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: "vendor=1", baggage: "user=ana" };
const TOKEN = "a-token-of-some-length";
const SERVERS = { older: fixture("tells-meta"), newer: fixture("tells-meta", "modern") };
const PROGRAM = "return [await older.tell({}), await newer.tell({})];";

async function connect(engine: Engine, mode: "modern" | "legacy") {
  const front = await serveHttp(engine, { tokens: [{ principal: "local", token: TOKEN }] });
  onCleanup(() => front.close());
  const negotiation = mode === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: negotiation } });
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(front.url), { requestInit }));
  onCleanup(() => client.close());
  const execute = async (code: string, meta: Record<string, unknown> = FROM_CLIENT) => {
    const answer = await client.callTool({ name: "execute_code", arguments: { code }, _meta: meta });
    const data = answer._meta?.["keyhole/result"] as { result: unknown; runId: string; status: string };
    return { ...answer, data };
  };
  return { client, execute, url: front.url };
}

const withTelemetry = (endpoint: string) => ({
  user: { audit: { telemetry: { endpoint, prometheus: true } } },
});
const named = ({ spans }: Collector, name: string) => spans.filter((span) => span.name === name);

describe("traces", () => {
  it.each(["modern", "legacy"] as const)(
    "go from the client through the run to servers of both eras (%s client)",
    async (mode) => {
      const collector = await startCollector();
      const { engine } = await openEngine(SERVERS, withTelemetry(collector.url));
      const { execute, client } = await connect(engine, mode);
      const { data } = await execute(PROGRAM);
      await client.callTool({ name: "search_tools", arguments: { query: "tell" }, _meta: FROM_CLIENT });
      await engine.close();

      expect(collector.problems).toEqual([]);
      expect(collector.spans.map(({ traceId }) => traceId)).toEqual(Array(5).fill(TRACE));
      const [front] = named(collector, "tools/call execute_code");
      const [run] = named(collector, "keyhole.run");
      const calls = named(collector, "tools/call tell");
      expect(front).toMatchObject({ kind: 2, parentSpanId: SPAN, traceState: "vendor=1", status: {} });
      expect(front?.attributes).toMatchObject({
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "execute_code",
        "network.transport": "tcp",
        "mcp.protocol.version": mode === "modern" ? "2026-07-28" : expect.stringMatching(/^2025-/),
        "jsonrpc.request.id": expect.any(String),
      });
      expect(run).toMatchObject({ kind: 1, parentSpanId: front?.spanId });
      expect(run?.attributes).toMatchObject({ "keyhole.run.id": data.runId, "keyhole.run.status": "done" });
      expect(calls).toHaveLength(2);
      for (const call of calls) {
        expect(call).toMatchObject({ kind: 3, parentSpanId: run?.spanId, status: {} });
        expect(call.attributes).toMatchObject({
          "mcp.method.name": "tools/call",
          "gen_ai.tool.name": "tell",
          "network.transport": "pipe",
          "mcp.protocol.version": call.attributes["keyhole.server"] === "newer" ? "2026-07-28" : "2025-06-18",
        });
      }
      expect(named(collector, "tools/call search_tools")).toHaveLength(1);
      // Each server was told the span of its own call; what else the client said was not for it.
      const told = data.result as Record<string, unknown>[];
      expect(told).toHaveLength(2);
      for (const [place, meta] of told.entries()) {
        const name = ["older", "newer"][place];
        const call = calls.find(({ attributes }) => attributes["keyhole.server"] === name);
        expect(meta).toMatchObject({ traceparent: `00-${TRACE}-${call?.spanId}-01`, tracestate: "vendor=1" });
        expect(meta).not.toHaveProperty("baggage");
      }
    },
  );

  it("say how calls and runs failed, and nothing of what was in them", async () => {
    const collector = await startCollector();
    const { engine } = await openEngine(SERVERS, withTelemetry(collector.url));
    const { execute } = await connect(engine, "modern");
    const { isError } = await execute('await older.find({ note: "the-argument" });\nreturn "the-result";');
    await engine.close();
    expect(isError).toBe(true);
    expect(collector.problems).toEqual([]);
    expect(named(collector, "tools/call find")[0]).toMatchObject({
      attributes: { "error.type": "tool_error" },
      status: { code: 2 },
    });
    expect(named(collector, "keyhole.run")[0]).toMatchObject({
      attributes: { "error.type": "tool_error", "keyhole.run.status": "failed" },
      status: { code: 2 },
    });
    expect(named(collector, "tools/call execute_code")[0]?.attributes["error.type"]).toBe("tool_error");
    const sent = collector.bodies.join("");
    for (const content of ["the-argument", "the-result", "It failed", "example.com", "older.find"])
      expect(sent).not.toContain(content);
  });

  it("that the client began are passed on where there is no telemetry, and only as they should be", async () => {
    const { engine } = await openEngine(SERVERS);
    const { execute } = await connect(engine, "modern");
    const { data } = await execute(PROGRAM);
    for (const meta of data.result as unknown[])
      expect(meta).toMatchObject({ traceparent: FROM_CLIENT.traceparent, tracestate: "vendor=1" });
    const wrong = await execute(PROGRAM, { traceparent: `${FROM_CLIENT.traceparent}\n` });
    for (const meta of wrong.data.result as unknown[]) expect(meta).not.toHaveProperty("traceparent");
  });
});

describe("metrics", () => {
  it("are sent, and can be scraped by whoever may use the front", async () => {
    const collector = await startCollector();
    const { engine } = await openEngine(SERVERS, withTelemetry(collector.url));
    const { execute, url } = await connect(engine, "modern");
    await execute(PROGRAM);
    await execute("throw new Error('no');");
    const page = new URL("/metrics", url);
    const scrape = (init: RequestInit = {}) => fetch(page, init);
    const known = { authorization: `Bearer ${TOKEN}` };
    expect((await scrape()).status).toBe(401);
    expect((await scrape({ headers: { ...known, origin: "https://evil.example" } })).status).toBe(403);
    expect((await scrape({ method: "POST", headers: known })).status).toBe(405);
    const scraped = await scrape({ headers: known });
    expect(scraped.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const families = parsePrometheus(await scraped.text());
    const samplesOf = (name: string) => families.get(name)?.samples ?? [];
    const runs = samplesOf("keyhole_runs_total").map(({ labels, value }) => [labels, value]);
    expect(runs).toEqual([
      [{ status: "done" }, 1],
      [{ status: "failed", error_type: expect.any(String) }, 1],
    ]);
    // As the audit log is told of them.
    expect(samplesOf("keyhole_decisions_total").map(({ labels, value }) => [labels, value])).toEqual([
      [{ what: "call", decision: "allow", approved: "auto" }, 2],
    ]);
    expect(samplesOf("keyhole_sandbox_starts_total")[0]?.value).toBe(2);
    expect(samplesOf("keyhole_tokens_seen_total")[0]?.value).toBeGreaterThan(10);
    const servers = samplesOf("mcp_client_operation_duration_seconds")
      .filter(({ name }) => name.endsWith("_count"))
      .map(({ labels }) => labels["keyhole_server"]);
    expect(servers.sort()).toEqual(["newer", "older"]);
    const served = samplesOf("mcp_server_operation_duration_seconds");
    expect(served.some(({ name, value }) => name.endsWith("_count") && value === 1)).toBe(true);

    await engine.close();
    expect(collector.problems).toEqual([]);
    expect(collector.metrics.get("mcp.client.operation.duration")).toMatchObject([
      { count: 1 },
      { count: 1 },
    ]);
    expect(collector.metrics.get("keyhole.runs")).toHaveLength(2);
  });

  it("are nowhere unless the user asks for them", async () => {
    const { engine } = await openEngine(SERVERS, { config: { audit: { telemetry: { prometheus: true } } } });
    const { url } = await connect(engine, "modern");
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await fetch(new URL("/metrics", url), { headers })).status).toBe(404);
  });
});

describe("a collector", () => {
  it.each([
    ["that is away", undefined],
    ["that does not answer", () => true],
    [
      "that fails",
      (_request: unknown, response: { writeHead(status: number): { end(): void } }) => {
        response.writeHead(500).end();
        return true;
      },
    ],
  ])("%s is nothing to a run", async (_what, answer) => {
    const url = answer === undefined ? "http://127.0.0.1:9" : (await startCollector(answer)).url;
    const notices: string[] = [];
    const { engine } = await openEngine(
      { older: SERVERS.older },
      { ...withTelemetry(url), onNotice: (text) => notices.push(text) },
    );
    const { status } = await engine.run({ code: "return (await older.tell({})).traceparent;" });
    expect(status).toBe("done");
    // However long the collector takes, closing waits for a bounded time.
    await engine.close();
    expect(notices.filter((text) => text.includes("Telemetry")).length).toBeLessThan(2);
  });
});
