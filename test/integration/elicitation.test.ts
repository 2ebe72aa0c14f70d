import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { serveHttp } from "../../src/server/http/serve-http.ts";
import { openEngine } from "../fixtures/engine.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, onCleanup, tempDir, writeProject } from "../fixtures/project.ts";

const LETTER = `return (await post.sendMail({ to: "ada", text: "a\\u202eb\\n  risk      none" })).sent`;
const TWO = `const one = await post.sendMail({ to: "ada" }); return [one.sent, (await post.sendMail({ to: "bob" })).sent]`;
const TOKENS = ["local", "alice"].map((principal) => ({ principal, token: `the-token-of-${principal}` }));

type Reply = () => ElicitResult | Promise<ElicitResult>;
const never: Reply = () => ({ action: "cancel" });
const accept = (content: ElicitResult["content"]) => ({ action: "accept", content }) as const;

const linesOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []);

async function front(approval: object = {}, answerAfterMs = 50_000, rest: object = {}) {
  const file = join(await tempDir(), "sent");
  const config = { approval, ...rest };
  const { engine } = await openEngine({ post: fixture("postbox", file) }, { config, answerAfterMs });
  const served = await serveHttp(engine, { tokens: TOKENS });
  onCleanup(() => served.close());
  return { engine, url: served.url, sent: () => linesOf(file).map((line) => JSON.parse(line)) };
}

type Era = "modern" | "legacy";

async function connect(
  at: string | { command: string; args: string[] },
  era: Era,
  reply?: Reply,
  principal = "local",
) {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const capabilities = reply === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, capabilities });
  const asked: ElicitRequest["params"][] = [];
  if (reply !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params);
      return reply();
    });
  const headers = { authorization: `Bearer the-token-of-${principal}` };
  const transport =
    typeof at === "string"
      ? new StreamableHTTPClientTransport(new URL(at), { requestInit: { headers } })
      : new StdioClientTransport({ ...at, stderr: "ignore" });
  await client.connect(transport);
  onCleanup(() => client.close());
  const closed = new Promise<never>((_, reject) => {
    client.onclose = () => reject(new Error("The client has closed"));
  });
  closed.catch(() => {});
  return { client, asked, closed };
}

async function run(client: Client, code: string, signal?: AbortSignal) {
  const options = signal === undefined ? {} : { signal };
  const { content, _meta } = await client.callTool({ name: "execute_code", arguments: { code } }, options);
  const data = (_meta as Record<string, Record<string, unknown>>)["keyhole/result"];
  return { ...data, text: JSON.stringify(content) } as Record<string, unknown> & { text: string };
}

describe("an answer for the session", () => {
  it("holds in the session of the client that was asked, and in no other", async () => {
    const { url, sent } = await front();
    const { client, asked } = await connect(url, "legacy", () => accept({ decision: "session" }));
    await run(client, TWO);
    await run(client, LETTER);
    expect(asked).toHaveLength(1);
    const other = await connect(url, "legacy", () => ({ action: "decline" }));
    expect(await run(other.client, LETTER)).toMatchObject({ status: "failed" });
    expect(sent()).toHaveLength(3);
  });

  it("is none where there is no session: who comes without one is not told from others", async () => {
    const { url, sent, engine } = await front({ holdMs: 300 });
    const { client } = await connect(url, "modern", () => accept({ decision: "session" }));
    expect(await run(client, LETTER)).toMatchObject({ status: "waiting", for: [{ kind: "approval" }] });
    const [{ id = "" } = {}] = await engine.approvals.list({ status: "pending" });
    const given = engine.approvals.answer(id, { decision: "approve", scope: "session" }, "a test");
    await expect(given).rejects.toThrow("can't be for a session");
    expect(sent()).toEqual([]);
  });
});

describe.each<Era>(["modern", "legacy"])("elicitation with a client of the %s era", (era) => {
  it("asks the person with the concrete arguments, and the call gets the run's result", async () => {
    const { url, sent, engine } = await front();
    const { client, asked } = await connect(url, era, () => accept({ decision: "once" }));
    expect(await run(client, LETTER)).toMatchObject({ status: "done", result: "ada" });
    expect(sent()).toHaveLength(1);
    const [{ message = "", requestedSchema } = {} as never] = asked as {
      message: string;
      requestedSchema: object;
    }[];
    expect(message).toContain("post.send_mail");
    expect(message).toContain('      "text": "a\\u202eb\\n  risk      none"\n');
    expect(message).not.toContain("\u202e");
    expect(message.split("\n").filter((line) => /^ {0,2}risk +none/.test(line))).toEqual([]);
    expect(requestedSchema).toMatchObject({
      properties: { decision: { enum: ["once", "run", ...(era === "legacy" ? ["session"] : []), "deny"] } },
    });
    expect(await engine.approvals.list()).toMatchObject([
      { status: "approved", answer: { scope: "once", by: "elicitation test" } },
    ]);
  });

  it("asks for each question of a run, and says what was done before", async () => {
    const { url, sent } = await front();
    const { client, asked } = await connect(url, era, () => accept({ decision: "once" }));
    expect(await run(client, TWO)).toMatchObject({ result: ["ada", "bob"] });
    expect(sent()).toHaveLength(2);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.message).toContain("post.send_mail: done");
  });

  it("asks once for a run", async () => {
    const { url } = await front();
    const { client, asked } = await connect(url, era, () => accept({ decision: "run" }));
    await run(client, TWO);
    expect(asked).toHaveLength(1);
    await run(client, LETTER);
    expect(asked).toHaveLength(2);
  });

  it("names each tool of a question, however many calls of others stand before it", async () => {
    const rules = [{ tool: "get_time", decision: "ask" }];
    const { url } = await front({}, 50_000, { permissions: { rules } });
    const { client, asked } = await connect(url, era, () => accept({ decision: "deny" }));
    await run(
      client,
      `const mails = Array.from({ length: 25 }, (_, to) => post.sendMail({ to }));
       await Promise.allSettled([...mails, post.getTime({ place: "here" })]);`,
    );
    const [question] = asked;
    for (const shown of ["post.send_mail: 25 calls", "post.get_time: 1 call", "Call 26", '"place": "here"'])
      expect(question?.message).toContain(shown);
    expect(question?.message).toContain("and 6 more that are not shown");
  });

  it("denies with the person's reason, and when the form is declined", async () => {
    const { url, sent } = await front();
    const replies = [accept({ decision: "deny", reason: "not today" }), { action: "decline" } as const];
    const { client } = await connect(url, era, () => replies.shift() ?? { action: "cancel" });
    const first = await run(client, LETTER);
    expect(first).toMatchObject({ status: "failed", error: { kind: expect.any(String) } });
    expect(first.text).toContain("not today");
    expect((await run(client, LETTER)).text).toContain("a person said no");
    expect(sent()).toEqual([]);
  });

  it.each<[string, ElicitResult]>([
    ["put away", { action: "cancel" }],
    ["filled in with what was not offered", { action: "accept", content: { decision: "once and for all" } }],
    ["filled in for always", { action: "accept", content: { decision: "always" } }],
    ["not filled in", { action: "accept", content: {} }],
  ])("is no answer when the form is %s: the run waits", async (_, reply) => {
    const { url, sent, engine } = await front({ holdMs: 300 });
    const { client } = await connect(url, era, () => reply);
    expect(await run(client, LETTER)).toMatchObject({ status: "waiting", for: [{ kind: "approval" }] });
    expect(await engine.approvals.list({ status: "pending" })).toHaveLength(1);
    expect(sent()).toEqual([]);
  });

  it("is not done where approval.channels does not name it, or the client can't", async () => {
    const quiet = await front({ holdMs: 200, channels: ["cli"] });
    const able = await connect(quiet.url, era, () => accept({ decision: "once" }));
    expect(await run(able.client, LETTER)).toMatchObject({ status: "waiting" });
    expect(able.asked).toEqual([]);
    const { url } = await front({ holdMs: 200 });
    const { client } = await connect(url, era);
    expect(await run(client, LETTER)).toMatchObject({ status: "waiting" });
  });

  it("goes on when somebody else was faster", async () => {
    const { url, sent, engine } = await front();
    const { client } = await connect(url, era, async () => {
      const [{ id = "" } = {}] = await engine.approvals.list({ status: "pending" });
      await engine.approvals.answer(id, { decision: "approve", scope: "once" }, "another");
      return accept({ decision: "deny" });
    });
    expect(await run(client, LETTER)).toMatchObject({ status: "done" });
    expect(sent()).toHaveLength(1);
  });

  it("loses nothing when the client goes while it is asked: the same program goes on", async () => {
    const { url, sent, engine } = await front({ holdMs: 1_000 });
    const gone = new AbortController();
    const first = await connect(url, era, () => {
      void first.client.close();
      gone.abort();
      throw new Error("The user has closed the client");
    });
    await expect(run(first.client, TWO, gone.signal)).rejects.toThrow();
    const pending = await engine.approvals.list({ status: "pending" });
    expect(pending).toHaveLength(1);
    await until(
      () => engine.runs.list().every(({ runId }) => runId !== pending[0]?.runId) || undefined,
      "the run to end as waiting",
    );
    expect(sent()).toEqual([]);
    const { client } = await connect(url, era, () => accept({ decision: "once" }));
    expect(await run(client, TWO)).toMatchObject({ status: "done", runId: pending[0]?.runId });
    expect(sent()).toHaveLength(2);
  });

  it("is not needed to leave a question open: a client that goes while others are asked loses nothing", async () => {
    for (const reply of [undefined, never]) {
      const { url, sent, engine } = await front({ holdMs: 2_000, channels: ["cli"] });
      const { client } = await connect(url, era, reply);
      const gone = new AbortController();
      const lost = run(client, LETTER, gone.signal);
      lost.catch(() => {});
      const listPending = () => engine.approvals.list({ status: "pending" });
      const { id, runId } = await until(async () => (await listPending())[0], "the question");
      void client.close();
      gone.abort();
      await expect(lost).rejects.toThrow();
      const isOver = () => engine.runs.get(runId) === undefined;
      await until(() => isOver() || undefined, "the run to end as waiting");
      expect(await listPending()).toMatchObject([{ id }]);
      await engine.approvals.answer(id, { decision: "approve", scope: "once" }, "a test");
      const next = await connect(url, era);
      expect(await run(next.client, LETTER)).toMatchObject({ status: "done", runId });
      expect(sent()).toHaveLength(1);
    }
  });

  it("tells what a failed run has written, and what its program touches", async () => {
    const { url } = await front();
    const { client } = await connect(url, era, () => accept({ decision: "once" }));
    expect(await run(client, TWO.replace("return", "throw"))).toMatchObject({
      status: "failed",
      ledger: [
        { effect: "landed", arguments: '{to:"ada"}' },
        { effect: "landed", arguments: '{to:"bob"}' },
      ],
      impact: { modifies: true, reversible: false, tools: [{ tool: "send_mail", effect: "sends" }] },
    });
  });

  it("works over stdio too, and a client that goes while it is asked finds its run waiting", async () => {
    const file = join(await tempDir(), "sent");
    const dir = await writeProject({ ".mcp.json": { mcpServers: { post: fixture("postbox", file) } } });
    const stdio = fileURLToPath(new URL("../fixtures/front/stdio.js", import.meta.url));
    const command = { command: process.execPath, args: [stdio, dir, "plain"] };
    const first = await connect(command, era, () => {
      if (first.asked.length === 1) return accept({ decision: "once" });
      void first.client.close();
      return new Promise(() => {});
    });
    await expect(Promise.race([run(first.client, TWO), first.closed])).rejects.toThrow();
    const { client, asked } = await connect(command, era, () => accept({ decision: "once" }));
    expect(await run(client, TWO)).toMatchObject({ result: ["ada", "bob"] });
    expect(asked).toHaveLength(1);
    expect(linesOf(file).map((line) => JSON.parse(line).to)).toEqual(["ada", "bob"]);
  });
});

type Asked = { resultType?: string; requestState?: string; inputRequests?: Record<string, unknown> };

/** A call as a client makes it that does not fill in forms by itself. */
async function callBy(client: Client, code: string, more: object = {}) {
  const params = { name: "execute_code", arguments: { code }, ...more };
  const result = await client.request({ method: "tools/call", params }, { allowInputRequired: true });
  return result as unknown as Asked & { content?: unknown; _meta?: Record<string, unknown> };
}

const responses = (decision: string) => ({ inputResponses: { question1: accept({ decision }) } });

describe("the state by which a call goes on", () => {
  it("is good for one call of the same program by the same principal, once", async () => {
    const { url, sent, engine } = await front();
    const { client } = await connect(url, "modern", never);
    const other = await connect(url, "modern", never, "alice");
    const { resultType, requestState = "", inputRequests } = await callBy(client, LETTER);
    expect(resultType).toBe("input_required");
    expect(Object.keys(inputRequests ?? {})).toEqual(["question1"]);
    const again = { requestState, ...responses("once") };
    for (const [by, code, state] of [
      [other.client, LETTER, requestState],
      [client, TWO, requestState],
      [client, LETTER, `${requestState}a`],
      [client, LETTER, ""],
    ] as const) {
      const refused = await callBy(by, code, { ...again, requestState: state });
      expect(JSON.stringify(refused.content)).toContain("not open here");
    }
    expect(await engine.approvals.list({ status: "pending" })).toHaveLength(1);
    expect(sent()).toEqual([]);
    expect(JSON.stringify((await callBy(client, LETTER, again)).content)).toContain("ada");
    expect(JSON.stringify((await callBy(client, LETTER, again)).content)).toContain("not open here");
    expect(sent()).toHaveLength(1);
  });

  it("answers nothing by itself: without a form the question is asked again", async () => {
    const { url, sent } = await front();
    const { client } = await connect(url, "modern", never);
    const { requestState } = await callBy(client, LETTER);
    const second = await callBy(client, LETTER, { requestState });
    expect(second).toMatchObject({ resultType: "input_required" });
    expect(second.requestState).not.toBe(requestState);
    // Forms without the state they belong to are the model's or anybody's: the program is asked for anew.
    expect(await callBy(client, `${LETTER};`, responses("once"))).toMatchObject({
      resultType: "input_required",
    });
    expect(sent()).toEqual([]);
  });

  it("brings an answer after the run was held: the call has it go on from its record", async () => {
    const { url, sent, engine } = await front({ holdMs: 200 });
    const { client } = await connect(url, "modern", never);
    const { requestState } = await callBy(client, LETTER);
    await until(() => engine.runs.list().length === 0 || undefined, "the run to end as waiting");
    const late = await callBy(client, LETTER, { requestState, ...responses("once") });
    expect(late._meta?.["keyhole/result"]).toMatchObject({ status: "done", result: "ada" });
    expect(sent()).toHaveLength(1);
    expect(await engine.approvals.list()).toHaveLength(1);
  });

  it("gets the run's result though the person took longer than an answer may take", async () => {
    const { url, engine } = await front({}, 5_000);
    const { client } = await connect(url, "modern", never);
    const { requestState } = await callBy(client, LETTER);
    const [{ createdAt = 0 } = {}] = await engine.approvals.list();
    await until(() => Date.now() > createdAt + 6_000 || undefined, "more than an answer may take");
    const result = await callBy(client, LETTER, { requestState, ...responses("once") });
    expect(result._meta?.["keyhole/result"]).toMatchObject({ status: "done", result: "ada" });
  });
});
