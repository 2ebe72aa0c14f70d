import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type ElicitResult, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { revokeTrust } from "../../src/config/trust/accept.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import { openProject } from "../../src/engine/project.ts";
import { serveHttp } from "../../src/server/http/serve-http.ts";
import { eventsOf, only } from "../fixtures/audit/events-of.ts";
import { fixture, homeOf, onCleanup, writeProject, writeUserConfig } from "../fixtures/project.ts";

const BIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const TOKENS = ["local", "alice"].map((principal) => ({ principal, token: `the-token-of-${principal}` }));
const ADD = "return (await math.addUp({ numbers: [1, 2] })).sum";
const FILES = { ".mcp.json": { mcpServers: { math: fixture("math") } } };

type Era = "modern" | "legacy";
type Reply = () => ElicitResult | Promise<ElicitResult>;

const saying = (decision: string): ElicitResult => ({ action: "accept", content: { decision } });
const trusting: Reply = () => saying("trust");

async function open(dir: string) {
  const project = await openProject({
    dir,
    homeDir: await homeOf(dir),
    env: { PATH: process.env["PATH"] },
  });
  onCleanup(() => project.close());
  await project.catalog.read();
  const engine = createEngine(project, { poolSize: 0 });
  onCleanup(() => engine.close());
  return { project, engine };
}

/** A gateway over a folder that nobody has trusted. */
async function front(files: Record<string, unknown> = FILES, { isOpen = false } = {}) {
  const dir = await writeProject(files);
  return serve(dir, isOpen);
}

async function serve(dir: string, isOpen = false) {
  const { project, engine } = await open(dir);
  const served = await serveHttp(engine, isOpen ? { isOpen } : { tokens: TOKENS });
  onCleanup(() => served.close());
  const states = async () => {
    const { brought } = await loadConfig({ projectDir: dir, homeDir: await homeOf(dir), env: {} });
    return Object.fromEntries(brought.map(({ id, state }) => [id, state]));
  };
  return { dir, project, engine, url: served.url, states };
}

type Message = { message: string; requestedSchema?: unknown };

async function connect(url: string, era: Era, reply?: Reply, principal: string | undefined = "local") {
  const headers = { authorization: `Bearer the-token-of-${principal}` };
  return connectBy(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), era, reply);
}

async function connectStdio(dir: string, era: Era, reply?: Reply) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: await homeOf(dir) };
  const command = { command: process.execPath, args: [BIN, "serve"], cwd: dir, env };
  return connectBy(new StdioClientTransport({ ...command, stderr: "ignore" }), era, reply);
}

async function connectBy(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  era: Era,
  reply: Reply | undefined,
) {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const capabilities = reply === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, capabilities });
  const asked: Message[] = [];
  if (reply !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params as Message);
      return reply();
    });
  await client.connect(transport);
  onCleanup(() => client.close());
  return { client, asked };
}

async function call(client: Client, name: string, args: Record<string, unknown>, signal?: AbortSignal) {
  const result = await client.callTool({ name, arguments: args }, signal === undefined ? {} : { signal });
  const data = (result._meta as Record<string, Record<string, unknown>>)["keyhole/result"];
  return { ...data, text: JSON.stringify(result.content) } as Record<string, unknown> & { text: string };
}

const run = (client: Client, code = ADD, signal?: AbortSignal) =>
  call(client, "execute_code", { code }, signal);
const search = (client: Client, query?: string) =>
  call(client, "search_tools", query === undefined ? {} : { query });

describe.each<Era>(["modern", "legacy"])("trust by elicitation, with a client of the %s era", (era) => {
  it("shows what the folder brings before the first run, and starts it after a yes", async () => {
    const { dir, url, states } = await front();
    const { client, asked } = await connect(url, era, trusting);
    expect(await run(client)).toMatchObject({ status: "done", result: 3 });
    const given = only(await eventsOf(dir), "trust.given");
    expect(given).toMatchObject([
      {
        server: "math",
        session: expect.any(String),
        principal: "local",
        client: { name: "test" },
        details: { channel: "elicitation", person: "test" },
      },
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toContain("server math (not trusted yet");
    expect(asked[0]?.message).toContain("servers/math.js");
    expect(asked[0]?.requestedSchema).toMatchObject({
      properties: { decision: { enum: ["trust", "not now"] } },
    });
    expect(await states()).toEqual({ "server math": "trusted" });
  });

  it("asks before the first search too, and the search has the tools", async () => {
    const { url } = await front();
    const { client, asked } = await connect(url, era, trusting);
    expect((await search(client, "add numbers")).text).toContain("addUp");
    expect(await run(client)).toMatchObject({ result: 3 });
    expect(asked).toHaveLength(1);
  });

  it.each<[string, ElicitResult]>([
    ["says not now", saying("not now")],
    ["declines", { action: "decline" }],
    ["puts the form away", { action: "cancel" }],
    ["fills in what was not offered", saying("trust everything")],
    ["fills in nothing", { action: "accept", content: {} }],
    ["fills in a list", { action: "accept", content: { decision: ["trust"] } }],
    ["says yes to an approval", saying("session")],
  ])("trusts nothing when the person %s, and does not ask again", async (_, reply) => {
    const { url, states } = await front();
    const { client, asked } = await connect(url, era, () => reply);
    const first = await run(client).catch((error: Error) => ({ text: error.message }));
    const second = await run(client);
    expect(JSON.stringify(first)).not.toMatch(/"result":3[,}]/);
    expect(second.text).toContain("keyhole trust");
    expect((await search(client)).text).toContain("not trusted yet");
    expect(asked).toHaveLength(1);
    expect(await states()).toEqual({ "server math": "new" });
  });

  it("asks nobody where the client can't", async () => {
    const { url, states } = await front();
    const { client } = await connect(url, era);
    expect((await run(client)).text).toContain("keyhole trust");
    expect(await states()).toEqual({ "server math": "new" });
  });

  it("asks no other principal than the local user", async () => {
    const { url, states } = await front();
    const { client, asked } = await connect(url, era, trusting, "alice");
    expect((await run(client)).text).toContain("keyhole trust");
    expect(asked).toEqual([]);
    expect(await states()).toEqual({ "server math": "new" });
  });

  it("asks nobody where anybody on the machine is the local user", async () => {
    const { url, states } = await front(FILES, { isOpen: true });
    const { client, asked } = await connect(url, era, trusting);
    expect((await run(client)).text).toContain("keyhole trust");
    expect(asked).toEqual([]);
    expect(await states()).toEqual({ "server math": "new" });
  });

  it("asks nobody where the user's own config leaves elicitation out, and heeds no project's word on it", async () => {
    const quiet = await writeProject({
      ...FILES,
      "keyhole.config.json": { approval: { channels: ["elicitation"] } },
    });
    await writeUserConfig(quiet, { approval: { channels: ["cli"] } });
    const excluded = await connect((await serve(quiet)).url, era, trusting);
    expect((await run(excluded.client)).text).toContain("keyhole trust");
    expect(excluded.asked).toEqual([]);

    const silenced = await front({ ...FILES, "keyhole.config.json": { approval: { channels: ["cli"] } } });
    const asking = await connect(silenced.url, era, () => saying("not now"));
    await run(asking.client);
    expect(asking.asked).toHaveLength(1);
  });

  it("asks once for calls at the same time, and all of them get what was trusted", async () => {
    const { url } = await front();
    const { client, asked } = await connect(url, era, trusting);
    const results = await Promise.all([run(client), run(client), run(client)]);
    expect(results.map(({ result }) => result)).toEqual([3, 3, 3]);
    expect(asked).toHaveLength(1);
  });

  it("says that settings hold from the next start, and starts nothing without them", async () => {
    const permissions = { rules: [{ server: "math", decision: "deny" }] };
    const first = await front({ ...FILES, "keyhole.config.json": { permissions } });
    const { client, asked } = await connect(first.url, era, trusting);
    expect((await run(client)).text).toContain("start Keyhole again");
    expect(asked[0]?.message).toContain("settings (keyhole.config)");
    expect(asked[0]?.message).toContain("once Keyhole is started again");
    expect((await search(client)).text).toContain("start Keyhole again");
    expect(await first.states()).toEqual({ "settings keyhole.config": "trusted", "server math": "trusted" });
    const next = await serve(first.dir);
    const again = await connect(next.url, era, trusting);
    expect(await run(again.client)).toMatchObject({ status: "failed", error: { code: "denied" } });
    expect(again.asked).toEqual([]);
    await revokeTrust({ projectDir: first.dir, homeDir: await homeOf(first.dir), env: {} });
    const other = await connect(first.url, era, () => saying("not now"));
    const { text } = await run(other.client);
    expect(text).toContain(`keyhole trust --project ${first.dir}`);
    expect(text).not.toContain("is trusted, with settings");
  });

  it("shows a changed server as a difference", async () => {
    const first = await front();
    await run((await connect(first.url, era, trusting)).client);
    await writeFile(
      join(first.dir, ".mcp.json"),
      JSON.stringify({ mcpServers: { math: fixture("math", "more\u202e") } }),
    );
    const { url } = await serve(first.dir);
    const { client, asked } = await connect(url, era, () => saying("not now"));
    await run(client);
    expect(asked[0]?.message).toContain("changed since it was trusted");
    expect(asked[0]?.message).toMatch(/\n {3}- starts: .*math\.js\n {3}\+ starts: .*more\\+u202e/);
    expect(asked[0]?.message).not.toContain("\u202e");
  });

  it("trusts what it showed, whatever the folder holds by the time of the answer", async () => {
    const { dir, url, project, states } = await front();
    const { client } = await connect(url, era, async () => {
      const evil = { mcpServers: { math: fixture("math", "evil"), other: fixture("good") } };
      await writeFile(join(dir, ".mcp.json"), JSON.stringify(evil));
      return saying("trust");
    });
    expect(await run(client)).toMatchObject({ result: 3 });
    expect(JSON.stringify(project.catalog.entry("math")?.definition)).not.toContain("evil");
    expect(await states()).toEqual({ "server math": "changed", "server other": "new" });
  });

  it("trusts nothing that it can't show whole", async () => {
    const long = fixture("good", ..."abcdefgh".split("").map((letter) => `${letter} `.repeat(900)));
    const { url, states } = await front({
      ".mcp.json": { mcpServers: { long, math: fixture("math") } },
    });
    const { client, asked } = await connect(url, era, trusting);
    expect(await run(client)).toMatchObject({ result: 3 });
    expect(asked[0]?.message).toContain("1 more are too long to be shown here");
    expect(asked[0]?.message.length).toBeLessThan(10_000);
    expect(await states()).toEqual({ "server long": "new", "server math": "trusted" });
    expect(asked).toHaveLength(1);
  });

  it("asks for nothing where settings are too long to be shown: no server comes without them", async () => {
    const rules = Array.from({ length: 150 }, (_, n) => ({
      server: `${n}`,
      decision: "deny",
      reason: "x y ".repeat(50),
    }));
    const { url, states } = await front({ ...FILES, "keyhole.config.json": { permissions: { rules } } });
    const { client, asked } = await connect(url, era, trusting);
    expect((await run(client)).text).toContain("keyhole trust");
    expect(asked).toEqual([]);
    expect(await states()).toMatchObject({ "server math": "new" });
  });

  it("trusts nothing when the client goes while it is asked", async () => {
    const { url, states } = await front();
    const gone = new AbortController();
    const first = await connect(url, era, () => {
      void first.client.close();
      gone.abort();
      throw new Error("The user has closed the client");
    });
    await expect(run(first.client, ADD, gone.signal)).rejects.toThrow();
    expect(await states()).toEqual({ "server math": "new" });
  });

  it("works over stdio with the gateway as clients start it", async () => {
    const dir = await writeProject(FILES);
    const { client, asked } = await connectStdio(dir, era, trusting);
    expect(await run(client)).toMatchObject({ result: 3 });
    expect(await run(client)).toMatchObject({ result: 3 });
    expect(asked).toHaveLength(1);
    const again = await connectStdio(dir, era, trusting);
    expect(await run(again.client)).toMatchObject({ result: 3 });
    expect(again.asked).toEqual([]);
  });

  it("closes the servers of a running gateway once they are revoked, and takes them up again", async () => {
    const { dir, url, project, engine, states } = await front();
    const { client, asked } = await connect(url, era, trusting);
    expect(await run(client)).toMatchObject({ result: 3 });
    const connection = project.catalog.connection("math");
    await revokeTrust({ projectDir: dir, homeDir: await homeOf(dir), env: {} });
    expect((await run(client)).text).toContain("not trusted any more");
    expect(connection.status().state).toBe("closed");
    expect((await search(client, "add numbers")).text).not.toContain("addUp(");
    // The same was asked for in this session.
    expect(asked).toHaveLength(1);
    expect(await states()).toEqual({ "server math": "new" });
    await engine.trust.accept();
    expect(await run(client)).toMatchObject({ result: 3 });
  });
});

describe("a trust question's state", () => {
  type Raw = { resultType?: string; requestState?: string; content?: unknown };

  async function callBy(client: Client, more: object = {}): Promise<Raw> {
    const params = { name: "execute_code", arguments: { code: ADD }, ...more };
    return (await client.request(
      { method: "tools/call", params },
      { allowInputRequired: true },
    )) as unknown as Raw;
  }
  const responses = { inputResponses: { trust: saying("trust") } };

  it.each<[string, object]>([
    ["nothing", {}],
    ["no form", { inputResponses: { trust: "trust" } }],
    ["null", { inputResponses: { trust: null } }],
    ["a list", { inputResponses: { trust: [saying("trust")] } }],
    ["another action", { inputResponses: { trust: { action: "trust", content: { decision: "trust" } } } }],
    ["no action", { inputResponses: { trust: { content: { decision: "trust" } } } }],
    ["content that is no object", { inputResponses: { trust: { action: "accept", content: "trust" } } }],
    ["an answer to another question", { inputResponses: { question1: saying("trust") } }],
    ["an inherited one", { inputResponses: { __proto__: { trust: saying("trust") } } }],
  ])("trusts nothing by %s", async (_, more) => {
    const { url, states } = await front();
    const { client } = await connect(url, "modern", () => saying("not now"));
    const { requestState = "" } = await callBy(client);
    await callBy(client, { requestState, ...more }).catch(() => {});
    expect(await states()).toEqual({ "server math": "new" });
  });

  it("is good once, for the session that was asked, and no answer counts without it", async () => {
    const { url, states } = await front();
    const { client } = await connect(url, "modern", () => saying("not now"));
    const alice = await connect(url, "modern", () => saying("not now"), "alice");
    expect(JSON.stringify((await callBy(alice.client, responses)).content)).toContain("keyhole trust");
    const { requestState = "", resultType } = await callBy(client, responses);
    expect(resultType).toBe("input_required");
    expect(await states()).toEqual({ "server math": "new" });
    for (const [by, state] of [
      [alice.client, requestState],
      [client, `${requestState}a`],
    ] as const) {
      const refused = await callBy(by, { requestState: state, ...responses });
      expect(JSON.stringify(refused.content)).toContain("not open here");
    }
    expect(await states()).toEqual({ "server math": "new" });
    const answered = await callBy(client, { requestState, ...responses });
    expect(JSON.stringify(answered.content)).toContain("3");
    expect(await states()).toEqual({ "server math": "trusted" });
    expect(JSON.stringify((await callBy(client, { requestState, ...responses })).content)).toContain(
      "not open here",
    );
  });
});

it("a client of the older era that answers malformed is asked once, and trusts nothing", async () => {
  for (const reply of [{ action: "trust", content: "trust" }, {}, { action: "accept", content: "trust" }]) {
    const { url, states } = await front();
    const { client, asked } = await connect(url, "legacy", () => reply as never);
    expect((await run(client)).text).toContain("keyhole trust");
    expect((await run(client)).text).toContain("keyhole trust");
    expect(asked).toHaveLength(1);
    expect(await states()).toEqual({ "server math": "new" });
  }
});

describe("settings that are revoked while a gateway runs by them", () => {
  it("stop it from doing anything, with the way to go on", async () => {
    const config = { permissions: { rules: [{ server: "math", decision: "allow" }] } };
    const dir = await writeProject({ ...FILES, "keyhole.config.json": config });
    const places = { projectDir: dir, homeDir: await homeOf(dir), env: {} };
    const first = await open(dir);
    await first.engine.trust.accept();
    const { url } = await serve(dir);
    const { client } = await connect(url, "legacy");
    expect(await run(client)).toMatchObject({ result: 3 });
    await revokeTrust(places);
    expect((await run(client, "return 1")).text).toContain("Start Keyhole again");
    expect((await run(client, "return 1")).text).toContain("not trusted any more");
    expect((await search(client)).text).toContain("Start Keyhole again");
  });
});
