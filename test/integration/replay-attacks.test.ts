import { spawn } from "node:child_process";
import { once as onceOf } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { Approval } from "../../src/policy/approvals/approval.ts";
import { createSession } from "../../src/session.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { openEngine } from "../fixtures/engine.ts";
import { inSession } from "../fixtures/in-session.ts";
import { fixture, homeOf, onCleanup, reopen, tempDir } from "../fixtures/project.ts";

const RUNNER = fileURLToPath(new URL("../fixtures/approved-run.js", import.meta.url));
const once = { decision: "approve", scope: "once" } as const;
const approves = { channel: "elicitation", ask: async () => ({ answer: once, by: "a test" }) };
const approvesOnly = (to: string) => ({
  channel: "elicitation",
  ask: async ({ calls }: Approval) =>
    calls[0]?.args["to"] === to ? { answer: once, by: "a test" } : undefined,
});
const MAIL = `return await post.sendMail({ to: "ada", nonce: Math.random() });`;
const SLOW_MAIL = `const sent = await post.sendMail({ to: "ada", nonce: Math.random() });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return sent;`;

async function open(rest: object = {}) {
  const file = join(await tempDir(), "sent");
  const config = { approval: { holdMs: 200 }, ...rest };
  const { engine, opened } = await openEngine({ post: fixture("postbox", file) }, { config });
  const lines = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []);
  return {
    engine,
    opened,
    file,
    sent: () => lines(file).map((line) => JSON.parse(line)),
    reads: () => lines(`${file}.reads`).length,
    async again() {
      const project = await reopen(opened.dir);
      await project.catalog.read();
      const next = inSession(createEngine(project, { poolSize: 0 }));
      onCleanup(() => next.close());
      return next;
    },
    async answerAll() {
      const pending = await engine.approvals.list({ status: "pending" });
      for (const { id } of pending) await engine.approvals.answer(id, once, "a test");
      return pending.length;
    },
  };
}

describe("a program that goes on", () => {
  it("sent twice at once is taken up once, and the other is told by which run", async () => {
    const { engine, sent, again, answerAll } = await open();
    const first = await engine.run({ code: SLOW_MAIL });
    await answerAll();
    const engines = [await again(), await again(), engine];
    const ends = await Promise.allSettled(engines.map((one) => one.run({ code: SLOW_MAIL })));
    const done = ends.filter(({ status }) => status === "fulfilled");
    expect(done).toMatchObject([{ value: { status: "done", runId: first.runId } }]);
    for (const end of ends)
      if (end.status === "rejected")
        expect(end.reason.message).toContain(`goes on already, as run "${first.runId}"`);
    expect([sent().length, (await engine.approvals.list()).length]).toEqual([1, 1]);
  });

  it("by two processes at once is taken up by one", { timeout: 60_000 }, async () => {
    const { engine, opened, file, sent, answerAll } = await open();
    const code = SLOW_MAIL;
    const first = await engine.run({ code });
    await answerAll();
    await engine.close();
    const home = await homeOf(opened.dir);
    const told = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const child = spawn(process.execPath, [RUNNER, opened.dir, file, home], {
          stdio: ["pipe", "pipe", "inherit"],
        });
        onCleanup(async () => void child.kill("SIGKILL"));
        let output = "";
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
        child.stdin.end(code);
        await onceOf(child, "close");
        return JSON.parse(output.trim().split("\n").at(-1) ?? "");
      }),
    );
    // One that comes when all is over begins anew, and waits for its own question.
    const ended = told.filter(({ runId }) => runId === first.runId);
    expect(ended).toMatchObject([{ status: "done" }]);
    for (const { thrown, runId, status } of told)
      if (runId !== first.runId) expect(thrown ?? status).toMatch(/goes on already|^waiting$/);
    expect(sent()).toHaveLength(1);
  });

  it("is found by its principal in another session, and is another program with one space more", async () => {
    const { engine, sent, answerAll } = await open();
    const first = await engine.run({ code: MAIL });
    const other = await engine.run({ code: `${MAIL} ` });
    expect([other.status, other.runId === first.runId]).toEqual(["waiting", false]);
    expect(await answerAll()).toBe(2);
    await expect(engine.run({ code: `${MAIL} `, resume: first.runId })).rejects.toThrow(
      "one of another program",
    );
    const session = createSession({ client: { name: "another" } });
    expect(await engine.run({ code: MAIL, session })).toMatchObject({ status: "done", runId: first.runId });
    expect(sent()).toHaveLength(1);
  });

  it("has its calls and timers in the order in which they came, whatever that was", {
    timeout: 60_000,
  }, async () => {
    const { engine, sent, reads, again } = await open();
    const code = `const order = [];
      await Promise.all(Array.from({ length: 40 }, async (_, n) => {
        if (n % 2) await new Promise((resolve) => setTimeout(resolve, (n * 7) % 23));
        else await post.getTime({ n });
        order.push(n);
        if (n % 3 === 0) { await post.getTime({ after: n, so: order.length }); order.push(-n); }
      }));
      await post.sendMail({ to: order.join(), at: Date.now(), nonce: crypto.randomUUID() });
      return order.join();`;
    expect((await engine.run({ code })).status).toBe("waiting");
    const before = reads();
    const second = await (await again()).run({ code, askPerson: approves });
    expect(second.status).toBe("done");
    expect([sent()[0]?.to, reads(), (await engine.approvals.list()).length]).toEqual([
      second.result,
      before,
      1,
    ]);
  });

  it("with thousands of calls before its question has them all, and makes none again", {
    timeout: 120_000,
  }, async () => {
    const { engine, sent, reads, again } = await open();
    const code = `let sum = 0;
      for (let from = 0; from < 4_000; from += 100)
        for (const { read } of await Promise.all(Array.from({ length: 100 }, (_, n) => post.getTime({ n: from + n })))) sum += read;
      return (await post.sendMail({ to: sum })).sent;`;
    expect((await engine.run({ code })).status).toBe("waiting");
    expect(reads()).toBe(4_000);
    expect(await (await again()).run({ code, askPerson: approves })).toMatchObject({
      result: (4_000 * 4_001) / 2,
    });
    expect([reads(), sent().length]).toEqual([4_000, 1]);
  });

  it("stops where it goes by what is not kept, and nothing is done twice", async () => {
    const { engine, opened, sent, again } = await open();
    const [one, other] = [`post.sendMail({ to: "one" })`, `post.sendMail({ to: "other" })`];
    const code = `const { people } = await post.listPeople({});
      if (people.length === 3) { await ${one}; await ${other}; } else { await ${other}; await ${one}; }`;
    const first = await engine.run({ code, askPerson: approvesOnly("one") });
    expect(first.status).toBe("waiting");
    const db = await openSqlite(join(opened.dir, ".keyhole/keyhole.db"));
    onCleanup(() => db.close());
    db.run("UPDATE replay_calls SET result = ? WHERE tool = 'list_people'", [Buffer.from('{"people":[]}')]);
    const second = await (await again()).run({ code, askPerson: approves });
    expect(second).toMatchObject({
      status: "failed",
      error: { kind: "diverged" },
      ledger: [{ effect: "landed" }],
    });
    expect(sent()).toEqual([{ to: "one" }]);
  });

  it("is asked for again where the tool is another one by now, though a person said yes", async () => {
    const { engine, opened, sent, again, answerAll } = await open();
    const first = await engine.run({ code: MAIL });
    await answerAll();
    await engine.close();
    const config = JSON.parse(readFileSync(join(opened.dir, ".mcp.json"), "utf8"));
    const server = config.mcpServers.post;
    server.args = [...server.args, "changed"];
    writeFileSync(join(opened.dir, ".mcp.json"), JSON.stringify(config));
    const next = await again();
    expect(await next.run({ code: MAIL })).toMatchObject({ status: "waiting", runId: first.runId });
    expect(sent()).toEqual([]);
    expect((await next.approvals.list()).map(({ status }) => status)).toEqual(["approved", "pending"]);
  });

  it("is not over when its servers are not there yet: it goes on once they are", async () => {
    const { engine, opened, sent, again, answerAll } = await open();
    const code = `await post.sendMail({ to: "ada" }); return (await post.sendMail({ to: "bob" })).sent;`;
    const first = await engine.run({ code, askPerson: approvesOnly("ada") });
    expect([first.status, await answerAll()]).toEqual(["waiting", 1]);
    await engine.close();
    const early = inSession(createEngine(await reopen(opened.dir), { poolSize: 0 }));
    expect(await early.run({ code })).toMatchObject({
      status: "failed",
      runId: first.runId,
      ledger: [{ tool: "send_mail", effect: "landed" }],
    });
    await early.close();
    expect(await (await again()).run({ code })).toMatchObject({ result: "bob", runId: first.runId });
    expect(sent()).toEqual([{ to: "ada" }, { to: "bob" }]);
  });

  it("that was interrupted leaves alone what others changed since, though the clock was set back", async () => {
    const { engine, opened, file, again } = await open({ approval: { holdMs: 60_000 } });
    const code = `require("node:fs").writeFileSync("./workspace/a.txt", "a"); ${MAIL}`;
    await killWhenAsked([opened.dir, file, await homeOf(opened.dir)], code);
    const other = await engine.run({ code: `require("node:fs").writeFileSync("./workspace/b.txt", "b")` });
    const db = await openSqlite(join(opened.dir, ".keyhole/keyhole.db"));
    onCleanup(() => db.close());
    const back = "started_at = started_at - 86400000, ended_at = ended_at - 86400000";
    db.run(`UPDATE runs SET ${back} WHERE id = ?`, [other.runId]);
    const next = await again();
    await expect(next.run({ code, askPerson: approves })).rejects.toThrow("other programs ran");
    expect(existsSync(join(opened.dir, "workspace/b.txt"))).toBe(true);
  });
});

/** Runs a program in another process, which is killed when it has asked. */
async function killWhenAsked(args: readonly string[], code: string): Promise<void> {
  const child = spawn(process.execPath, [RUNNER, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  onCleanup(async () => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.includes('"asked":')) child.kill("SIGKILL");
  });
  child.stdin.end(code);
  await onceOf(child, "close");
}

describe("what goes on beside a question", () => {
  const permissions = {
    rules: [{ tool: "send_mail", args: { "$.to": { matches: "^slow" } }, decision: "allow" }],
  };

  it("is not cut off when the run ends as waiting", async () => {
    const { engine, sent, answerAll } = await open({ permissions });
    const code = `const slow = async () => { for (let n = 0; n < 4; n++) await post.sendMail({ to: "slow" + n, ms: 150 }); };
      await Promise.all([post.sendMail({ to: "ada" }), slow()]); return "all"`;
    const first = await engine.run({ code });
    expect(first).toMatchObject({ status: "waiting" });
    expect(first.ledger?.map(({ effect }) => effect)).not.toContain("unknown");
    expect(sent()).toHaveLength(first.ledger?.length ?? -1);
    await answerAll();
    expect(await engine.run({ code })).toMatchObject({ status: "done", result: "all" });
    expect(
      sent()
        .map(({ to }) => to)
        .sort(),
    ).toEqual(["ada", "slow0", "slow1", "slow2", "slow3"]);
    expect(await engine.approvals.list()).toHaveLength(1);
  });

  it("and was given up by the program is not asked for when it goes on", async () => {
    const { engine, sent, answerAll } = await open({ permissions });
    const code = `const stop = new AbortController(); setTimeout(() => stop.abort(), 40);
      const given = await post.sendMail({ to: "slow", ms: 300 }, { signal: stop.signal }).catch((error) => error.code);
      return [given, (await post.sendMail({ to: "ada" })).sent]`;
    expect(await engine.run({ code })).toMatchObject({ status: "waiting" });
    await answerAll();
    expect(await engine.run({ code })).toMatchObject({ status: "done", result: ["cancelled", "ada"] });
    expect(sent().filter(({ to }) => to === "ada")).toHaveLength(1);
    expect(await engine.approvals.list()).toHaveLength(1);
  });

  it("is no question any more when the program has given up its call", async () => {
    const { engine, sent } = await open({ approval: { holdMs: 20_000 } });
    const code = `const stop = new AbortController(); setTimeout(() => stop.abort(), 100);
      return await post.sendMail({ to: "ada" }, { signal: stop.signal }).catch((error) => error.code)`;
    expect(await engine.run({ code })).toMatchObject({ status: "done", result: "cancelled" });
    expect(await engine.approvals.list({ status: "pending" })).toEqual([]);
    const left = `void post.sendMail({ to: "bob" }); await new Promise((resolve) => setTimeout(resolve, 100)); process.exit()`;
    expect(await engine.run({ code: left })).toMatchObject({ status: "done" });
    expect(await engine.approvals.list({ status: "pending" })).toEqual([]);
    expect(sent()).toEqual([]);
  });

  it("is in the same order when it is about files", async () => {
    const { engine, sent, answerAll } = await open();
    const code = `import { readFile, writeFile } from "node:fs/promises";
      const names = Array.from({ length: 8 }, (_, n) => "./workspace/" + n + ".txt");
      await Promise.all(names.map((name, n) => writeFile(name, "x".repeat(40_000 * ((n * 5) % 8) + 10))));
      const chars = await Promise.all(names.map(async (name) => {
        const text = await readFile(name, "utf8");
        await post.sendMail({ to: name, chars: text.length });
        return text.length;
      }));
      return chars.length`;
    expect(await engine.run({ code })).toMatchObject({ status: "waiting" });
    expect(await answerAll()).toBe(1);
    expect(await engine.run({ code })).toMatchObject({ status: "done", result: 8 });
    expect([sent().length, (await engine.approvals.list()).length]).toEqual([8, 1]);
  });
});
