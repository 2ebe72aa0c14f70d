import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { UnparsedJson } from "../../src/text/unparsed-json.ts";
import { fixturePath, onCleanup, project, reference } from "../fixtures/project.ts";

/** Starts a program that listens on a port, and waits until it says so. */
async function start(
  command: string,
  args: string[],
  env: Record<string, string>,
  isUp: (line: string) => boolean,
): Promise<string> {
  const child: ChildProcess = spawn(command, args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onCleanup(async () => {
    child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`${args.join(" ")} ended`)));
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", (line) => isUp(line) && resolve(line));
    }
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startEverything(transport: "streamableHttp" | "sse"): Promise<number> {
  const port = await freePort();
  const { command, args } = reference("everything", transport);
  await start(command, args, { PORT: String(port) }, (line) => line.includes(`port ${port}`));
  return port;
}

/** An HTTP server whose answers the test decides. */
async function listen(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onCleanup(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const SETTINGS = { connectTimeoutMs: 5_000, timeoutMs: 2_000 };

async function connectTo(definition: Record<string, unknown>) {
  const { catalog } = await project({}, { servers: { remote: { ...SETTINGS, ...definition } } });
  return catalog.connection("remote");
}

describe("servers over HTTP", () => {
  it("are reached by Streamable HTTP in the older era", async () => {
    const port = await startEverything("streamableHttp");
    const connection = await connectTo({ type: "http", url: `http://127.0.0.1:${port}/mcp` });
    expect(await connection.connect()).toMatchObject({ transport: "http", era: "legacy" });
    expect((await connection.callTool({ name: "echo" }, { message: "hi" })).value).toBe("Echo: hi");
  });

  it("are reached by Streamable HTTP in the newer era", async () => {
    const port = await start(process.execPath, [fixturePath("modern"), "http"], {}, (line) =>
      /^\d+$/.test(line),
    );
    const connection = await connectTo({ url: `http://127.0.0.1:${port}/` });
    expect(await connection.connect()).toMatchObject({ transport: "http", era: "modern" });
    expect((await connection.callTool({ name: "add" }, { a: 2, b: 3 })).value).toEqual({ sum: 5 });
  });

  it("are reached by SSE, named so or found out", async () => {
    const port = await startEverything("sse");
    for (const type of ["sse", "http"]) {
      const connection = await connectTo({ type, url: `http://127.0.0.1:${port}/sse` });
      expect(await connection.connect()).toMatchObject({ transport: "sse", era: "legacy" });
      expect((await connection.callTool({ name: "echo" }, { message: type })).value).toBe(`Echo: ${type}`);
    }
  });

  it("get the headers of their configuration, and say which key is wrong when they refuse them", async () => {
    const seen: (string | undefined)[] = [];
    const url = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    process.env["KEYHOLE_TEST_BEARER"] = "t0ken";
    const connection = await connectTo({ url, headers: { Authorization: "Bearer ${KEYHOLE_TEST_BEARER}" } });
    await expect(connection.connect()).rejects.toMatchObject({
      code: "server_unreachable",
      message: expect.stringContaining("401"),
      hint: expect.stringContaining("headers"),
    });
    expect(new Set(seen)).toEqual(new Set(["Bearer t0ken"]));
  });

  it("get them over SSE too", async () => {
    const seen: (string | undefined)[] = [];
    const url = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(403).end();
    });
    const connection = await connectTo({ type: "sse", url, bearerToken: "t0ken" });
    await expect(connection.connect()).rejects.toMatchObject({ code: "server_unreachable" });
    expect(seen).toEqual(["Bearer t0ken"]);
  });

  it("never send the headers on to another origin", async () => {
    const thief: unknown[] = [];
    const elsewhere = await listen((request, response) => {
      thief.push(request.headers["x-api-key"]);
      response.writeHead(200).end("{}");
    });
    const url = await listen((_request, response) => response.writeHead(307, { location: elsewhere }).end());
    const connection = await connectTo({ url, headers: { "x-api-key": "secret" } });
    await expect(connection.connect()).rejects.toMatchObject({ code: "server_unreachable" });
    expect(thief).toEqual([]);
  });

  it("that are not there are named with their address", async () => {
    const port = await freePort();
    const connection = await connectTo({ url: `http://127.0.0.1:${port}/mcp` });
    await expect(connection.connect()).rejects.toMatchObject({
      code: "server_unreachable",
      message: expect.stringContaining("ECONNREFUSED"),
      hint: expect.stringContaining(`127.0.0.1:${port}`),
    });
  });

  it("may answer with a page of HTML", async () => {
    const url = await listen((_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    );
    const connection = await connectTo({ url });
    await expect(connection.connect()).rejects.toMatchObject({ server: "remote" });
  });

  it("are cut off when a body grows over the limit", async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = " ".repeat(64 * 1024);
      const pour = () => {
        while (response.write(chunk));
        response.once("drain", pour);
      };
      response.on("error", () => {});
      pour();
    });
    const connection = await connectTo({ url, maxMessageBytes: "1MB" });
    await expect(connection.connect()).rejects.toMatchObject({ server: "remote", code: "too_large" });
  });

  it("that close a call's stream without an answer fail that call, not after its time-out but at once", async () => {
    const url = await listen((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const { id, method } = body === "" ? {} : JSON.parse(body);
        if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
        if (method === "server/discover") return response.writeHead(404).end();
        response.writeHead(200, { "content-type": "text/event-stream" });
        if (method === "tools/call") return response.end();
        const result = {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        };
        return response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
      });
    });
    const connection = await connectTo({ url, timeoutMs: 25_000 });
    await expect(connection.callTool({ name: "any" }, {})).rejects.toMatchObject({ code: "server_closed" });
  });

  it("are asked once when they refuse a call and never gave out a session", async () => {
    let calls = 0;
    const url = await listen((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const { id, method } = body === "" ? {} : JSON.parse(body);
        if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
        if (method === "tools/call") calls++;
        if (method !== "initialize") return response.writeHead(400).end();
        const result = {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        };
        const headers = { "content-type": "application/json" };
        return response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });
    });
    const connection = await connectTo({ url });
    await expect(connection.callTool({ name: "any" }, {})).rejects.toMatchObject({
      code: "server_unreachable",
    });
    expect(calls).toBe(1);
  });

  it("that answer slowly have all of connectTimeoutMs", async () => {
    const url = await listen((_request, response) => {
      setTimeout(() => response.writeHead(503).end(), 2_500);
    });
    const connection = await connectTo({ url, connectTimeoutMs: 6_000 });
    await expect(connection.connect()).rejects.toMatchObject({ message: expect.stringContaining("503") });
  });

  it("keep the name and password of their address out of errors", async () => {
    const port = await freePort();
    process.env["KEYHOLE_TEST_PASSWORD"] = "s3cret-s3cret";
    const connection = await connectTo({
      url: `http://me:\${KEYHOLE_TEST_PASSWORD}@127.0.0.1:${port}/\${KEYHOLE_TEST_PASSWORD}/mcp`,
    });
    const error = await connection.connect().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "server_unreachable" });
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });

  it("that have forgotten the session are asked again with a new one", async () => {
    let sessions = 0;
    const calls: unknown[] = [];
    const url = await listen((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const { id, method } = body === "" ? {} : JSON.parse(body);
        if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
        if (method === "server/discover") return response.writeHead(400).end();
        const session = request.headers["mcp-session-id"];
        if (method === "tools/call") {
          calls.push(session);
          if (session === "s1") return response.writeHead(404).end();
        }
        const result =
          method === "initialize"
            ? {
                protocolVersion: "2025-06-18",
                capabilities: { tools: {} },
                serverInfo: { name: "x", version: "1" },
              }
            : { content: [{ type: "text", text: "done" }] };
        const headers = {
          "content-type": "application/json",
          ...(method === "initialize" ? { "mcp-session-id": `s${++sessions}` } : {}),
        };
        return response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });
    });
    const connection = await connectTo({ url });
    expect((await connection.callTool({ name: "any" }, {})).value).toBe("done");
    expect(calls).toEqual(["s1", "s2"]);
  });

  /** Answers calls with as many empty objects as their `count`, as JSON or as an event. */
  async function connectToMany(form: "json" | "event", settings: Record<string, unknown> = {}) {
    const url = await listen((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const { id, method, params } = body === "" ? {} : JSON.parse(body);
        if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
        if (method === "server/discover") return response.writeHead(404).end();
        const result =
          method === "tools/call"
            ? `{"structuredContent":{"a":[${"{},".repeat(params.arguments.count)}{}]}}`
            : '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}';
        const message = `{"result":${result},"jsonrpc":"2.0","id":${id}}`;
        if (form === "json")
          return response.writeHead(200, { "content-type": "application/json" }).end(message);
        response.writeHead(200, { "content-type": "text/event-stream" });
        return response.end(`: hello\r\nevent: message\r\ndata: ${message}\r\n\r\n`);
      });
    });
    return connectTo({ url, timeoutMs: 20_000, ...settings });
  }

  it.each(["json", "event"] as const)(
    "may send large answers, which are not parsed here (%s)",
    async (form) => {
      const connection = await connectToMany(form);
      const { value } = await connection.callTool({ name: "any" }, { count: 200_000 });
      expect(value instanceof UnparsedJson && value.parse()).toEqual({ a: Array(200_001).fill({}) });
    },
  );

  it.each(["json", "event"] as const)(
    "fail a call alone whose answer has too many values (%s)",
    async (form) => {
      const connection = await connectToMany(form, { maxMessageValues: 200_000 });
      await expect(connection.callTool({ name: "any" }, { count: 300_000 })).rejects.toMatchObject({
        code: "too_large",
        message: expect.stringContaining('answered "any"'),
        hint: expect.stringContaining("maxMessageValues"),
      });
      const { value } = await connection.callTool({ name: "any" }, { count: 0 });
      expect(value).toEqual({ a: [{}] });
    },
  );

  it("are cut off when they flood a call's stream with comments", async () => {
    const url = await listen((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "text/event-stream" });
      const pour = () => {
        while (response.write(":\n\n".repeat(10_000)));
        response.once("drain", pour);
      };
      response.on("error", () => {});
      pour();
    });
    const connection = await connectTo({ url });
    await expect(connection.connect()).rejects.toMatchObject({
      code: "server_misbehaved",
      message: expect.stringContaining("floods"),
    });
  });
});
