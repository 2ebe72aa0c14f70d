import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { connectAttacker } from "./attacker.ts";
import { expectNone } from "./expect-none.ts";
import { type Gateway, LOCAL_TOKEN, startGateway } from "./gateway.ts";
import { STUCK_MS, slowest } from "./judge.ts";
import { canHold } from "./net.ts";

const CONNECT_MS = 5_000;

let gateway: Gateway | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway?.end();
  gateway = undefined;
});

/** What strangers send over connections of their own, without a token. */
const STRANGERS: Readonly<Record<string, { readonly connections: number; readonly text: string }>> = {
  "1,024 half-sent headers": {
    connections: 1_024,
    text: "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
  },
  "2,000 connections that say nothing": { connections: 2_000, text: "" },
  "1,024 half-sent bodies": {
    connections: 1_024,
    text: "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{",
  },
  "500 headers without an end": { connections: 500, text: `GET / HTTP/1.1\r\n${"X-A: b\r\n".repeat(1_000)}` },
  "500 that are no HTTP": { connections: 500, text: "\u0000\u0001".repeat(5_000) },
};

describe.skipIf(!canHold)("strangers at the HTTP front", () => {
  for (const [name, { connections, text }] of Object.entries(STRANGERS)) {
    it(`lock nobody out: ${name}`, async () => {
      gateway = await startGateway();
      const { port } = new URL(gateway.url);
      for (let n = 0; n < connections; n++) {
        const socket = connect(Number(port), "127.0.0.1");
        socket.on("error", () => {});
        socket.write(text);
        sockets.push(socket);
      }
      const startedAt = Date.now();
      const complaints: string[] = [];
      const connecting = connectAttacker(gateway.url, LOCAL_TOKEN);
      const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), CONNECT_MS));
      const client = await Promise.race([connecting.catch(() => undefined), late]);
      const answer = await Promise.race([client?.run("return 1;"), late]);
      if (!answer?.came || !answer.ok) complaints.push("Client: a new one got no answer");
      await gateway.honest.answeredSince(startedAt, 3, 10_000);
      const seen = gateway.honest.between(startedAt, Date.now());
      if (slowest(seen) > STUCK_MS) complaints.push(`Other session: waited ${slowest(seen)} ms`);
      complaints.push(...new Set(seen.flatMap(({ problem }) => problem ?? [])));
      if (!gateway.host.isAlive()) complaints.push("Host: it died");
      await client?.close();
      expectNone(complaints);
    });
  }
});

const REQUEST = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "execute_code", arguments: {} },
};
const DEEP = `${'{"a":'.repeat(300_000)}1${"}".repeat(300_000)}`;

/** What a client with the token sends that is no request of MCP. */
const BODIES: Readonly<Record<string, () => string>> = {
  "deep JSON": () => DEEP,
  "deep arguments": () => JSON.stringify(REQUEST).replace('"arguments":{}', `"arguments":${DEEP}`),
  "a batch of 100,000": () => `[${Array(100_000).fill('{"jsonrpc":"2.0","method":"x"}').join(",")}]`,
  "a million values": () => `[${"{},".repeat(1_000_000)}{}]`,
  "a million keys": () => `{${Array.from({ length: 200_000 }, (_, n) => `"k${n}":1`).join(",")}}`,
  "100 MB": () => "x".repeat(100_000_000),
  "a language of 3 MB": () =>
    JSON.stringify({
      ...REQUEST,
      params: { name: "execute_code", arguments: { code: "return 1", language: "x".repeat(3_000_000) } },
    }),
  "a tool's name of 3 MB": () => JSON.stringify({ ...REQUEST, params: { name: "x".repeat(3_000_000) } }),
  "a query of 3 MB": () =>
    JSON.stringify({
      ...REQUEST,
      params: { name: "search_tools", arguments: { query: "word ".repeat(600_000) } },
    }),
  "a query of 3 MB without a space": () =>
    JSON.stringify({
      ...REQUEST,
      params: { name: "search_tools", arguments: { query: "u__".repeat(1_000_000) } },
    }),
};

describe.skipIf(!canHold)("a client of the HTTP front", () => {
  it("does not delay others by what it sends", async () => {
    gateway = await startGateway();
    const complaints: string[] = [];
    for (const [name, toBody] of Object.entries(BODIES)) {
      const body = toBody();
      const startedAt = Date.now();
      const headers = {
        authorization: `Bearer ${LOCAL_TOKEN}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      };
      const status = await fetch(gateway.url, {
        method: "POST",
        headers,
        body,
        signal: AbortSignal.timeout(20_000),
      })
        .then(async (response) => {
          await response.text();
          return response.status;
        })
        // A body that is too large may be cut off in the middle.
        .catch((error: unknown) =>
          error instanceof Error && error.name === "TimeoutError" ? "no answer" : 413,
        );
      await gateway.honest.answeredSince(startedAt, 1, 20_000);
      const waitedMs = slowest(gateway.honest.between(startedAt, Date.now()));
      if (waitedMs > STUCK_MS) complaints.push(`${name}: the other session waited ${waitedMs} ms`);
      if (status === "no answer" || Number(status) >= 500) complaints.push(`${name}: ${status}`);
    }
    expectNone(complaints);
    expect(gateway.host.isAlive()).toBe(true);
  });
});
