import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { RunRequest } from "../../src/engine/engine.ts";
import { serveHttp } from "../../src/server/http/serve-http.ts";
import { createFrontEngine } from "../fixtures/front/project.ts";
import { until } from "../fixtures/processes.ts";
import { onCleanup } from "../fixtures/project.ts";

const TOKENS = ["alice", "bob"].map((principal) => ({
  principal,
  token: `${principal}-token-of-some-length`,
}));
const ERAS = ["modern", "legacy"] as const;
type Era = (typeof ERAS)[number];

async function front({ maxConcurrentTasks }: { maxConcurrentTasks?: number } = {}) {
  const runs: RunRequest[] = [];
  const ended: unknown[] = [];
  const engine = await createFrontEngine({ ...(maxConcurrentTasks && { maxConcurrentTasks }) });
  const errors: Error[] = [];
  const watched = {
    ...engine,
    async answer(request: RunRequest) {
      runs.push(request);
      try {
        return await engine.answer(request);
      } finally {
        ended.push(request);
      }
    },
  };
  const served = await serveHttp(watched, { tokens: TOKENS, onError: (error) => errors.push(error) });
  onCleanup(() => served.close());
  return { url: new URL(served.url), runs, ended, errors };
}

const INITIALIZE = {
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

const toHeaders = (principal: string): Record<string, string> => ({
  authorization: `Bearer ${principal}-token-of-some-length`,
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
});

async function post(url: URL, principal: string, message: object): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
  return fetch(url, { method: "POST", headers: toHeaders(principal), body });
}

type Wire = { socket: Socket; text(): string; isClosed(): boolean };

/** Sends a program as the protocol's era does it, and reads nothing of the answer until it is told to. */
async function send(url: URL, era: Era, session: string, code: string, id: number): Promise<Wire> {
  const META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = {
    name: "execute_code",
    arguments: { code },
    ...(era === "modern" && { _meta: META }),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
  const own: Record<string, string> =
    era === "modern"
      ? { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "execute_code" }
      : { "mcp-protocol-version": "2025-06-18", "mcp-session-id": session };
  const headers = { host: url.host, ...toHeaders("alice"), ...own, "content-length": `${body.length}` };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(Number(url.port), "127.0.0.1").setEncoding("latin1");
  let text = "";
  let isClosed = false;
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  socket.on("data", (chunk: string) => {
    text += chunk;
  });
  socket.pause();
  onCleanup(async () => {
    socket.destroy();
  });
  await once(socket, "connect");
  socket.write(["POST /mcp HTTP/1.1", ...lines, "", body].join("\r\n"));
  return { socket, text: () => text, isClosed: () => isClosed };
}

async function openSession(url: URL): Promise<string> {
  const response = await post(url, "alice", INITIALIZE);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

describe.each(ERAS)("a %s client that has gone", (era) => {
  it("has its run ended, and its memory and id are free again", async () => {
    const { url, runs, ended, errors } = await front();
    const session = await openSession(url);
    for (let n = 1; n <= 2; n++) {
      const { socket } = await send(url, era, session, "for (;;);", 7);
      await until(() => runs.length === n, "the run");
      socket.destroy();
      await until(() => ended.length === n, "the run to be ended");
    }
    expect(runs.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
    expect(errors.map(({ message }) => message)).not.toContain(expect.stringContaining("undeliverable"));
  });

  it("has the programs ended that wait for their turn", async () => {
    const { url, runs, ended } = await front({ maxConcurrentTasks: 1 });
    const session = await openSession(url);
    const wires: Wire[] = [];
    for (let n = 0; n < 12; n++) wires.push(await send(url, era, session, "for (;;);", n));
    await until(() => runs.length === 12, "all to have come");
    for (const { socket } of wires) socket.destroy();
    await until(() => ended.length === 12, "all to be ended");
  });
});

describe.each(ERAS)("%s clients that do not read their answers", (era) => {
  const large = 'emit({ type: "image", mimeType: "image/png", data: "A".repeat(5_900_000) }); return 1';

  it("are ended when too much waits for them, and the others are served", async () => {
    const { url, ended } = await front();
    const session = await openSession(url);
    const wires: Wire[] = [];
    for (let n = 0; n < 20; n++) wires.push(await send(url, era, session, large, n));
    await until(() => ended.length === 20, "the runs");
    const other = await post(url, "bob", INITIALIZE);
    expect(other.status).toBe(200);
    await other.text();
    for (const { socket } of wires) socket.resume();
    const isWhole = ({ text }: Wire) => text().length > 5_900_000;
    await until(() => wires.every((wire) => isWhole(wire) || wire.isClosed()), "all to be read or ended");
    const whole = wires.filter(isWhole).length;
    expect(whole).toBeGreaterThan(0);
    expect(whole).toBeLessThan(15);
  });

  it("get the whole of it when they read it later", async () => {
    const { url, ended } = await front();
    const session = await openSession(url);
    const wire = await send(url, era, session, large, 1);
    await until(() => ended.length === 1, "the run");
    wire.socket.resume();
    await until(() => wire.text().length > 5_900_000, "the whole answer");
    expect(wire.text()).toContain('"keyhole/result"');
  });
});
