import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import type { AuditEvent } from "../../src/audit/event.ts";
import { userDir } from "../../src/engine/project.ts";
import { serveHttp } from "../../src/server/http/serve-http.ts";
import { createSession } from "../../src/session.ts";
import { eventsOf, logPlaceOf, only } from "../fixtures/audit/events-of.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { startKeyhole } from "../fixtures/keyhole.ts";
import { startHttp } from "../fixtures/network.ts";
import { person } from "../fixtures/person.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, homeOf, onCleanup, tempDir } from "../fixtures/project.ts";

const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);
const hashed = { hash: HASH, bytes: expect.any(Number) };
const ada = createSession({
  client: { name: "editor", version: "2.1" },
  principal: "ada",
  workspace: "ada",
  front: "http",
});

async function crm() {
  return { crm: fixture("crm", join(await tempDir(), "crm.jsonl")), mailbox: fixture("mailbox") };
}

const RULES = [
  { server: "crm", tool: "add_note", decision: "ask", reason: "notes are read by everybody" },
  { server: "crm", tool: "*", decision: "allow" },
  { server: "mailbox", tool: "move_mail", decision: "deny", reason: "mails stay" },
  { server: "mailbox", tool: "*", decision: "allow" },
];
const config = { permissions: { rules: RULES }, approval: { mode: "call" } };

/** With all that comes after the engine was closed. */
async function closedEvents(
  opened: { dir: string; close(): Promise<void> },
  engine: { close(): Promise<void> },
) {
  await engine.close();
  await opened.close();
  return eventsOf(opened.dir);
}

const actionsOf = (events: readonly AuditEvent[]) => events.map(({ action }) => action);

describe("the audit log", () => {
  it("tells of a run from beginning to end: its program, calls, values, questions and answers", async () => {
    const { engine, opened } = await openEngine(await crm(), { config });
    const { askPerson } = person(() => ({ decision: "approve", scope: "once" }));
    const code = `const { id } = await crm.createContact({ name: "Zoe Quimby", email: "zoe.quimby@canary.example" });
const found = await crm.findContact({ email: "zoe.quimby@canary.example" });
await crm.addNote({ id, note: "Called " + found.name });
const moved = await mailbox.moveMail({ id }).catch((error) => error.code);
return [found.email, moved];`;
    const run = await engine.run({ code, session: ada, askPerson, model: "some-model-1" });
    expect(run).toMatchObject({ ok: true, result: ["[EMAIL_1]", "denied"] });
    const events = await closedEvents(opened, engine);
    const ofRun = events.filter((event) => event.run === run.runId);
    expect(actionsOf(ofRun)).toEqual([
      "run.started",
      "pii.found",
      "call.sent",
      "call.ended",
      "pii.found",
      "call.ended",
      "approval.asked",
      "approval.answered",
      "call.sent",
      "call.ended",
      "call.denied",
      "pii.found",
      "pii.revealed",
      "pii.revealed",
      "pii.revealed",
      "run.ended",
    ]);
    const { principal, client, id: session } = ada;
    const whose = { session, principal, run: run.runId };
    for (const event of ofRun) expect(event).toMatchObject(whose);
    const [started] = only(ofRun, "run.started");
    expect(started).toMatchObject({
      client,
      outcome: "ok",
      details: {
        code: { ...hashed, bytes: code.length },
        language: "typescript",
        tier: "process",
        model: "some-model-1",
      },
    });
    expect(started?.details.code.text).toBe(
      code.replace("Zoe Quimby", "[NAME]").replaceAll("zoe.quimby@canary.example", "[EMAIL]"),
    );
    expect(only(ofRun, "pii.found").map(({ details }) => details)).toEqual([
      { classes: { NAME: 1, EMAIL: 1 }, where: "program" },
      { classes: { NAME: 1, EMAIL: 1 }, where: "result" },
      { classes: { EMAIL: 1 }, where: "answer" },
    ]);
    const [sent, noted] = only(ofRun, "call.sent");
    expect(sent).toMatchObject({
      server: "crm",
      tool: "create_contact",
      risk: "medium",
      details: {
        input: hashed,
        leave: { decision: "allow", by: "rule 2 of keyhole.config.json", approved: "auto" },
        definition: HASH,
      },
    });
    const [asked] = only(ofRun, "approval.asked");
    const [answered] = only(ofRun, "approval.answered");
    const approval = asked?.details.approval;
    expect(asked).toMatchObject({
      server: "crm",
      tool: "add_note",
      outcome: "asked",
      details: {
        calls: [{ server: "crm", tool: "add_note", reason: "notes are read by everybody" }],
        expiresAt: expect.any(Number),
      },
    });
    expect(answered).toMatchObject({
      outcome: "ok",
      details: {
        approval,
        status: "approved",
        channel: "a",
        person: "test",
        scope: "once",
        waitedMs: expect.any(Number),
      },
    });
    expect(noted?.details.leave).toEqual({
      decision: "ask",
      by: "rule 1 of keyhole.config.json",
      approved: "person",
      approval,
      channel: "a",
      person: "test",
    });
    const ended = only(ofRun, "call.ended");
    expect(ended.map(({ tool, risk, details }) => [tool, risk, details.isWrite, details.isSent])).toEqual([
      ["create_contact", "medium", true, true],
      ["find_contact", "low", false, true],
      ["add_note", "medium", true, true],
    ]);
    expect(ended[0]?.details).toMatchObject({
      input: sent?.details.input,
      output: hashed,
      leave: sent?.details.leave,
      directTokens: expect.any(Number),
      shape: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(only(ofRun, "call.denied")).toMatchObject([
      {
        server: "mailbox",
        tool: "move_mail",
        outcome: "denied",
        error: expect.stringContaining("mails stay"),
        details: {
          input: hashed,
          leave: { decision: "deny", by: "rule 3 of keyhole.config.json" },
          isWrite: true,
        },
      },
    ]);
    expect(only(ofRun, "pii.revealed").map(({ tool, details }) => [tool, details.classes])).toEqual([
      ["create_contact", { NAME: 1, EMAIL: 1 }],
      ["find_contact", { EMAIL: 1 }],
      ["add_note", { NAME: 1 }],
    ]);
    expect(only(ofRun, "run.ended")).toMatchObject([
      {
        outcome: "ok",
        risk: expect.any(String),
        durationMs: expect.any(Number),
        details: {
          status: "done",
          code: hashed,
          output: { ...hashed, bytes: Buffer.byteLength(run.text) },
          tier: "process",
          model: "some-model-1",
          usage: { seenTokens: run.receipt.seenTokens, directTokens: run.receipt.directTokens },
          calls: 4,
          failedCalls: 1,
          score: expect.any(Number),
          approvals: [approval],
        },
      },
    ]);
    expect(only(events, "session.opened")).toMatchObject([{ ...whoseOf(ada), details: { front: "http" } }]);
    expect(only(events, "session.closed")).toMatchObject([
      { ...whoseOf(ada), details: { runs: 1, reason: "Keyhole stopped" } },
    ]);
    expect(events[0]).toMatchObject({
      action: "keyhole.started",
      details: {
        version: expect.any(String),
        pid: process.pid,
        tier: "process",
        level: "moderate",
        policy: HASH,
        config: HASH,
      },
    });
    expect(events.at(-1)).toMatchObject({ action: "keyhole.stopped", details: { runs: 1 } });
  });

  it("tells how runs fail: by rules, limits, cancelling, their own fault; and what else was reached and started", async () => {
    const web = await startHttp((_asked, response) => void response.end("{}"));
    onCleanup(async () => void (await web.close()));
    const place = `127.0.0.1:${web.port}`;
    const allow = [
      { command: "wc", args: ["*"], readOnly: true },
      { command: "no-such-command", readOnly: true },
    ];
    const { engine, opened } = await openEngine(await crm(), {
      config: { ...config, network: { allow: [place] }, commands: { allow } },
    });
    const cancel = new AbortController();
    cancel.abort();
    await engine.run({ code: 'return ({} as any)["constructor"]["constructor"]("return process")()' });
    await engine.run({ code: "for (;;);", limits: { timeoutMs: 100 } });
    await engine.run({ code: "return 1", signal: cancel.signal });
    await engine.run({ code: 'throw new Error("of zoe.quimby@canary.example")' });
    await engine.run({ code: "await mailbox.deleteMail({})" });
    await engine.run({
      code: `await (await fetch("http://${place}/")).json(); await fetch("https://zoe.example/").catch(() => {})`,
    });
    await engine.run({
      code: 'await runCommand("wc", ["-c"], { input: "abc" }); await runCommand("no-such-command").catch(() => {}); await runCommand("rm", ["-r"])',
    });
    const events = await closedEvents(opened, engine);
    const ended = only(events, "run.ended").map(({ outcome, details }) => [outcome, details.kind]);
    expect(ended).toEqual([
      ["denied", "denied"],
      ["failed", "timeout"],
      ["cancelled", "cancelled"],
      ["failed", "exception"],
      ["failed", "tool_error"],
      ["ok", undefined],
      ["failed", "tool_error"],
    ]);
    const [refused, , , thrown] = only(events, "run.ended");
    expect(refused?.details.violations).toEqual(["constructor-walk"]);
    expect(thrown?.error).toBe("The program threw an error that it did not catch");
    expect(only(events, "limit.hit").map(({ details }) => details.limit)).toEqual(["timeout"]);
    expect(only(events, "call.ended")).toMatchObject([
      {
        tool: "delete_mail",
        outcome: "failed",
        risk: "high",
        error: "The tool failed",
        details: { isDestructive: true },
      },
    ]);
    const [opening] = only(events, "egress.opened");
    expect(opening).toMatchObject({ outcome: "ok", details: { host: "127.0.0.1", port: web.port } });
    expect(only(events, "egress.connected")).toMatchObject([
      { outcome: "ok", details: { connection: opening?.details.connection } },
    ]);
    expect(only(events, "egress.connected")).toMatchObject([
      { outcome: "ok", details: { host: "127.0.0.1", port: web.port, receivedBytes: expect.any(Number) } },
    ]);
    expect(only(events, "egress.refused")).toMatchObject([
      { outcome: "denied", details: { host: "zoe.example", port: 443, reason: "denied" } },
    ]);
    expect(only(events, "command.denied")).toMatchObject([
      { server: "keyhole", details: { command: "rm", input: hashed, leave: { decision: "deny" } } },
    ]);
    if (spawnSync("bwrap", ["--version"]).status !== 0) return;
    expect(only(events, "command.started")).toMatchObject([
      {
        details: {
          command: "wc",
          input: hashed,
          leave: { decision: "allow", by: '"commands.allow"', approved: "auto" },
        },
      },
      { details: { command: "no-such-command" } },
    ]);
    expect(only(events, "command.ended")).toMatchObject([
      { outcome: "ok", details: { command: "wc", exitCode: 0, output: hashed } },
      { outcome: "failed", details: { command: "no-such-command", exitCode: null } },
    ]);
  });

  it("has no personal value in any form, also where contents are kept, and programs may see tokens alone", async () => {
    const { engine, opened } = await openEngine(await crm(), {
      config: { ...config, privacy: { mode: "boundary" }, audit: { contents: "all" } },
    });
    await engine.run({
      code: `// for Zoe Quimby, zoe.quimby@canary.example
const { id } = await crm.createContact({ name: "Zoe Quimby", email: "zoe.quimby@canary.example", notes: "IBAN DE89 3704 0044 0532 0130 00" });
const found = await crm.findContact({ email: "zoe.quimby@canary.example" });
console.log(found); await crm.findContact({ name: "Helga Brandt" }).catch(() => {});
throw new Error("no " + found.email)`,
    });
    const events = await closedEvents(opened, engine);
    const [sent] = only(events, "call.sent");
    expect(sent?.details.input.text).toMatch(/^\{"name":"\[NAME(_\d+)?\]","email":"\[EMAIL(_\d+)?\]"/);
    expect(only(events, "pii.revealed").map(({ tool, details }) => [tool, details.classes])).toEqual([
      ["create_contact", { NAME: 1, EMAIL: 1, IBAN: 1 }],
      ["find_contact", { EMAIL: 1 }],
      ["find_contact", { NAME: 1 }],
    ]);
    const texts = await filesOf(opened.dir, await homeOf(opened.dir));
    expect(texts.length).toBeGreaterThan(1);
    for (const canary of [
      "quimby",
      "canary.example",
      "3704 0044",
      "37040044",
      "DE89 3704",
      "DE893704",
      "Brandt",
    ])
      for (const form of [canary, Buffer.from(canary).toString("hex"), encodeURIComponent(canary)])
        for (const { file, text } of texts)
          expect(text.toLowerCase().includes(form.toLowerCase()), `${form} in ${file}`).toBe(false);
  });

  it("tells what commands, hosts and a webhook were given of personal values, where programs have them", async () => {
    const asked: string[] = [];
    const web = await startHttp((request, response) => {
      asked.push(request.url ?? "");
      response.end("{}");
    });
    onCleanup(async () => void (await web.close()));
    const place = `127.0.0.1:${web.port}`;
    const { engine, opened } = await openEngine(await crm(), {
      config: {
        permissions: { rules: RULES },
        network: { allow: [place] },
        commands: { allow: [{ command: "wc", args: ["*"], readOnly: true }] },
      },
      user: {
        approval: {
          mode: "call",
          holdMs: 1,
          channels: ["webhook"],
          webhook: { url: `http://${place}/asked`, secret: "a secret that is long enough for it" },
        },
      },
    });
    await engine.run({
      code: `const { email } = await crm.createContact({ name: "Zoe Quimby", email: "zoe.quimby@canary.example" });
await fetch("http://${place}/?about=" + encodeURIComponent("zoe.quimby@canary.example"));
await fetch("http://${place}/plain", { method: "POST", body: JSON.stringify({ of: "Zoe Quimby" }) });
await runCommand("wc", ["-c"], { input: "zoe.quimby@canary.example" }).catch(() => {});`,
    });
    const note = `await crm.addNote({ id: "1", note: "zoe.quimby@canary.example" });`;
    expect(await engine.run({ code: note })).toMatchObject({ status: "waiting" });
    await until(() => asked.includes("/asked"), "the webhook");
    const events = await closedEvents(opened, engine);
    const revealed = only(events, "pii.revealed").map(({ server, tool, details }) => [server, tool, details]);
    expect(revealed).toContainEqual([
      "keyhole",
      "fetch",
      { classes: { EMAIL: 1, NAME: 1 }, recipient: "127.0.0.1" },
    ]);
    expect(only(events, "pii.shown").map(({ details }) => details)).toEqual([
      { classes: { EMAIL: 1 }, approval: expect.any(String), channel: "webhook", recipient: place },
    ]);
    expect(JSON.stringify(events)).not.toContain("zoe.quimby");
    if (spawnSync("bwrap", ["--version"]).status !== 0) return;
    expect(revealed).toContainEqual(["keyhole", "runCommand", { classes: { EMAIL: 1 }, recipient: "wc" }]);
  });

  it("tells the same of what a program in Python sends, by fetch and by urllib", async () => {
    const web = await startHttp((_request, response) => void response.end("{}"));
    onCleanup(async () => void (await web.close()));
    const place = `127.0.0.1:${web.port}`;
    const { engine, opened } = await openEngine(await crm(), {
      config: { permissions: { rules: RULES }, network: { allow: [place] } },
    });
    const done = await engine.run({
      language: "python",
      code: `import json, urllib.parse, urllib.request
crm.create_contact(name="Zoe Quimby", email="zoe.quimby@canary.example")
await fetch("http://${place}/?about=" + urllib.parse.quote("zoe.quimby@canary.example"))
urllib.request.urlopen("http://${place}/plain", data=json.dumps({"of": "Zoe Quimby"}).encode()).read()
return 1`,
    });
    expect(done).toMatchObject({ ok: true });
    const revealed = only(await closedEvents(opened, engine), "pii.revealed");
    expect(revealed.map(({ server, tool, details }) => [server, tool, details])).toContainEqual([
      "keyhole",
      "fetch",
      { classes: { EMAIL: 1, NAME: 1 }, recipient: "127.0.0.1" },
    ]);
  });

  it("notices another policy, config and tools than the last time, once", async () => {
    const { engine, opened } = await openEngine({ mailbox: fixture("mailbox") });
    const first = await closedEvents(opened, engine);
    expect(only(first, "policy.changed")).toHaveLength(1);
    expect(only(first, "tool.changed").map(({ server, tool, details }) => [server, tool, details])).toEqual([
      ["mailbox", undefined, { change: "listed", tools: 4, definition: HASH }],
    ]);
    const same = await reopenEngine(opened.dir);
    const second = await closedEvents(same.opened, same.engine);
    expect(actionsOf(second.slice(first.length))).toEqual([
      "keyhole.started",
      "trust.given",
      "keyhole.stopped",
    ]);
    await writeFile(join(opened.dir, "keyhole.config.json"), JSON.stringify({ securityLevel: "high" }));
    await writeFile(
      join(opened.dir, ".mcp.json"),
      JSON.stringify({ mcpServers: { mailbox: fixture("math") } }),
    );
    const other = await reopenEngine(opened.dir);
    const third = (await closedEvents(other.opened, other.engine)).slice(second.length);
    const [policy] = only(third, "policy.changed");
    expect(policy?.details).toEqual({
      policy: HASH,
      previous: only(first, "policy.changed")[0]?.details.policy,
      source: HASH,
    });
    expect(only(third, "config.changed")[0]?.details).toEqual({
      config: HASH,
      previous: HASH,
      source: HASH,
    });
    const changes = only(third, "tool.changed").map(({ details }) => details.change);
    expect(changes.filter((change) => change === "removed")).toHaveLength(4);
    expect(changes).toContain("added");
  });

  it("tells of those who were not let in, and whose model asks", async () => {
    const { engine, opened } = await openEngine({ mailbox: fixture("mailbox") });
    const tokens = [{ principal: "ada", token: "a-token-of-ada-that-is-long" }];
    const front = await serveHttp(engine, { tokens });
    onCleanup(() => front.close());
    for (const headers of [
      {},
      { authorization: "Bearer guessed-by-somebody" },
      { origin: "http://evil.example" },
    ])
      await fetch(front.url, { method: "POST", headers: headers as Record<string, string> });
    const client = new Client({ name: "editor", version: "2.1" });
    const requestInit = { headers: { authorization: `Bearer ${tokens[0]?.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(front.url), { requestInit }));
    const call = { name: "execute_code", arguments: { code: "return 1" } };
    for (const model of ["some-model-2", "model me@secretmail.example"])
      await client.callTool({ ...call, _meta: { "keyhole/model": model } });
    await client.close();
    const silent = new Client({ name: "looker", version: "1" });
    await silent.connect(new StreamableHTTPClientTransport(new URL(front.url), { requestInit }));
    const events = await eventsOf(opened.dir);
    await silent.close();
    expect(only(events, "run.started")).toMatchObject([
      {
        principal: "ada",
        client: { name: "editor", version: "2.1" },
        details: { model: "some-model-2" },
      },
      { details: { model: "unnamed" } },
    ]);
    expect(JSON.stringify(events)).not.toContain("secretmail");
    expect(only(events, "session.opened")).toMatchObject([
      { principal: "ada", client: { name: "editor", version: "2.1" }, details: { front: "http" } },
      { principal: "ada", client: { name: "looker" }, details: { front: "http" } },
    ]);
    expect(only(events, "login.refused").map(({ details }) => details)).toEqual([
      { front: "http", reason: "no token", from: "127.0.0.1" },
      { front: "http", reason: "wrong token", from: "127.0.0.1" },
      { front: "http", reason: "it came from a page of another origin", from: "127.0.0.1" },
    ]);
  });

  it("tells sessions and principals apart that work at the same time", async () => {
    const { engine, opened } = await openEngine(await crm(), { config });
    const sessions = ["ada", "bob", "bob"].map((principal, n) =>
      createSession({ client: { name: `client ${n}` }, principal, workspace: principal }),
    );
    const code = "await mailbox.searchMails({}); await mailbox.searchMails({ query: 'nothing' })";
    const runs = await Promise.all(sessions.map((session) => engine.run({ code, session })));
    const events = await eventsOf(opened.dir);
    for (const [n, { runId }] of runs.entries()) {
      const { id: session, principal, client } = sessions[n] ?? ada;
      const own = events.filter((event) => event.run === runId);
      expect(only(own, "call.ended")).toHaveLength(2);
      for (const event of own) expect(event).toMatchObject({ session, principal, client });
    }
  });

  it("has a write that was sent though the process is killed before there is an answer", async () => {
    const { opened, engine } = await openEngine({ mailbox: fixture("mailbox") }, { config });
    await engine.close();
    const child = await startKeyhole(opened.dir, ["run", "-e", "await mailbox.sendMail({ id: 1 })"]);
    const isSent = async () => only(await eventsOf(opened.dir), "call.sent").length > 0;
    while (!(await isSent()) && child.exitCode === null)
      await new Promise((resolve) => setImmediate(resolve));
    child.kill("SIGKILL");
    const events = await eventsOf(opened.dir);
    const [sent] = only(events, "call.sent");
    expect(sent).toMatchObject({ server: "mailbox", tool: "send_mail", risk: "high", principal: "local" });
    expect(events.find(({ action, run }) => action === "run.started" && run === sent?.run)).toMatchObject({
      client: { name: "keyhole run" },
    });
    expect(only(events, "call.ended")).toEqual([]);
  });

  it("keeps everything from running that it can't tell of, unless the user says otherwise", async () => {
    const run = async (user: object) => {
      const { engine, opened } = await openEngine(await crm(), { config, user });
      const dir = userDir({ homeDir: await homeOf(opened.dir), env: process.env });
      await engine.close();
      await opened.close();
      await mkdir(dir, { recursive: true });
      await rm(join(dir, "audit"), { recursive: true, force: true });
      await writeFile(join(dir, "audit"), "in the way");
      const again = await reopenEngine(opened.dir);
      const code = 'return (await crm.createContact({ name: "A", email: "a@b.example" })).id';
      return again.engine.run({ code });
    };
    await expect(run({})).rejects.toMatchObject({ code: "store_unusable", hint: expect.any(String) });
    expect(await run({ audit: { onFailure: "continue" } })).toMatchObject({ ok: true, result: "C00001" });
  });

  it("says once that it is turned off, by which file, and when it is on again", async () => {
    const { engine, opened } = await openEngine(await crm(), { config });
    expect(actionsOf(await closedEvents(opened, engine))).not.toContain("audit.off");
    const file = join(opened.dir, "keyhole.config.json");
    const open = async (auditLogging: boolean) => {
      await writeFile(file, JSON.stringify({ ...config, ...(!auditLogging && { auditLogging }) }));
      const notices: string[] = [];
      const again = await reopenEngine(opened.dir, { onNotice: (text) => notices.push(text) });
      await again.engine.run({ code: "return 1" });
      await again.engine.close();
      await again.opened.close();
      return notices;
    };
    const notices = [await open(false), await open(false), await open(true)];
    expect(notices).toEqual([
      [expect.stringContaining(`${file}: "auditLogging" is false`)],
      [expect.stringContaining(`${file}: "auditLogging" is false`)],
      [],
    ]);
    const events = await eventsOf(opened.dir);
    const since = actionsOf(events).slice(actionsOf(events).indexOf("audit.off"));
    expect(only(events, "audit.off")).toMatchObject([{ details: { by: `"auditLogging" in ${file}` } }]);
    expect(since.filter((action) => action === "keyhole.started")).toHaveLength(1);
    expect(since).toContain("config.changed");
  });

  it("is told of a folder that turns it off from the start", async () => {
    const { engine, opened } = await openEngine(await crm(), { config: { auditLogging: false } });
    expect(actionsOf(await closedEvents(opened, engine)).filter((action) => action !== "audit.key")).toEqual([
      "audit.off",
    ]);
  });

  it("is not there where the user's own auditLogging is false", async () => {
    const user = { auditLogging: false };
    const { engine, opened } = await openEngine(await crm(), {
      config: { ...config, auditLogging: false },
      user,
    });
    expect(await engine.run({ code: "return (await mailbox.searchMails({})).length" })).toMatchObject({
      ok: true,
    });
    await engine.close();
    await opened.close();
    expect(existsSync(join((await logPlaceOf(opened.dir)).userDir, "audit"))).toBe(false);
    expect((await readdir(join(opened.dir, ".keyhole"))).filter((name) => name.includes("audit"))).toEqual(
      [],
    );
  });
});

const whoseOf = ({ id: session, principal, client }: typeof ada) => ({ session, principal, client });

/** What is kept of the log, wherever: the tables, spools, and what Keyhole remembers for it. */
async function filesOf(dir: string, home: string): Promise<{ file: string; text: string }[]> {
  const found: { file: string; text: string }[] = [];
  for (const root of [join(dir, ".keyhole"), join(home)])
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile() && file.includes("audit"))
        found.push({ file, text: await readFile(file, "latin1") });
    }
  return found;
}
