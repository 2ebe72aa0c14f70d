import { createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine/create-engine.ts";
import { openProject } from "../../src/engine/project.ts";
import { type HttpOptions, serveHttp } from "../../src/server/http/serve-http.ts";
import { eventsOf, only } from "../fixtures/audit/events-of.ts";
import { openEngine } from "../fixtures/engine.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, homeOf, onCleanup, tempDir } from "../fixtures/project.ts";

const CLIENT = "the-token-of-a-client";
const APPROVER = "the-token-of-an-approver";
const SECRET = "a-secret-that-is-long-enough";
const LETTER = `return (await post.sendMail({ to: "ada" })).sent`;
const OPTIONS: HttpOptions = {
  tokens: [{ principal: "local", token: CLIENT }],
  approvers: [{ principal: "eve", token: APPROVER }],
};

async function front(approval: object = {}, options = OPTIONS) {
  const file = join(await tempDir(), "sent");
  const { engine, opened } = await openEngine(
    { post: fixture("postbox", file, "Letters", "to") },
    { user: { approval } },
  );
  const served = await serveHttp(engine, options);
  onCleanup(() => served.close());
  const sent = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  const base = new URL("/", served.url).href;
  /** A run that is held, and its question. */
  const held = async (code = LETTER) => {
    const run = engine.run({ code });
    run.catch(() => {});
    const { id } = await until(
      async () => (await engine.approvals.list({ status: "pending" }))[0],
      "a question",
    );
    return { run, id };
  };
  return { engine, opened, base, sent, held };
}

type Raw = { status: number; data: Record<string, unknown>; headers: IncomingHttpHeaders };

function send(
  url: string,
  method: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    const sent = request(url, { method, headers: { ...type, ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, data: JSON.parse(text), headers: response.headers }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const EVE = bearer(APPROVER);
const yes = JSON.stringify({ decision: "approve", scope: "once" });

describe("approvals over HTTP", () => {
  it("tell once, before they are shown, who saw personal values in them", async () => {
    const { base, held, engine, opened } = await front();
    const { run, id } = await held('return await post.sendMail({ to: "zoe.quimby@canary.example" })');
    for (const path of ["approvals", "approvals", `approvals/${id}`])
      await send(`${base}${path}`, "GET", EVE);
    expect(only(await eventsOf(opened.dir), "pii.shown")).toMatchObject([
      { details: { classes: { EMAIL: 1 }, channel: "http", person: "eve", approval: id } },
    ]);
    await engine.approvals.answer(id, { decision: "deny" }, "a test");
    await run;
  });

  it("are listed, shown and answered with an approver's token", async () => {
    const { base, held, sent, engine } = await front();
    const { run, id } = await held();
    const list = await send(`${base}approvals`, "GET", EVE);
    expect(list.data).toMatchObject({
      approvals: [
        { id, status: "pending", calls: [{ server: "post", tool: "send_mail", args: { to: "ada" } }] },
      ],
    });
    expect(list.headers["cache-control"]).toBe("no-store");
    expect(Object.keys(list.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect((await send(`${base}approvals/${id}`, "GET", EVE)).data).toMatchObject({
      id,
      risk: { level: expect.any(String) },
    });
    const edits = { 1: { to: "bob" } };
    const answered = await send(
      `${base}approvals/${id}`,
      "POST",
      EVE,
      JSON.stringify({ decision: "approve", edits }),
    );
    expect(answered).toMatchObject({ status: 200, data: { status: "approved", answer: { by: "http eve" } } });
    expect(await run).toMatchObject({ status: "done", result: "bob" });
    expect(sent()).toEqual([JSON.stringify({ to: "bob" })]);
    const second = await send(`${base}approvals/${id}`, "POST", EVE, yes);
    expect(second).toMatchObject({
      status: 409,
      data: { error: { message: expect.stringContaining("by http eve") } },
    });
    expect(await engine.approvals.list({ status: "pending" })).toEqual([]);
  });

  it("are denied with a reason", async () => {
    const { base, held, sent } = await front();
    const { run, id } = await held();
    await send(
      `${base}approvals/${id}`,
      "POST",
      EVE,
      JSON.stringify({ decision: "deny", reason: "no letters" }),
    );
    expect((await run).text).toContain("no letters");
    expect(sent()).toEqual([]);
  });

  it.each<[string, number, Record<string, string>]>([
    ["the token of a client", 403, bearer(CLIENT)],
    ["no token", 401, {}],
    ["a wrong token", 401, bearer("the-token-of-nobody-at-all")],
    ["the host of another", 403, { ...EVE, host: "evil.example" }],
    ["the page of another", 403, { ...EVE, origin: "http://evil.example" }],
  ])("are nobody's business with %s", async (_, status, headers) => {
    const { base, held, sent, engine } = await front();
    const { id } = await held();
    expect((await send(`${base}approvals`, "GET", headers)).status).toBe(status);
    expect((await send(`${base}approvals/${id}`, "GET", headers)).status).toBe(status);
    expect((await send(`${base}approvals/${id}`, "POST", headers, yes)).status).toBe(status);
    expect(await engine.approvals.get(id)).toMatchObject({ status: "pending" });
    expect(sent()).toEqual([]);
  });

  it("need a token where the gateway itself needs none, and an approver's token is no client's", async () => {
    const { base } = await front({}, { ...OPTIONS, isOpen: true });
    const refused = await send(`${base}approvals`, "GET");
    const said = JSON.stringify(refused.data);
    expect([refused.status, said]).toEqual([401, expect.stringContaining("http.approvers")]);
    expect(said).not.toContain("prints it");
    const closed = await front();
    expect((await send(`${closed.base}mcp`, "POST", EVE, "{}")).status).toBe(401);
  });

  it("are not there without approvers, or where approval.channels leaves them out", async () => {
    const { approvers: _, ...nobody } = OPTIONS;
    for (const { base } of [await front({}, nobody), await front({ channels: ["cli"] })])
      expect((await send(`${base}approvals`, "GET", EVE)).status).toBe(403);
    const same = { ...OPTIONS, approvers: [{ principal: "eve", token: CLIENT }] };
    await expect(front({}, same)).rejects.toThrow("is a client's too");
  });

  it.each<[string, number, string]>([
    ["another scope", 400, JSON.stringify({ decision: "approve", scope: "always" })],
    ["another decision", 400, JSON.stringify({ decision: "maybe" })],
    ["a condition that is not known", 400, JSON.stringify({ decision: "approve", unless: "late" })],
    ["a call that was not asked for", 400, JSON.stringify({ decision: "approve", edits: { 9: {} } })],
    ["arguments that are none", 400, JSON.stringify({ decision: "approve", edits: { 1: "x" } })],
    ["arguments that the tool does not take", 400, JSON.stringify({ decision: "approve", edits: { 1: {} } })],
    ["no JSON", 400, "approve"],
    ["too much", 413, JSON.stringify({ decision: "deny", reason: "x".repeat(300_000) })],
  ])("refuse an answer with %s", async (_, status, body) => {
    const { base, held, engine } = await front();
    const { id } = await held();
    expect((await send(`${base}approvals/${id}`, "POST", EVE, body)).status).toBe(status);
    expect(await engine.approvals.get(id)).toMatchObject({ status: "pending" });
  });

  it("say what is not there", async () => {
    const { base } = await front();
    expect((await send(`${base}approvals/a_00`, "GET", EVE)).status).toBe(404);
    expect((await send(`${base}approvals/a_00`, "POST", EVE, yes)).status).toBe(404);
    expect((await send(`${base}approvals`, "DELETE", EVE)).status).toBe(405);
    expect((await send(`${base}approvals/../x`, "GET", bearer(CLIENT))).status).toBe(404);
  });
});

type Told = { url: string | undefined; headers: IncomingHttpHeaders; body: string };

/** The user's own endpoint, which fails as often as it is told to. */
async function endpoint(failures = 0) {
  const told: Told[] = [];
  const server = createServer(async (incoming, response) => {
    let body = "";
    for await (const chunk of incoming) body += chunk;
    told.push({ url: incoming.url, headers: incoming.headers, body });
    response.writeHead(told.length > failures ? 204 : 302, { location: "/elsewhere" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onCleanup(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/asked?key=hidden`, told };
}

const hmac = (text: string, secret = SECRET) =>
  `v1=${createHmac("sha256", secret).update(text).digest("hex")}`;
const seconds = () => String(Math.floor(Date.now() / 1_000));

function signed(
  nonce: string,
  body: string,
  { timestamp = seconds(), secret = SECRET, purpose = "answer" } = {},
) {
  return {
    "keyhole-timestamp": timestamp,
    "keyhole-nonce": nonce,
    "keyhole-signature": hmac(`${purpose}.${timestamp}.${nonce}.${body}`, secret),
  };
}

async function hooked(code?: string) {
  const { url, told } = await endpoint();
  const opened = await front({ webhook: { url, secret: SECRET } });
  const { run, id } = await opened.held(code);
  const first = await until(() => told[0], "the webhook");
  const nonce = String(first.headers["keyhole-nonce"]);
  return { ...opened, told, first, run, id, nonce, answerAt: `${opened.base}approvals/${id}/webhook` };
}

describe("the webhook", () => {
  it("is told of a question, signed, and its signed answer holds", async () => {
    const { first, run, id, nonce, answerAt, sent } = await hooked();
    const { "keyhole-timestamp": timestamp, "keyhole-signature": signature } = first.headers;
    expect(signature).toBe(hmac(`question.${timestamp}.${nonce}.${first.body}`));
    expect(first.body).not.toContain(SECRET);
    expect(JSON.parse(first.body)).toMatchObject({
      answerAt: `/approvals/${id}/webhook`,
      approval: { id, calls: [{ tool: "send_mail", args: { to: "ada" } }] },
    });
    expect((await send(answerAt, "POST", signed(nonce, yes), yes)).status).toBe(200);
    expect(await run).toMatchObject({ status: "done" });
    expect(sent()).toHaveLength(1);
  });

  it("approves no more than the calls where these were too long to be told", async () => {
    const { first, run, nonce, answerAt } = await hooked(
      `return (await post.sendMail({ to: "ada", body: "x".repeat(300_000) })).sent`,
    );
    expect(JSON.parse(first.body)).toMatchObject({ omitted: ["calls"] });
    const wider = JSON.stringify({ decision: "approve", scope: "run" });
    expect((await send(answerAt, "POST", signed(nonce, wider), wider)).status).toBe(400);
    expect((await send(answerAt, "POST", signed(nonce, yes), yes)).status).toBe(200);
    expect(await run).toMatchObject({ result: "ada" });
  });

  it("takes an answer once, after a restart too", async () => {
    const { run, nonce, answerAt, engine, opened, id, sent } = await hooked();
    const headers = signed(nonce, yes);
    expect((await send(answerAt, "POST", headers, yes)).status).toBe(200);
    await run;
    expect((await send(answerAt, "POST", headers, yes)).status).toBe(409);
    await engine.close();
    const project = await openProject({ dir: opened.dir, homeDir: await homeOf(opened.dir), trust: true });
    onCleanup(() => project.close());
    const next = createEngine(project, { poolSize: 0 });
    onCleanup(() => next.close());
    const served = await serveHttp(next, OPTIONS);
    onCleanup(() => served.close());
    const again = new URL(`/approvals/${id}/webhook`, served.url).href;
    expect((await send(again, "POST", headers, yes)).status).toBe(409);
    expect(sent()).toHaveLength(1);
  });

  it("takes nothing that is not signed for this question, now, by the secret", async () => {
    const { nonce, answerAt, engine, id, first } = await hooked();
    const old = String(Number(seconds()) - 400);
    const no = JSON.stringify({ decision: "deny" });
    const question = Object.fromEntries(
      ["timestamp", "nonce", "signature"].map((key) => [
        `keyhole-${key}`,
        String(first.headers[`keyhole-${key}`]),
      ]),
    );
    const attempts: [Record<string, string>, string, number][] = [
      [{}, yes, 401],
      [EVE, yes, 401],
      [signed(nonce, yes, { secret: "another-secret-of-some-length" }), yes, 403],
      [signed(nonce, yes, { timestamp: old }), yes, 403],
      [signed(nonce, yes, { timestamp: "NaN" }), yes, 403],
      [signed(nonce, yes, { purpose: "question" }), yes, 403],
      [signed("0".repeat(64), yes), yes, 403],
      [signed(nonce, no), yes, 403],
      [question, first.body, 403],
      [{ ...signed(nonce, yes), host: "evil.example" }, yes, 403],
    ];
    for (const [headers, body, status] of attempts)
      expect((await send(answerAt, "POST", headers, body)).status).toBe(status);
    const other = answerAt.replace(id, "a_0123456789abcdef");
    expect((await send(other, "POST", signed(nonce, yes), yes)).status).toBe(403);
    expect(await engine.approvals.get(id)).toMatchObject({ status: "pending" });
  });

  it("is told again when it failed, and never by where it leads to", async () => {
    const { url, told } = await endpoint(1);
    const { held } = await front({ webhook: { url, secret: SECRET } });
    await held();
    await until(() => told[1], "another attempt");
    expect(told.map((one) => one.url)).toEqual(["/asked?key=hidden", "/asked?key=hidden"]);
    expect(told[1]?.body).toBe(told[0]?.body);
    expect(told[1]?.headers["keyhole-nonce"]).toBe(told[0]?.headers["keyhole-nonce"]);
  });

  it("is not there unless it is configured, and must be https or on this machine", async () => {
    const { base, held } = await front();
    const { id } = await held();
    expect((await send(`${base}approvals/${id}/webhook`, "POST", signed("x", yes), yes)).status).toBe(404);
    for (const webhook of [
      { url: "http://example.com/x", secret: SECRET },
      { url: "https://user:word@example.com/x", secret: SECRET },
      { url: "https://example.com/x", secret: "short" },
    ])
      await expect(front({ webhook })).rejects.toMatchObject({ code: "config_invalid" });
  });
});
