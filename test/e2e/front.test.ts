import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CLIENTS,
  connectFront,
  type FrontClient,
  startHttpFront,
  stdioFront,
  TRANSPORTS,
} from "../fixtures/front/clients.ts";
import { until } from "../fixtures/processes.ts";
import { openForAll } from "../fixtures/project.ts";

const MATRIX = TRANSPORTS.flatMap((transport) => CLIENTS.map((client) => ({ client, transport })));
const text = (value: string) => ({ type: "text", text: value });

describe.each(MATRIX)("the MCP front, for a $client client over $transport", ({ client, transport }) => {
  let front: FrontClient;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ made: front, close } = await openForAll(() => connectFront(client, transport)));
  });
  afterAll(() => close());

  it("offers exactly two tools and says how to use them [front-tools]", async () => {
    const tools = await front.tools();
    expect(tools).toMatchObject([{ name: "search_tools" }, { name: "execute_code" }]);
    expect(tools.every((tool) => !Object.hasOwn(Object(tool), "outputSchema"))).toBe(true);
    expect(front.instructions()).toContain("execute_code");
    if (client === "v2 modern") expect(front.version()).toBe("2026-07-28");
  });

  it("answers searches as text and as data [front-search]", async () => {
    const found = await front.call("search_tools", { query: "sum" });
    expect(found).toMatchObject({
      content: [text(expect.stringContaining("math.addUp"))],
      isError: false,
      structured: undefined,
    });
    expect(found.data).toMatchObject({
      total: 1,
      tools: [{ server: "math", tool: "add_up", function: "math.addUp" }],
    });
    const servers = await front.call("search_tools", {});
    expect(servers.data).toEqual({ servers: [{ name: "math", tools: 1, status: "ready", about: "Sums" }] });
  });

  it("runs programs: their text first, then what they emitted; failures are results [front-run]", async () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" };
    const ran = await front.call("execute_code", {
      code: `console.log("hi"); emit(${JSON.stringify(image)}); return (await math.addUp({ numbers: [40, 2] })).sum`,
    });
    expect(ran).toMatchObject({
      content: [text(expect.stringContaining("42")), image],
      isError: false,
      structured: undefined,
    });
    expect(ran.data).toMatchObject({
      ok: true,
      result: 42,
      logs: [{ text: "hi" }],
      calls: [{ server: "math", tool: "add_up", ok: true }],
      receipt: { seenTokens: expect.any(Number), directTokens: expect.any(Number) },
    });
    const failed = await front.call("execute_code", { code: 'throw new Error("no")' });
    expect(failed).toMatchObject({ content: [text(expect.stringContaining("no"))], isError: true });
    expect(failed.data).toMatchObject({ ok: false, error: { kind: "exception", message: "no" } });
  });

  it("streams logs and calls while a program runs [front-progress]", async () => {
    const messages: string[] = [];
    const stop = new AbortController();
    const onProgress = (message: string) => {
      messages.push(...message.split("\n"));
      if (messages.at(-1) === "two") stop.abort();
    };
    const code =
      'console.log("one"); await math.addUp({}); console.log("two"); await new Promise((r) => setTimeout(r, 60_000))';
    const running = front.call("execute_code", { code }, { onProgress, signal: stop.signal });
    await expect(running).rejects.toThrow();
    const done = expect.stringMatching(/^done: math\.add_up \(\d+ ms\)$/);
    expect(messages).toEqual(["one", "call 1: math.add_up", done, "two"]);
  });

  it("answers others while a program loops, and stops it when the client cancels [front-cancel]", async () => {
    // Nobody else has aborted a run there.
    const own = await connectFront(client, transport);
    const stop = new AbortController();
    let started = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const options = { signal: stop.signal, onProgress: () => started() };
    const code = 'console.log("looping"); await new Promise((r) => setTimeout(r, 1)); for (;;);';
    const looping = own.call("execute_code", { code }, options);
    looping.catch(() => {});
    await running;
    await own.ping();
    expect(await own.call("execute_code", { code: "return 2 + 2" })).toMatchObject({
      content: [text("4")],
    });
    stop.abort();
    await expect(looping).rejects.toThrow();
    if (transport === "stdio")
      await until(() => own.stderr().includes("run aborted"), "the run to be aborted");
  });
});

it("serves several clients of both eras at once over HTTP [front-many]", async () => {
  const url = await startHttpFront();
  const fronts = await Promise.all(
    [...CLIENTS, ...CLIENTS].map((client) => connectFront(client, "http", url)),
  );
  const answers = await Promise.all(
    fronts.map((front, index) => front.call("execute_code", { code: `return ${index} + 1` })),
  );
  expect(answers.map(({ data }) => data["result"])).toEqual([1, 2, 3, 4, 5, 6]);
});

it("keeps standard output to the protocol, whatever else is written there [front-stdout]", async () => {
  const front = await connectFront("v2 modern", "stdio");
  // The fixture writes stray lines, at the start and in each search; the client would stumble over any of them.
  await front.call("search_tools", {});
  await until(() => front.stderr().includes("engine searches"), "the stray line on standard error");
  expect(front.stderr()).toContain("a stray line");
});

it("ends when its client closes standard input, having written nothing but messages [front-stdout]", async () => {
  const { command, args } = await stdioFront();
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  const search = { name: "search_tools", arguments: {} };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: search })}\n`);
  await until(() => stdout.includes('"id":2'), "the answers");
  child.stdin.end();
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id),
  ).toEqual([1, 2]);
});

it("answers a client that reads late, and listens no more for each answer that waits [front-late-reader]", async () => {
  const { command, args } = await stdioFront();
  const workspace = join(args[1] ?? "", "workspace");
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const send = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  const clientInfo = { name: "raw", version: "1" };
  send(0, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  const ids = Array.from({ length: 16 }, (_, n) => n + 1);
  for (const id of ids) {
    const code = `await require("fs/promises").writeFile("./workspace/n${id}", ""); return "x".repeat(200_000)`;
    send(id, "tools/call", { name: "execute_code", arguments: { code } });
  }
  await until(async () => (await readdir(workspace).catch(() => [])).length >= ids.length, "the runs");
  const seen: number[] = [];
  createInterface(child.stdout).on("line", (line) => seen.push(JSON.parse(line).id));
  await until(() => seen.length > ids.length, "the answers");
  child.stdin.end();
  await once(child, "close");
  expect(seen.toSorted((a, b) => a - b)).toEqual([0, ...ids]);
  expect(stderr).not.toContain("MaxListenersExceededWarning");
});
