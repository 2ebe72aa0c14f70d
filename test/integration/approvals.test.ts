import { spawn } from "node:child_process";
import { once as onceOf } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { FinishedRun } from "../../src/engine/engine.ts";
import { readRun } from "../../src/engine/runs/runs-of-project.ts";
import type { Approval } from "../../src/policy/approvals/approval.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { startHttp } from "../fixtures/network.ts";
import { person } from "../fixtures/person.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, homeOf, onCleanup, tempDir } from "../fixtures/project.ts";

const LETTERS = `const { people } = await post.listPeople({});
  const sent = [];
  for (const to of people) sent.push(await post.sendMail({ to, at: Date.now(), nonce: Math.random() }));
  return sent.map(({ sent }) => sent);`;

const once = { decision: "approve", scope: "once" } as const;

async function open(approval: object = {}, rest: object = {}) {
  const file = join(await tempDir(), "sent");
  const { engine, opened } = await openEngine(
    { post: fixture("postbox", file) },
    {
      config: { approval, ...rest },
    },
  );
  const lines = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []);
  return {
    engine,
    opened,
    sent: () => lines(file).map((line) => JSON.parse(line)),
    reads: () => lines(`${file}.reads`),
    /** As after a restart: the same project, everything else new. */
    again: async () => (await reopenEngine(opened.dir)).engine,
  };
}

describe("a call that needs a person", () => {
  it("is made when it was approved, and each call is asked for with its arguments", async () => {
    const { engine, sent } = await open();
    const { asked, askPerson } = person(() => once);
    expect(await engine.run({ code: LETTERS, askPerson })).toMatchObject({
      status: "done",
      result: ["ada", "bob", "cyd"],
    });
    expect(asked.map(({ calls }) => calls.map(({ args }) => args["to"]))).toEqual([
      ["ada"],
      ["bob"],
      ["cyd"],
    ]);
    expect(sent()).toHaveLength(3);
  });

  it("is one question with others that are made together", async () => {
    const { engine, sent } = await open();
    const { asked, askPerson } = person(() => once);
    const code = `return (await Promise.all(Array.from({ length: 40 }, (_, to) => post.sendMail({ to })))).length`;
    expect(await engine.run({ code, askPerson })).toMatchObject({ result: 40 });
    expect(asked.map(({ calls }) => calls.length)).toEqual([40]);
    const each = sent().map(({ to }) => to);
    expect(each.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, to) => to));
  });

  it("is denied with the reason, which the program can catch", async () => {
    const { engine, sent } = await open();
    const { askPerson } = person(() => ({ decision: "deny", reason: "not today" }));
    const code = `try { await post.sendMail({ to: "ada" }); } catch (error) { return [error.code, error.message]; }`;
    expect(await engine.run({ code, askPerson })).toMatchObject({
      result: ["denied", expect.stringContaining("not today")],
    });
    expect(sent()).toEqual([]);
  });

  it("is asked for no more after ten denials in a row, however often its program tries", async () => {
    const { engine, sent } = await open();
    const { asked, askPerson } = person(({ calls: [call] }) =>
      call?.args["n"] === 3 ? once : { decision: "deny" },
    );
    const code = `const said = [];
      for (let n = 0; n < 20; n++) try { await post.sendMail({ n }); } catch (error) { said.push(error.message); }
      return said.at(-1);`;
    const { result } = await engine.run({ code, askPerson });
    expect(result).toContain("the last 10 questions of this run were denied");
    // Four, of which one was approved, and ten.
    expect([asked.length, sent()]).toEqual([14, [{ n: 3 }]]);
  });

  it("is made with the arguments that the person changed", async () => {
    const { engine, sent } = await open();
    const { askPerson } = person(({ calls }) => ({
      ...once,
      edits: { [String(calls[0]?.number)]: { to: "eve" } },
    }));
    await engine.run({ code: `await post.sendMail({ to: "ada" })`, askPerson });
    expect(sent()).toEqual([{ to: "eve" }]);
  });

  it("is asked for again where the person gives arguments that the tool does not take", async () => {
    const file = join(await tempDir(), "sent");
    const { engine } = await openEngine({ post: fixture("postbox", file, "Letters", "to") });
    const refused: string[] = [];
    const askPerson = {
      channel: "elicitation",
      ask: async ({ calls: [call] }: Approval) => {
        const edit = (args: object) => ({ ...once, edits: { [String(call?.number)]: { ...args } } });
        const onRefused = async (problem: string) => {
          refused.push(problem);
          return { answer: edit({ to: "eve" }), by: "a test" };
        };
        return { answer: edit({ about: "x" }), by: "a test", onRefused };
      },
    };
    const code = `return (await post.sendMail({ to: "ada" })).sent`;
    expect(await engine.run({ code, askPerson })).toMatchObject({ result: "eve" });
    expect(refused).toEqual([expect.stringContaining('"to" is missing')]);
  });

  it("is not made with arguments that a rule denies, whoever gave them", async () => {
    const rule = { tool: "send_mail", args: { "$.to": { matches: "evil" } }, decision: "deny" };
    const { engine, sent } = await open({}, { permissions: { rules: [rule] } });
    const { askPerson } = person(({ calls }) => ({
      ...once,
      edits: { [String(calls[0]?.number)]: { to: "evil" } },
    }));
    const code = `try { await post.sendMail({ to: "ada" }); } catch (error) { return [error.code, error.message]; }`;
    expect(await engine.run({ code, askPerson })).toMatchObject({
      result: ["denied", expect.stringContaining("with other arguments")],
    });
    expect(sent()).toEqual([]);
  });

  it.each([
    ["http", "http.approvers"],
    ["webhook", "approval.webhook"],
    ["terminal", "keyhole run must be started on one"],
    ["elicitation", "show forms"],
  ])("is denied at once where %s is the only way, and nobody is there", async (channel, fix) => {
    const { engine } = await open({ channels: [channel], holdMs: 600_000 });
    const { status, text } = await engine.run({ code: `await post.sendMail({ to: "ada" })` });
    expect([status, text]).toEqual(["failed", expect.stringContaining("Nobody can be asked here")]);
    expect(text).toContain(fix);
    expect(await engine.approvals.list()).toEqual([]);
  });
});

describe("a run that waits for a person", () => {
  it("goes on from where it was when the same program is sent again, in another process too", async () => {
    const { engine, opened, sent, reads, again } = await open({ holdMs: 300 });
    const first = await engine.run({ code: LETTERS });
    expect(first).toMatchObject({ status: "waiting", for: [{ kind: "approval" }], ok: false });
    expect(first.text).toContain("send exactly the same program again");
    const [waiting] = await engine.approvals.list({ status: "pending" });
    await engine.approvals.answer(waiting?.id ?? "", { decision: "approve", scope: "run" }, "a test");
    const next = await again();
    const second = await next.run({ code: LETTERS });
    expect(second).toMatchObject({ status: "done", result: ["ada", "bob", "cyd"], runId: first.runId });
    expect(second.calls).toHaveLength(4);
    expect(sent().map(({ to }) => to)).toEqual(["ada", "bob", "cyd"]);
    expect(reads()).toEqual(["list_people"]);
    const written = await readRun(opened.dir, first.runId, await homeOf(opened.dir));
    expect(written.made.filter(({ ok }) => ok)).toHaveLength(4);
    // It has come to its end: sent again it is another run.
    const third = await next.run({ code: LETTERS });
    expect([third.status, third.runId === first.runId]).toEqual(["waiting", false]);
  });

  it("is not held where too many are: what only reads is never behind questions that nobody answers", async () => {
    const { engine, sent } = await open({ holdMs: 600_000 });
    const stop = new AbortController();
    const letter = (to: number) => `return await post.sendMail({ to: ${to} })`;
    const ended: FinishedRun[] = [];
    const runs = Array.from({ length: 30 }, (_, to) =>
      engine.run({ code: letter(to), signal: stop.signal }).then((run) => ended.push(run)),
    );
    await expect.poll(async () => (await engine.approvals.list()).length, { timeout: 60_000 }).toBe(30);
    expect(await engine.run({ code: "return 1" })).toMatchObject({ result: 1 });
    await expect.poll(() => ended.length, { timeout: 60_000 }).toBe(30 - 8);
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["waiting"]));
    expect(ended[0]?.text).toContain("send exactly the same program again");
    const [waiting] = ended.map(({ runId }) => runId);
    const asked = (await engine.approvals.list()).find(({ runId }) => runId === waiting);
    await engine.approvals.answer(asked?.id ?? "", once, "a test");
    const code = letter(Number(asked?.calls[0]?.args["to"]));
    expect(await engine.run({ code })).toMatchObject({ status: "done", runId: waiting });
    expect(sent()).toHaveLength(1);
    stop.abort();
    await Promise.all(runs);
  }, 120_000);

  it("is told that nobody answered in time, once, and ends; run anew it asks anew", async () => {
    const { engine, sent } = await open({ holdMs: 100, expiresMs: 4_000 });
    const code = `try { await post.sendMail({ to: "ada" }); } catch (error) { return [error.code, error.message]; }`;
    const first = await engine.run({ code });
    expect(first.status).toBe("waiting");
    await until(
      async () => (await engine.approvals.list({ status: "expired" })).length > 0,
      "the end of its time",
    );
    expect(await engine.run({ code })).toMatchObject({
      runId: first.runId,
      result: ["denied", expect.stringContaining("nobody answered in time")],
    });
    const third = await engine.run({ code });
    expect([third.status, third.runId === first.runId]).toEqual(["waiting", false]);
    expect(sent()).toEqual([]);
  });

  it.each(["", "throw 1"])(
    "asks nobody any more once it has ended, whatever it comes to: %s",
    async (end) => {
      const { engine, opened, sent, again } = await open({ holdMs: 300 });
      const code = `await post.sendMail({ to: "ada" }); ${end}`;
      const { runId, status } = await engine.run({ code });
      expect(status).toBe("waiting");
      const config = { permissions: { rules: [{ tool: "*", decision: "allow" }] } };
      writeFileSync(join(opened.dir, "keyhole.config.json"), JSON.stringify(config));
      const next = await again();
      expect(await next.run({ code })).toMatchObject({ runId, status: end === "" ? "done" : "failed" });
      expect(sent()).toHaveLength(1);
      expect((await next.approvals.list()).map((one) => one.status)).toEqual(["withdrawn"]);
    },
  );

  it("has what was answered already, and asks for the next", async () => {
    const { engine, opened, sent, again } = await open({ holdMs: 300 });
    let runId = "";
    for (let letters = 0; letters < 3; letters++) {
      const run = await (letters === 0 ? engine : await again()).run({ code: LETTERS });
      runId ||= run.runId;
      expect([run.status, run.runId, sent().length]).toEqual(["waiting", runId, letters]);
      const [pending] = await engine.approvals.list({ status: "pending" });
      await engine.approvals.answer(pending?.id ?? "", once, "a test");
    }
    expect(await (await again()).run({ code: LETTERS })).toMatchObject({ status: "done", runId });
    expect(sent()).toHaveLength(3);
    expect(await engine.approvals.list()).toHaveLength(3);
    // What only waited was not made.
    const { calls, made } = await readRun(opened.dir, runId, await homeOf(opened.dir));
    expect([calls, made.map(({ ok }) => ok)]).toEqual([4, [true, true, true, true]]);
    const { engine: next } = await reopenEngine(opened.dir);
    await expect(next.run({ code: LETTERS, resume: runId })).rejects.toThrow("has ended (done)");
  });

  it("has made no call twice that a rule allows, where one with other arguments is asked for", async () => {
    const rules = [
      { tool: "send_mail", args: { "$.to": { equals: "bob" } }, decision: "ask" },
      { tool: "*", decision: "allow" },
    ];
    const { engine, sent, again } = await open({ holdMs: 300 }, { permissions: { rules } });
    const code = `for (const to of ["ada", "bob"]) await post.sendMail({ to });`;
    expect((await engine.run({ code })).status).toBe("waiting");
    const [pending] = await engine.approvals.list({ status: "pending" });
    await engine.approvals.answer(pending?.id ?? "", once, "a test");
    expect((await (await again()).run({ code })).status).toBe("done");
    expect(sent()).toEqual([{ to: "ada" }, { to: "bob" }]);
  });

  it("is another's business to nobody: another principal's same program begins anew", async () => {
    const { engine } = await open({ holdMs: 200 });
    const first = await engine.run({ code: LETTERS });
    const session = {
      id: "s_other",
      principal: "ada",
      client: { name: "x" },
      workspace: "ada",
      savesFor: "principal",
    } as const;
    const other = await engine.run({ code: LETTERS, session });
    expect([other.status, other.runId === first.runId]).toEqual(["waiting", false]);
    await expect(engine.run({ code: LETTERS, session, resume: first.runId })).rejects.toThrow("no run");
  });

  it("finds again what it has found, whatever there is by then", async () => {
    const { engine, opened, sent, again } = await open({ holdMs: 300 });
    const code = `const found = await searchTools("send mail");
      return (await post.sendMail({ to: JSON.stringify(found) })).sent;`;
    expect(await engine.run({ code })).toMatchObject({ status: "waiting" });
    const file = join(await tempDir(), "other");
    const mcpServers = { ...JSON.parse(readFileSync(join(opened.dir, ".mcp.json"), "utf8")).mcpServers };
    const text = JSON.stringify({ mcpServers: { ...mcpServers, mailer: fixture("postbox", file) } });
    writeFileSync(join(opened.dir, ".mcp.json"), text);
    const { askPerson, asked } = person(() => once);
    expect(await (await again()).run({ code, askPerson })).toMatchObject({ status: "done" });
    expect(await engine.approvals.list()).toHaveLength(1);
    expect(asked).toHaveLength(1);
    expect(sent()).toHaveLength(1);
    expect(JSON.stringify(sent())).not.toContain("mailer");
  });

  it("has the arguments that a person changed, and is still the same program", async () => {
    const { engine, sent, again } = await open({ holdMs: 300 });
    const code = `const first = await post.sendMail({ to: "ada" });
      return [first.sent, (await post.sendMail({ to: "bob" })).sent];`;
    const { askPerson } = person(({ calls }) =>
      calls[0]?.args["to"] === "ada"
        ? { ...once, edits: { [String(calls[0]?.number)]: { to: "eve" } } }
        : undefined,
    );
    expect(await engine.run({ code, askPerson })).toMatchObject({ status: "waiting" });
    const next = person(() => once);
    expect(await (await again()).run({ code, askPerson: next.askPerson })).toMatchObject({
      status: "done",
      result: ["eve", "bob"],
    });
    expect(sent()).toEqual([{ to: "eve" }, { to: "bob" }]);
  });

  it("stops when its program goes another way than it did", async () => {
    const { engine, opened, sent, again } = await open({ holdMs: 300 });
    const code = `await post.sendMail({ to: "ada" }); return await post.sendMail({ to: "bob" });`;
    const { askPerson } = person(({ calls }) => (calls[0]?.args["to"] === "ada" ? once : undefined));
    const first = await engine.run({ code, askPerson });
    expect(first).toMatchObject({ status: "waiting" });
    const db = await openSqlite(join(opened.dir, ".keyhole/keyhole.db"));
    onCleanup(() => db.close());
    db.run("UPDATE replay_calls SET arguments_hash = 'other'", []);
    const second = await (await again()).run({ code });
    expect(second).toMatchObject({ status: "failed", error: { kind: "diverged" }, runId: first.runId });
    expect(second).toMatchObject({ ledger: [{ tool: "send_mail", effect: "landed" }] });
    expect(sent()).toEqual([{ to: "ada" }]);
  });
});

const FILES = `const fs = require("node:fs");
  fs.appendFileSync("./workspace/log.txt", "began\\n");
  await post.sendMail({ to: "ada" });
  fs.appendFileSync("./workspace/log.txt", "ended\\n");
  return fs.readFileSync("./workspace/log.txt", "utf8");`;
const WRITES_FILE = `require("node:fs").writeFileSync("./workspace/other.txt", "other")`;

it("a run that used the network can't be left to wait: what nobody answers while it is held is denied", async () => {
  const web = await startHttp((_, response) => response.end("hello"));
  onCleanup(() => web.close());
  const place = `127.0.0.1:${web.port}`;
  const { engine, sent } = await open({ holdMs: 300 }, { network: { allow: [place] } });
  const code = `const text = await (await fetch("http://${place}/")).text(); await post.sendMail({ to: text });`;
  const first = await engine.run({ code });
  expect(first).toMatchObject({ status: "failed", error: { kind: "tool_error" } });
  expect(first.text).toContain(
    "nobody answered in time, and the run can't be left to wait: it used the network",
  );
  expect(await engine.approvals.list()).toMatchObject([{ status: "withdrawn" }]);
  expect(sent()).toEqual([]);
});

describe("the workspace of a run that goes on", () => {
  it("is as it was before it, so that what it did there is done once", async () => {
    const { engine, opened, again } = await open({ holdMs: 300 });
    const first = await engine.run({ code: FILES });
    expect(first.status).toBe("waiting");
    const log = join(opened.dir, "workspace/log.txt");
    expect(readFileSync(log, "utf8")).toBe("began\n");
    expect(readdirSync(join(opened.dir, ".keyhole/kept"))).toHaveLength(2);
    const { askPerson } = person(() => once);
    const second = await (await again()).run({ code: FILES, askPerson });
    expect(second).toMatchObject({ result: "began\nended\n", runId: first.runId });
    expect(readFileSync(log, "utf8")).toBe("began\nended\n");
    expect(readdirSync(join(opened.dir, ".keyhole/kept"))).toEqual([]);
  });

  it("must be as it left it: otherwise nothing is touched, and it goes on waiting", async () => {
    const { engine, opened, again } = await open({ holdMs: 300 });
    const first = await engine.run({ code: FILES });
    expect(first.status).toBe("waiting");
    expect(await engine.run({ code: WRITES_FILE })).toMatchObject({ status: "done" });
    const { askPerson } = person(() => once);
    const next = await again();
    const changed = "files in ./workspace have changed since: other.txt";
    await expect(next.run({ code: FILES, askPerson })).rejects.toThrow(changed);
    await expect(next.run({ code: FILES, askPerson, resume: first.runId })).rejects.toThrow(changed);
    expect(readFileSync(join(opened.dir, "workspace/other.txt"), "utf8")).toBe("other");
    rmSync(join(opened.dir, "workspace/other.txt"));
    expect(await next.run({ code: FILES, askPerson })).toMatchObject({ status: "done", runId: first.runId });
  });

  it("is nobody's to put back when another program wrote there at the same time", async () => {
    const { engine, again, sent } = await open({ holdMs: 3_000 });
    let other: Promise<unknown> = Promise.resolve();
    const { askPerson } = person(() => {
      other = engine.run({ code: WRITES_FILE });
      return undefined;
    });
    const first = await engine.run({ code: FILES, askPerson });
    await other;
    expect(first).toMatchObject({ status: "waiting" });
    expect(first.text).toContain("It can't go on from here: other programs ran in the same workspace");
    const next = await again();
    await expect(next.run({ code: FILES, resume: first.runId })).rejects.toThrow("other programs ran");
    expect(sent()).toEqual([]);
  });

  it("of one that was killed is put back, unless another program has run there since", async () => {
    const { engine, opened, again } = await open({ holdMs: 60_000 });
    for (const isDisturbed of [false, true]) {
      const runId = await killWhenAsked(opened.dir, FILES);
      const log = join(opened.dir, "workspace/log.txt");
      expect(readFileSync(log, "utf8")).toBe("began\n");
      if (isDisturbed) await engine.run({ code: WRITES_FILE });
      const { askPerson } = person(() => once);
      const next = (await again()).run({ code: FILES, askPerson });
      if (isDisturbed) await expect(next).rejects.toThrow("it was interrupted, and other programs ran");
      else expect(await next).toMatchObject({ result: "began\nended\n", runId });
      if (!isDisturbed) rmSync(log);
    }
  });
});

/** Runs a program in another process, which is killed when it has asked and nobody has answered. */
async function killWhenAsked(dir: string, code: string): Promise<string> {
  const runner = fileURLToPath(new URL("../fixtures/approved-run.js", import.meta.url));
  const args = [runner, dir, "", await homeOf(dir)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  onCleanup(async () => void child.kill("SIGKILL"));
  const ended = onceOf(child, "close");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.includes('"asked":')) child.kill("SIGKILL");
  });
  child.stdin.end(code);
  await ended;
  const lines = output.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line)).find(({ run }) => run !== undefined)?.run;
}
