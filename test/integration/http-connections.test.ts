import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { type HttpOptions, serveHttp } from "../../src/server/http/serve-http.ts";
import { createFrontEngine } from "../fixtures/front/project.ts";
import { until } from "../fixtures/processes.ts";
import { onCleanup } from "../fixtures/project.ts";

const TOKEN = "a-token-of-some-length";
const BODY = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});
const HALF = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Half: ";

async function front(options: HttpOptions = {}, onRun = () => {}): Promise<URL> {
  const tokens = [{ principal: "local", token: TOKEN }];
  const served = await serveHttp(await createFrontEngine({ onRun }), { tokens, ...options });
  onCleanup(() => served.close());
  return new URL(served.url);
}

type Wire = { socket: Socket; read(): string; isOpen(): boolean };

async function open({ port }: URL, send = ""): Promise<Wire> {
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => {});
  onCleanup(async () => {
    socket.destroy();
  });
  let text = "";
  let isOpen = true;
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("close", () => {
    isOpen = false;
  });
  await once(socket, "connect");
  socket.write(send);
  return { socket, read: () => text, isOpen: () => isOpen };
}

const openMany = (url: URL, count: number, send: string) =>
  Promise.all(Array.from({ length: count }, () => open(url, send)));

const post = (token: string | undefined, body = BODY, length = body.length, session?: string) =>
  [
    "POST /mcp HTTP/1.1",
    "Host: localhost",
    "Accept: application/json, text/event-stream",
    "Content-Type: application/json",
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(session === undefined ? [] : [`Mcp-Session-Id: ${session}`]),
    `Content-Length: ${length}`,
    "",
    body,
  ].join("\r\n");

/** A client that comes while others are at it. */
async function expectServed(url: URL): Promise<void> {
  const client = await open(url, post(TOKEN));
  await until(() => client.read().includes('"serverInfo"'), "the answer");
}

describe("connections", () => {
  it("with half-sent headers give way to clients, however many there are", async () => {
    const url = await front({ maxConnections: 50 });
    const half = await openMany(url, 100, HALF);
    for (let n = 0; n < 60; n++) await expectServed(url);
    await until(() => half.filter(({ isOpen }) => isOpen()).length <= 50, "the oldest to be ended");
  });

  it("with a request under way are kept when the table is full", async () => {
    let runs = 0;
    const url = await front({ maxConnections: 10 }, () => runs++);
    const first = await open(url, post(TOKEN));
    await until(() => /mcp-session-id: (\S+)/i.test(first.read()), "the session");
    const [, session = ""] = /mcp-session-id: (\S+)/i.exec(first.read()) ?? [];
    const code = "await new Promise((resolve) => setTimeout(resolve, 60_000))";
    const params = { name: "execute_code", arguments: { code } };
    const call = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params });
    const stream = await open(url, post(TOKEN, call, call.length, session));
    await until(() => runs > 0, "the run");
    await openMany(url, 50, HALF);
    await openMany(url, 50, "");
    await expectServed(url);
    expect(stream.isOpen()).toBe(true);
  });

  it("from one address without a token are so many, and the oldest of them are ended", async () => {
    const url = await front();
    const silent = await openMany(url, 700, "");
    await until(() => silent.filter(({ isOpen }) => isOpen()).length === 512, "all but 512 to be ended");
    await expectServed(url);
  });

  it("that do not send their headers in time are ended", async () => {
    const url = await front({ headersTimeoutMs: 50 });
    const half = await open(url, HALF);
    const silent = await open(url);
    await until(() => !half.isOpen() && !silent.isOpen(), "both to be ended");
  });

  it("are ended after a request without the token, whose body is not read", async () => {
    const url = await front();
    const stranger = await open(url, post(undefined, "", 4_000_000));
    await until(() => !stranger.isOpen(), "the end");
    expect(stranger.read()).toMatch(/^HTTP\/1.1 401 /);
    const many = await open(url, post("wrong").repeat(100));
    await until(() => !many.isOpen(), "the end");
    await expectServed(url);
  });

  it("may carry requests one behind the other", async () => {
    const url = await front();
    const client = await open(url, post(TOKEN).repeat(3));
    await until(() => client.read().split('"serverInfo"').length === 4, "three answers");
  });

  it("with headers without end are ended", async () => {
    const url = await front();
    const lines = await open(url, `GET /mcp HTTP/1.1\r\nHost: localhost\r\n${"X: y\r\n".repeat(50_000)}`);
    await until(() => !lines.isOpen(), "the end");
    await expectServed(url);
  });
});
