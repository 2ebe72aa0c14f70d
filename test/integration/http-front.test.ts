import { request } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import type { RunRequest } from "../../src/engine/engine.ts";
import { type HttpFront, type HttpOptions, serveHttp } from "../../src/server/http/serve-http.ts";
import { createSession, type Session } from "../../src/session.ts";
import { createFrontEngine } from "../fixtures/front/project.ts";
import { until } from "../fixtures/processes.ts";
import { onCleanup } from "../fixtures/project.ts";

const TOKEN = "a-token-of-some-length";
const TOKENS = [
  { principal: "local", token: TOKEN },
  { principal: "alice", token: "alice-token-of-some-length" },
];
const LOCAL = { authorization: `Bearer ${TOKEN}` };
const ALICE = { authorization: "Bearer alice-token-of-some-length" };

async function front(
  options: HttpOptions = { isOpen: true },
  onRun?: (request: RunRequest) => void,
): Promise<HttpFront> {
  const served = await serveHttp(await createFrontEngine(onRun === undefined ? {} : { onRun }), options);
  onCleanup(() => served.close());
  return served;
}

async function connect(url: string, mode: "modern" | "legacy", headers: Record<string, string> = {}) {
  const negotiation = mode === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: negotiation } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onCleanup(() => client.close());
  return client;
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

const HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" };

type Raw = { status: number; headers: NodeJS.Dict<string | string[]>; body: string };

/** A request as it goes over the wire: `fetch` would not let a test choose `Host` and `Origin`. */
function post(url: string, headers: Record<string, string>, body = JSON.stringify(INITIALIZE)): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers: { ...HEADERS, ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const sessionOf = ({ headers }: Raw) => String(headers["mcp-session-id"]);
const inSession = (id: string) => ({ "mcp-session-id": id, "mcp-protocol-version": "2025-06-18" });
const PING = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });

describe("the HTTP front", () => {
  it("is for this machine only, and open to all of it only where that is asked for", async () => {
    const { url } = await front({ isOpen: true });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect((await post(url, {})).status).toBe(200);
    // A token from before does no harm where none is needed.
    expect((await post(url, LOCAL)).status).toBe(200);
    const engine = await createFrontEngine();
    await expect(serveHttp(engine, {})).rejects.toMatchObject({ code: "usage" });
    await expect(serveHttp(engine, { isOpen: true, host: "0.0.0.0" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("this machine only"),
    });
  });

  it.each<Record<string, string>>([
    { host: "evil.example" },
    { host: "evil.example:80" },
    { origin: "http://evil.example" },
    { origin: "null" },
    { host: "localhost.evil.example" },
  ])("refuses pages that came by DNS rebinding: %o", async (headers) => {
    const { url } = await front();
    expect((await post(url, headers)).status).toBe(403);
  });

  it("lets local pages and the names it was told of through", async () => {
    const { url } = await front({ isOpen: true, allowedHosts: ["keyhole.internal"] });
    expect((await post(url, { origin: "http://localhost:5173" })).status).toBe(200);
    expect((await post(url, { host: "keyhole.internal", origin: "https://keyhole.internal" })).status).toBe(
      200,
    );
  });

  it("demands a token, and ends the connection of whoever has none", async () => {
    const { url } = await front({ tokens: TOKENS });
    const missing = await post(url, {});
    expect(missing).toMatchObject({
      status: 401,
      headers: { "www-authenticate": "Bearer", connection: "close" },
    });
    expect((await post(url, { authorization: `Bearer ${TOKEN}x` })).status).toBe(401);
    expect((await post(url, { authorization: `Basic ${TOKEN}` })).status).toBe(401);
    expect((await post(url, LOCAL)).status).toBe(200);
  });

  it("tells whose run it is, and keeps a session to the principal that opened it", async () => {
    const runs: RunRequest[] = [];
    const { url } = await front({ tokens: TOKENS }, (request) => runs.push(request));
    const session = sessionOf(await post(url, LOCAL));
    const call = (id: number) =>
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { name: "execute_code", arguments: { code: "return 1" } },
      });
    expect((await post(url, { ...ALICE, ...inSession(session) }, call(2))).status).toBe(404);
    expect((await post(url, { ...LOCAL, ...inSession(session) }, call(3))).status).toBe(200);
    const modern = await connect(url, "modern", ALICE);
    await modern.callTool({ name: "execute_code", arguments: { code: "return 1" } });
    expect(runs).toMatchObject([
      { session: { principal: "local", client: { name: "raw", version: "1" } } },
      { session: { principal: "alice", client: { name: "test", version: "1" } } },
    ]);
    await fetch(url, { method: "DELETE", headers: { ...ALICE, ...inSession(session) } });
    expect((await post(url, { ...LOCAL, ...inSession(session) }, PING)).status).toBe(200);
  });

  it("demands a given token of both eras, also on loopback", async () => {
    const { url } = await front({ tokens: TOKENS });
    await expect(connect(url, "modern")).rejects.toThrow();
    await expect(connect(url, "legacy", { authorization: "Bearer wrong" })).rejects.toThrow();
    for (const mode of ["modern", "legacy"] as const) {
      const client = await connect(url, mode, { authorization: `Bearer ${TOKEN}` });
      expect((await client.listTools()).tools).toHaveLength(2);
    }
  });

  it("refuses a token that is easy to guess", async () => {
    const tokens = [{ principal: "alice", token: "short" }];
    await expect(serveHttp(await createFrontEngine(), { tokens })).rejects.toMatchObject({
      code: "usage",
      message: expect.not.stringContaining("short"),
    });
  });

  it("refuses bodies over the bound, announced or not", async () => {
    const { url } = await front({ isOpen: true, maxBodyBytes: 1000 });
    const large = JSON.stringify({ ...INITIALIZE, padding: "x".repeat(2000) });
    expect((await post(url, {}, large)).status).toBe(413);
    expect((await post(url, { "transfer-encoding": "chunked" }, large)).status).toBe(413);
    expect((await post(url, {})).status).toBe(200);
  });

  it("has nothing but MCP", async () => {
    const { url } = await front();
    expect((await post(url.replace("/mcp", "/other"), {})).status).toBe(404);
    expect((await post(url, {}, "no json")).status).toBe(400);
    expect((await post(url, { "content-type": "text/plain" })).status).toBe(415);
  });

  it("makes room for a new session by ending the one that was idle longest", async () => {
    const { url } = await front({ isOpen: true, maxSessions: 2 });
    const first = sessionOf(await post(url, {}));
    const second = sessionOf(await post(url, {}));
    expect((await post(url, inSession(first), PING)).status).toBe(200);
    const third = sessionOf(await post(url, {}));
    const statuses = await Promise.all([first, second, third].map((id) => post(url, inSession(id), PING)));
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 200]);
  });

  it("leaves room for the sessions of every principal, and takes the oldest of one for its own", async () => {
    const { url } = await front({ tokens: TOKENS, maxSessions: 4 });
    const open = async (who: Record<string, string>) => sessionOf(await post(url, who));
    const alice = await open(ALICE);
    const local: string[] = [];
    for (let n = 0; n < 5; n++) local.push(await open(LOCAL));
    const status = async (id: string, who: Record<string, string>) =>
      (await post(url, { ...who, ...inSession(id) }, PING)).status;
    expect(await status(alice, ALICE)).toBe(200);
    expect(await Promise.all(local.map((id) => status(id, LOCAL)))).toEqual([404, 404, 404, 200, 200]);
  });

  it("ends no session that was used for one that was only opened", async () => {
    const { url } = await front({ isOpen: true, maxSessions: 3 });
    const used = sessionOf(await post(url, {}));
    await post(url, inSession(used), PING);
    for (let n = 0; n < 5; n++) await post(url, {});
    expect((await post(url, inSession(used), PING)).status).toBe(200);
  });

  it("makes room by a session that only listens, when no other is idle", async () => {
    const { url } = await front({ isOpen: true, maxSessions: 1 });
    const listening = await connect(url, "legacy");
    await until(async () => (await post(url, {})).status === 200, "a new session");
    await expect(listening.ping()).rejects.toThrow();
  });

  it("refuses a request whose id is under way in its session", async () => {
    const { url } = await front();
    const session = inSession(sessionOf(await post(url, {})));
    const batch = JSON.stringify([1, 1].map((id) => ({ jsonrpc: "2.0", id, method: "ping" })));
    expect((await post(url, session, batch)).status).toBe(400);
    expect((await post(url, session, PING)).status).toBe(200);
    expect((await post(url, session, PING)).status).toBe(200);
  });

  it.each([
    ["nested deeply", "[".repeat(1e6) + "]".repeat(1e6)],
    ["with very many values", `[${"{},".repeat(1e6)}{}]`],
    ["with keys nested deeply", `${'{"a":'.repeat(5e5)}1${"}".repeat(5e5)}`],
    ["a batch without end", JSON.stringify(Array(10_000).fill({ jsonrpc: "2.0", id: 1, method: "ping" }))],
  ])("refuses a message %s", async (_, body) => {
    const { url } = await front();
    expect((await post(url, {}, body)).status).toBeGreaterThanOrEqual(400);
    expect((await post(url, {})).status).toBe(200);
  });

  it("ends no session that is at work", async () => {
    const { url } = await front({ isOpen: true, maxSessions: 1 });
    const busy = await connect(url, "legacy");
    let started = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const code = 'console.log("on"); await new Promise((r) => setTimeout(r, 60_000))';
    const run = busy.callTool({ name: "execute_code", arguments: { code } }, { onprogress: () => started() });
    run.catch(() => {});
    await running;
    expect((await post(url, {})).status).toBe(503);
    await busy.ping();
  });

  it("forgets a session that is idle for too long, or that is deleted", async () => {
    const { url } = await front({ isOpen: true, sessionIdleMs: 1 });
    const id = sessionOf(await post(url, {}));
    await until(async () => (await post(url, inSession(id), PING)).status === 404, "the session to expire");
    const { url: other } = await front();
    const deleted = sessionOf(await post(other, {}));
    await fetch(other, { method: "DELETE", headers: inSession(deleted) });
    expect((await post(other, inSession(deleted), PING)).status).toBe(404);
  });

  it("keeps a session whose run goes on, though nobody asks and others want its place", async () => {
    const engine = await createFrontEngine({ answerAfterMs: 400, checkTypes: false });
    await engine.run({ code: "return 1", session: createSession({ client: { name: "first" } }) });
    const ended: string[] = [];
    const endSession = async ({ id }: Session) => void ended.push(id);
    const served = await serveHttp(
      { ...engine, endSession },
      { isOpen: true, sessionIdleMs: 2_000, maxSessions: 2 },
    );
    onCleanup(() => served.close());
    const { url } = served;
    const id = sessionOf(await post(url, {}));
    const code = "await new Promise((resolve) => setTimeout(resolve, 60_000))";
    const params = { name: "execute_code", arguments: { code } };
    const call = JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/call", params });
    expect((await post(url, inSession(id), call)).body).toContain(" as run r_");
    for (let n = 0; n < 3; n++) await post(url, {});
    await until(() => ended.length >= 3, "the others to expire");
    expect((await post(url, inSession(id), PING)).status).toBe(200);
    expect(ended).toHaveLength(3);
    for (const { runId } of engine.runs.list()) engine.runs.cancel(runId);
    await until(() => ended.length === 4, "the session to expire");
  });

  it("drops an answer whose client goes while it is sent: the run is written down as it ended", async () => {
    const engine = await createFrontEngine({ checkTypes: false });
    const served = await serveHttp(engine, { isOpen: true });
    onCleanup(() => served.close());
    const session = inSession(sessionOf(await post(served.url, {})));
    const code = `emit({ type: "image", mimeType: "image/png", data: "aaaa".repeat(1e6) }); return "done"`;
    const params = { name: "execute_code", arguments: { code } };
    const call = JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/call", params });
    const left = await fetch(served.url, { method: "POST", headers: { ...HEADERS, ...session }, body: call });
    const reader = left.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(await engine.stats()).toMatchObject({ runs: 1, failed: 0 });
    // Its id is free again, and its session goes on.
    const next = call.replace(/emit\(.*?\);/, "");
    await until(async () => (await post(served.url, session, next)).status === 200, "the next answer");
    expect(await engine.stats()).toMatchObject({ runs: 2, failed: 0 });
  });

  it("opens thousands of sessions and keeps as many as there may be", async () => {
    const { url } = await front({ isOpen: true, maxSessions: 8 });
    const ids: string[] = [];
    for (let n = 0; n < 50; n++) {
      const opened = await Promise.all(Array.from({ length: 40 }, () => post(url, {})));
      expect(opened.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      ids.push(...opened.filter(({ status }) => status === 200).map(sessionOf));
    }
    const answers = await Promise.all(ids.slice(-40).map((id) => post(url, inSession(id), PING)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
  });

  it.each(["modern", "legacy"] as const)("aborts the run when a %s client cancels", async (mode) => {
    const signals: AbortSignal[] = [];
    const { url } = await front({ isOpen: true }, ({ signal }) => signal && signals.push(signal));
    const client = await connect(url, mode);
    const stop = new AbortController();
    const onprogress = () => stop.abort();
    const code = 'console.log("looping"); await new Promise((r) => setTimeout(r, 1)); for (;;);';
    const run = client.callTool(
      { name: "execute_code", arguments: { code } },
      { signal: stop.signal, onprogress },
    );
    await expect(run).rejects.toThrow();
    await until(() => signals[0]?.aborted, "the abort");
  });

  it.each(["modern", "legacy"] as const)("ends the runs of a %s client when it is closed", async (mode) => {
    const signals: AbortSignal[] = [];
    const served = await front({ isOpen: true }, ({ signal }) => signal && signals.push(signal));
    const client = await connect(served.url, mode);
    const run = client.callTool({ name: "execute_code", arguments: { code: "for (;;);" } });
    run.catch(() => {});
    await until(() => signals.length > 0, "the run to start");
    await served.close();
    expect(signals[0]?.aborted).toBe(true);
    await expect(fetch(served.url)).rejects.toThrow();
  });

  it("says so when its port is taken", async () => {
    const { url } = await front();
    const port = Number(new URL(url).port);
    const second = serveHttp(await createFrontEngine(), { port, isOpen: true });
    await expect(second).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(String(port)),
    });
  });
});

describe("the two tools", () => {
  it.each([
    [
      "search_tools",
      { quary: "x" },
      'Unknown argument "quary"; there are "query", "detail", "limit", "language"',
    ],
    ["search_tools", { detail: "all" }, '"detail" must be one of "name", "description", "full"'],
    ["search_tools", { limit: 0 }, '"limit" must be a whole number from 1 to 1000'],
    ["execute_code", {}, '"code" must be a program, as a string'],
    ["execute_code", { code: "1", timeout: 3 }, 'Unknown argument "timeout"; there are "code", "language"'],
    ["execute_code", { code: "1", language: 7 }, '"language" must be one of "typescript", "python"'],
  ])("explain a wrong call of %s %o", async (name, args, message) => {
    const client = await connect((await front()).url, "modern");
    const result = await client.callTool({ name, arguments: args });
    expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: message }] });
  });

  it("take JavaScript for TypeScript, by any of its names", async () => {
    const client = await connect((await front()).url, "legacy");
    for (const language of ["javascript", "js", "ts", "TypeScript"]) {
      const { _meta } = await client.callTool({
        name: "execute_code",
        arguments: { code: "return 3", language },
      });
      expect(_meta?.["keyhole/result"]).toMatchObject({ status: "done", result: 3 });
    }
  });

  it.each(["ruby", "shell"])("say what can run instead of %s", async (language) => {
    const client = await connect((await front()).url, "legacy");
    const result = await client.callTool({ name: "execute_code", arguments: { code: "1", language } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("TypeScript") }],
    });
    expect(result._meta?.["keyhole/result"]).toMatchObject({
      ok: false,
      error: { kind: "language" },
    });
  });

  it("take null for an argument that was not given", async () => {
    const client = await connect((await front()).url, "modern");
    const result = await client.callTool({ name: "search_tools", arguments: { query: null, limit: null } });
    expect(result.isError).not.toBe(true);
  });

  it("are named when another one is called", async () => {
    const client = await connect((await front()).url, "modern");
    await expect(client.callTool({ name: "createIssue", arguments: {} })).rejects.toThrow(/execute_code/);
  });

  it("keep the reason of an internal failure from the model", async () => {
    const errors: string[] = [];
    const ready = Promise.reject(new Error("secret reason"));
    ready.catch(() => {});
    const served = await serveHttp(await createFrontEngine({ ready }), {
      isOpen: true,
      onError: ({ message }) => errors.push(message),
    });
    onCleanup(() => served.close());
    const client = await connect(served.url, "modern");
    const result = await client.callTool({ name: "search_tools", arguments: { query: "sums" } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(errors).toContain("secret reason");
  });

  it("replace what is no content block, and what is too large for clients to take", async () => {
    const client = await connect((await front()).url, "modern");
    const code = `
      emit({ type: "nonsense" });
      emit({ type: "resource_link", uri: "file:///etc/passwd", name: "x" });
      emit({ type: "text", text: "x".repeat(1e5) });
      emit({ type: "image", mimeType: "image/png", data: "x".repeat(7e6) });
      return "y".repeat(2e6)`;
    const result = await client.callTool({ name: "execute_code", arguments: { code } });
    expect(result.content.slice(1)).toEqual([
      { type: "text", text: expect.stringContaining("no text, image, audio or resource") },
      { type: "text", text: expect.stringContaining("no text, image, audio or resource") },
      { type: "text", text: expect.stringContaining("too long") },
      { type: "text", text: expect.stringContaining("too large") },
    ]);
    expect(result._meta?.["keyhole/result"]).toMatchObject({ ok: true, omitted: ["result", "logs"] });
  });

  it("show the user so many blocks and no more, whoever the program says they are for", async () => {
    const client = await connect((await front()).url, "modern");
    const code = `for (let n = 0; n < 100; n++) emit({ type: "text", text: "x", annotations: { audience: ["assistant"] } })`;
    const { content } = await client.callTool({ name: "execute_code", arguments: { code } });
    expect(content).toHaveLength(1 + 32 + 1);
    expect(content[1]).toMatchObject({ text: "x", annotations: { audience: ["user"] } });
    expect(content.at(-1)).toMatchObject({ text: "[68 more blocks were emitted]" });
  });
});
