import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { connectKeyhole, keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { fixture, onCleanup, writeProject } from "../fixtures/project.ts";

const TOKENS = { ada: "ada-token-of-some-length", bob: "bob-token-of-some-length" };

type Answer = {
  status: string;
  runId: string;
  result?: unknown;
  error?: { kind: string };
  receipt: { directTokens: number; catalogTokens: number };
};
type Listed = { runId: string; session: string; principal: string; status: string };

async function serveHttp(dir: string): Promise<string> {
  const child = await startKeyhole(dir, ["serve", "--http", "0", "--json"]);
  let printed = "";
  for await (const line of createInterface(child.stdout ?? process.stdin)) {
    printed += line;
    if (line === "}") break;
  }
  return JSON.parse(printed).url;
}

async function connectHttp(url: string, token: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onCleanup(() => client.close());
  return client;
}

async function execute(client: Client, code: string, onMessage = (_text: string) => {}): Promise<Answer> {
  const { _meta } = await client.callTool(
    { name: "execute_code", arguments: { code } },
    { onprogress: ({ message = "" }) => onMessage(message) },
  );
  return _meta?.["keyhole/result"] as Answer;
}

async function json(dir: string, args: string[]) {
  return JSON.parse((await keyhole(dir, [...args, "--json"])).stdout);
}

it("two principals and two processes are told apart in turns, events, statistics and cancelling [runs-apart]", async () => {
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { cancellable: fixture("cancellable") } },
    "keyhole.config.json": {
      maxConcurrentTasks: 3,
      output: { answerAfterMs: 6_000 },
      http: { tokens: TOKENS },
    },
  });
  const url = await serveHttp(dir);
  const [ada, bob] = [await connectHttp(url, TOKENS.ada), await connectHttp(url, TOKENS.bob)];
  const clients = [ada, bob, await connectKeyhole(dir), await connectKeyhole(dir)];
  const [first, ...others] = clients;
  const waits = (name: string) => `console.log("I am ${name}"); await cancellable.wait({});`;
  const list = async (): Promise<Listed[]> => (await json(dir, ["runs", "list"])).runs;
  const cancel = async ({ runId }: Answer) =>
    expect((await keyhole(dir, ["runs", "cancel", runId])).code).toBe(0);

  // Events: each is told of its own run, and of nothing else.
  const told = clients.map(() => "");
  const going = await Promise.all(
    clients.map((client, n) =>
      execute(client, waits(`${n}`), (text) => {
        told[n] += text;
      }),
    ),
  );
  expect(going.map(({ status }) => status)).toEqual(["waiting", "waiting", "waiting", "waiting"]);
  expect(told.map((text) => text.match(/I am \d/g))).toEqual(clients.map((_, n) => [`I am ${n}`]));

  // The journal: whose each run is.
  const listed = await list();
  const whose = going.map(({ runId }) => listed.find((run) => run.runId === runId));
  expect(whose.map((run) => run?.principal)).toEqual(["ada", "bob", "local", "local"]);
  expect(new Set(whose.map((run) => run?.session)).size).toBe(4);

  // Cancelling: one run ends, and no other. Nobody can ask for another's.
  const [cancelled, ...left] = going;
  await cancel(cancelled as Answer);
  const fetch = ({ runId }: Answer) => `return (await runs.result("${runId}")).status`;
  const ask = (whom: (n: number) => Answer | undefined) =>
    Promise.all(others.map((client, n) => execute(client, fetch(whom(n) as Answer))));
  expect((await ask((n) => left[n])).map(({ result }) => result)).toEqual(["running", "running", "running"]);
  const foreign = await ask((n) => left[(n + 1) % left.length]);
  expect(foreign.map(({ error }) => error?.kind)).toEqual(["tool_error", "tool_error", "tool_error"]);
  expect((await execute(first as Client, fetch(cancelled as Answer))).result).toBe("failed");
  for (const answer of left) await cancel(answer);

  // Turns: the programs of one wait for each other, and nobody else's for them.
  const crowd = [1, 2, 3, 4].map((n) => execute(first as Client, waits(`${n} of a crowd`)));
  const short = await Promise.all(others.map((client) => execute(client, "return 1")));
  expect(short.map(({ result }) => result)).toEqual([1, 1, 1]);
  const adas = (await list()).filter(
    ({ principal, status }) => principal === "ada" && /queued|running|waiting/.test(status),
  );
  expect(adas).toHaveLength(4);
  for (const { runId } of await Promise.all(crowd)) expect(adas.map((run) => run.runId)).toContain(runId);

  // Statistics: directly, a model would have seen the catalogue once in each of the four sessions.
  const ended = (await list()).filter(({ status }) => status === "done" || status === "failed");
  const shown = await Promise.all(ended.map(({ runId }) => json(dir, ["runs", "show", runId])));
  const withoutCatalog = shown.map(({ receipt }) => receipt.directTokens - receipt.catalogTokens);
  const { tokens, runs, sessions } = await json(dir, ["stats"]);
  for (const run of whose) {
    const own = ended.filter(({ session }) => session === run?.session);
    expect(sessions).toContainEqual({
      session: run?.session,
      principal: run?.principal,
      runs: own.length,
      failed: own.filter(({ status }) => status === "failed").length,
      calls: expect.any(Number),
    });
  }
  expect(sessions).toHaveLength(4);
  expect(runs).toBe(ended.length);
  expect(tokens.direct).toBe(
    withoutCatalog.reduce((sum, value) => sum + value, 4 * (short[0]?.receipt.catalogTokens ?? 0)),
  );
}, 120_000);
