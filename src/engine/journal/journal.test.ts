import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { EMPTY_RECEIPT } from "../../result/receipt.ts";
import { createSession } from "../../session.ts";
import { openSqlite } from "../../store/database/sqlite.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { type Journal, type JournalOptions, openJournal } from "./journal.ts";
import { tidy } from "./retention.ts";

let dir: string;

beforeEach(async () => {
  dir = await tempDir();
});

async function open(options?: JournalOptions): Promise<Journal> {
  const journal = openJournal(await openStateDir(dir, join(dir, "home")), options);
  onCleanup(() => journal.close());
  return journal;
}

const HOUR_MS = 3_600_000;
const NOW = Date.now();
const session = createSession({ client: { name: "client", version: "2" } });
const receipt = {
  ...EMPTY_RECEIPT,
  seenTokens: 5,
  keptTokens: 1,
  directTokens: 20,
  catalogTokens: 10,
  phasesMs: { sandbox: 3 },
};
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

type Told = { code?: string; startedAt?: number; calls?: number; failed?: number };

async function write(
  journal: Journal,
  id: string,
  { code = "return 1", startedAt = Date.now(), ...told }: Told = {},
) {
  const { calls = 0, failed = 0 } = told;
  journal.runTaken({ id, session, code, language: "typescript", takenAt: startedAt });
  for (let n = 0; n < calls; n++) {
    const call = `c_${id}_${n}`;
    journal.callStarted({
      id: call,
      runId: id,
      server: "shop",
      tool: "buy",
      argumentsText: `{"n":${n}}`,
      startedAt,
    });
    const ok = n >= failed;
    journal.callEnded({
      id: call,
      ok,
      code: ok ? undefined : "tool_failed",
      resultText: "ünd",
      resultBytes: 4,
      ms: n,
    });
  }
  await journal.runEnded({ id, status: "done", receipt, endedAt: startedAt + 5 });
}

describe("the journal", () => {
  it("tells a run with its code and calls, of which arguments and results are hashes", async () => {
    const code = "return 'a\u0000b \ud800 ü';";
    await write(await open(), "r_1", { code, startedAt: NOW, calls: 2, failed: 1 });
    const run = await (await open()).getRun("r_1");
    expect(run).toMatchObject({
      ...{
        id: "r_1",
        session: session.id,
        principal: "local",
        client: session.client,
        language: "typescript",
      },
      ...{ status: "done", startedAt: NOW, endedAt: NOW + 5, receipt, codeBytes: Buffer.byteLength(code) },
      // Nothing is cut off at a zero character; half of a pair is none.
      code: "return 'a\u2400b \ufffd ü';",
    });
    const result = { resultHash: sha256("ünd"), resultBytes: 4 };
    const about = { server: "shop", tool: "buy", startedAt: NOW, argumentsBytes: 7, ...result };
    expect(run?.calls).toEqual([
      { ...about, id: "c_r_1_0", argumentsHash: sha256('{"n":0}'), ms: 0, ok: false, code: "tool_failed" },
      { ...about, id: "c_r_1_1", argumentsHash: sha256('{"n":1}'), ms: 1, ok: true },
    ]);
  });

  it("tells of a run and its calls while they go on", async () => {
    const journal = await open();
    journal.runTaken({ id: "r_1", session, code: "x", language: "typescript", takenAt: NOW });
    journal.callStarted({
      id: "c",
      runId: "r_1",
      server: "a",
      tool: "b",
      argumentsText: "{}",
      startedAt: NOW,
    });
    expect(await journal.listRuns()).toMatchObject([{ id: "r_1", status: "queued", calls: 1 }]);
    for (const status of ["running", "waiting", "running"] as const) journal.runStatus("r_1", status);
    expect(await journal.listRuns()).toMatchObject([{ id: "r_1", status: "waiting" }]);
    journal.callEnded({ id: "c", ok: true, resultBytes: 9, ms: 2 });
    expect((await journal.getRun("r_1"))?.calls).toMatchObject([
      { ok: true, resultBytes: 9, resultHash: "" },
    ]);
    await journal.runEnded({ id: "r_1", status: "failed", kind: "timeout", receipt, endedAt: NOW + 9 });
    expect(await journal.listRuns()).toMatchObject([{ status: "failed", kind: "timeout", endedAt: NOW + 9 }]);
  });

  it("writes down the end of a call, in whatever moment of a commit it comes", async () => {
    const journal = await open();
    journal.runTaken({ id: "r_1", session, code: "x", language: "typescript", takenAt: NOW });
    await journal.committed();
    const calls = Array.from({ length: 60 }, (_, n) => `c_${n}`);
    const about = { runId: "r_1", server: "a", tool: "b", argumentsText: "{}", startedAt: NOW };
    for (const id of calls) journal.callStarted({ ...about, id });
    const committed = journal.committed();
    for (const id of calls) {
      journal.callEnded({ id, ok: true, resultBytes: 1, ms: 1 });
      await Promise.resolve();
    }
    await committed;
    await journal.runEnded({ id: "r_1", status: "done", receipt, endedAt: NOW });
    const written = (await journal.getRun("r_1"))?.calls ?? [];
    expect(written.filter(({ ok }) => ok !== true)).toEqual([]);
    expect(written).toHaveLength(calls.length);
  });

  it("weighs of long programs what it keeps, so that many of one moment are written", async () => {
    const journal = await open();
    const ids = Array.from({ length: 40 }, (_, n) => `r_${n}`);
    await Promise.all(ids.map((id) => write(journal, id, { code: "x".repeat(2_000_000), calls: 1 })));
    expect(await journal.listRuns()).toHaveLength(40);
    expect((await journal.getRun("r_39"))?.code).toHaveLength(256 * 1024);
  });

  it("has every run of one moment, though only so much can wait to be written", async () => {
    const notices: string[] = [];
    const journal = await open({ onNotice: (text) => notices.push(text) });
    await Promise.all(Array.from({ length: 20_100 }, (_, n) => write(journal, `r_${n}`)));
    expect((await journal.stats()).runs).toBe(20_100);
    expect(await journal.getRun("r_20099")).toMatchObject({ status: "done", code: "" });
    expect(notices[0]).toContain("wait to be written down");
  });

  it("where it is told to stop, refuses runs and calls of which too many wait to be written", async () => {
    const journal = await open({ onFailure: "stop" });
    const take = (id: string) =>
      journal.runTaken({ id, session, code: "x", language: "typescript", takenAt: NOW });
    for (let n = 1; n < 20_000; n++) take(`r_${n}`);
    expect(() => take("more")).toThrow(/entries wait to be written down/);
    const call = { id: "c", runId: "r_1", server: "a", tool: "b", argumentsText: "{}", startedAt: NOW };
    expect(() => journal.callStarted(call)).toThrow(/entries wait to be written down/);
    await journal.committed();
    journal.callStarted(call);
    take("more");
    expect((await journal.getRun("r_1"))?.calls).toHaveLength(1);
    expect(await journal.getRun("more")).toMatchObject({ status: "queued" });
  });

  it("takes nothing, and opens nothing, once it is closed", async () => {
    for (const onFailure of ["stop", "continue"] as const) {
      const journal = await open({ onFailure });
      await write(journal, `before ${onFailure}`);
      await journal.close();
      const late = write(journal, `after ${onFailure}`);
      if (onFailure === "stop") await expect(late).rejects.toMatchObject({ code: "store_unusable" });
      else await late;
      await expect(journal.listRuns()).rejects.toMatchObject({ code: "store_unusable" });
    }
    expect((await (await open()).listRuns()).map(({ id }) => id)).toEqual(["before continue", "before stop"]);
  });

  it("lists the newest first, by session and principal", async () => {
    const journal = await open();
    for (const id of ["a", "b", "c"]) await write(journal, id);
    expect((await journal.listRuns({ limit: 2 })).map(({ id }) => id)).toEqual(["c", "b"]);
    expect(await journal.listRuns({ session: "other" })).toEqual([]);
    expect(await journal.listRuns({ principal: "local", session: session.id })).toHaveLength(3);
  });

  it("takes the nearest rank as a percentile, as reports do", async () => {
    const journal = await open();
    await write(journal, "a", { calls: 2 });
    expect((await journal.stats()).tools).toMatchObject([{ ms: { p50: 0, p95: 1 } }]);
  });

  it("adds up what all processes wrote, the catalogue once for each session", async () => {
    const [one, other] = [await open(), await open()];
    await Promise.all([write(one, "a", { calls: 3, failed: 1 }), write(other, "b", { calls: 2 })]);
    expect(await one.stats()).toEqual({
      runs: 2,
      failed: 0,
      calls: 5,
      tokens: { seen: 10, kept: 2, direct: 30, savedPercent: 66.7 },
      cache: { calls: 0, hits: 0, hitPercent: 0 },
      runMs: { p50: 3, p95: 3 },
      tools: [{ server: "shop", tool: "buy", calls: 5, failed: 1, ms: { p50: 1, p95: 2 } }],
      toolsLeftOut: 0,
      sessions: [{ session: session.id, principal: "local", runs: 2, failed: 0, calls: 5 }],
      sessionsLeftOut: 0,
    });
  });

  it("tells sessions and principals apart, the latest first, and how many it leaves out", async () => {
    const journal = await open();
    for (let n = 0; n < 102; n++) {
      const principal = n % 2 === 0 ? "ada" : "bob";
      const own = { ...createSession({ principal, client: { name: "x" } }), id: `s_${n}` };
      journal.runTaken({ id: `r_${n}`, session: own, code: "", language: "typescript", takenAt: NOW });
      const status = n === 101 ? "failed" : "done";
      await journal.runEnded({ id: `r_${n}`, status, receipt, endedAt: NOW });
    }
    const { sessions, sessionsLeftOut } = await journal.stats();
    expect([sessions.length, sessionsLeftOut]).toEqual([100, 2]);
    expect(sessions.slice(0, 2)).toEqual([
      { session: "s_101", principal: "bob", runs: 1, failed: 1, calls: 0 },
      { session: "s_100", principal: "ada", runs: 1, failed: 0, calls: 0 },
    ]);
  });

  it("tells of so many tools, and how many it leaves out", async () => {
    const journal = await open();
    journal.runTaken({ id: "r", session, code: "", language: "typescript", takenAt: NOW });
    for (let n = 0; n < 230; n++) {
      const about = { runId: "r", server: "s", tool: `t${n % 210}`, argumentsText: "", startedAt: NOW };
      journal.callStarted({ ...about, id: `c_${n}` });
      journal.callEnded({ id: `c_${n}`, ok: true, resultBytes: 0, ms: 1 });
    }
    await journal.runEnded({ id: "r", status: "done", receipt, endedAt: NOW });
    const { calls, tools, toolsLeftOut } = await journal.stats();
    expect([calls, tools.length, toolsLeftOut, tools[0]?.calls]).toEqual([230, 200, 10, 2]);
  });

  it("counts calls that went well, of earlier processes and of this one, once", async () => {
    await write(await open(), "a", { calls: 3, failed: 1 });
    const journal = await open();
    await write(journal, "b", { calls: 2 });
    await journal.popularity.load();
    await write(journal, "c", { calls: 1 });
    expect(journal.popularity.calls("shop", "buy")).toBe(5);
  });

  it("leaves no trace where it is only read, or turned off", async () => {
    const [reader, off] = [await open(), await open({ enabled: false, onFailure: "stop" })];
    await off.ready();
    await write(off, "a", { calls: 1 });
    await off.warm();
    await reader.popularity.load();
    expect([(await reader.stats()).runs, await off.listRuns()]).toEqual([0, []]);
    expect(existsSync(join(dir, ".keyhole"))).toBe(false);
  });

  it("writes thousands of calls of one moment, and a program of any length", async () => {
    const journal = await open();
    await write(journal, "a", { calls: 3_000, code: "x".repeat(2_000_000) });
    const run = await journal.getRun("a");
    expect([run?.calls.length, run?.code.length, run?.codeBytes]).toEqual([3_000, 256 * 1024, 2_000_000]);
  });
});

describe("a database that is damaged, and too large to be looked at whenever it is opened", () => {
  const PAGE = 4_096;
  const database = () => join(dir, ".keyhole/keyhole.db");

  /** Closed, with nothing in its log. */
  async function makeLarge(): Promise<{ pages: number; runs: number }> {
    const journal = await open();
    for (let n = 0; n < 8; n++) await write(journal, `old${n}`, { code: "x".repeat(200_000) });
    await journal.close();
    const db = await openSqlite(database());
    db.all("PRAGMA wal_checkpoint(TRUNCATE)");
    const [[pages] = []] = db.all("PRAGMA page_count");
    const [[runs] = []] = db.all("SELECT rootpage FROM sqlite_schema WHERE name = 'runs'");
    await db.close();
    return { pages: Number(pages), runs: Number(runs) };
  }

  /** Pages are numbered from 1. */
  async function damage(from: number, to: number): Promise<void> {
    const content = await readFile(database());
    await writeFile(database(), content.fill(0xff, (from - 1) * PAGE, to * PAGE));
  }

  it.each([
    ["all of it", ({ pages }: { pages: number }) => damage(2, pages)],
    ["its table of runs", ({ runs }: { runs: number }) => damage(runs, runs)],
  ])("(%s) is moved aside when that is found out", async (_, spoil) => {
    await spoil(await makeLarge());
    const notices: string[] = [];
    const journal = await open({ onNotice: (text) => notices.push(text) });
    await write(journal, "first", { calls: 2 });
    await journal.close();
    expect(notices.join("\n")).toContain(`The store "${database()}" is damaged: it is now "`);
    expect(await (await open()).listRuns()).toMatchObject([{ id: "first", status: "done", calls: 2 }]);
  });
});

describe("a database that is deleted or replaced while it is in use", () => {
  const database = () => join(dir, ".keyhole/keyhole.db");
  const remove = async () => {
    for (const part of ["", "-wal", "-shm"]) await rm(database() + part, { force: true });
  };
  const replace = async () => {
    await copyFile(database(), `${database()}.copy`);
    await rename(`${database()}.copy`, database());
  };

  it.each([
    ["is deleted", remove],
    ["is replaced by a copy", replace],
  ])("%s: fails where it is told to stop, and what was not answered is in the next one", async (_, spoil) => {
    const journal = await open({ onFailure: "stop" });
    await write(journal, "before");
    await spoil();
    await expect(write(journal, "first", { calls: 2 })).rejects.toMatchObject({ fault: "replaced" });
    await journal.ready();
    await write(journal, "second");
    await journal.close();
    const found = await (await open()).listRuns();
    expect(found.slice(0, 2)).toMatchObject([
      { id: "second", status: "done" },
      { id: "first", status: "done", calls: 2 },
    ]);
  });

  it("fails, too, where only its log is deleted", async () => {
    const journal = await open({ onFailure: "stop" });
    await write(journal, "before");
    await rm(`${database()}-wal`);
    await expect(write(journal, "after")).rejects.toMatchObject({ fault: "replaced" });
  });

  it("is told of where work goes on, and a run that was going on is in the next one", async () => {
    const notices: string[] = [];
    const journal = await open({ onNotice: (text) => notices.push(text) });
    journal.runTaken({ id: "going", session, code: "x", language: "typescript", takenAt: NOW });
    await journal.committed();
    await remove();
    await write(journal, "first");
    expect(notices).toEqual([
      `Runs are not written down for now: The store "${database()}" was replaced or deleted while it was in use. Leave it to Keyhole while that runs`,
    ]);
    await journal.runEnded({ id: "going", status: "done", receipt, endedAt: NOW });
    await journal.close();
    expect(notices.at(-1)).toBe("Runs are written down again");
    expect((await (await open()).listRuns()).map(({ id, status }) => [id, status])).toEqual([
      ["going", "done"],
      ["first", "done"],
    ]);
  });

  it("is not used in the background, and is again when it is back", async () => {
    await write(await open(), "a");
    const db = await openSqlite(database());
    onCleanup(() => db.close());
    db.assertInPlace();
    await rename(database(), `${database()}.kept`);
    await writeFile(database(), "");
    await expect(db.allInBackground("SELECT 1")).rejects.toMatchObject({ fault: "replaced" });
    await rename(`${database()}.kept`, database());
    expect(await db.allInBackground("SELECT id FROM runs")).toEqual([["a"]]);
    await expect(
      db.allInBackground("SELECT * FROM pragma_trusted_schema JOIN pragma_cell_size_check"),
    ).resolves.toEqual([[0, 1]]);
  });
});

describe("what the journal keeps", () => {
  const tidied = async (journal: Journal, rule: { keepMs: number; maxBytes: number }) => {
    const db = await openSqlite(join(dir, ".keyhole/keyhole.db"));
    onCleanup(() => db.close());
    await tidy(db, rule, new AbortController().signal);
    expect(db.all("SELECT count(*) FROM calls WHERE run NOT IN (SELECT id FROM runs)")).toEqual([[0]]);
    return (await journal.listRuns({ limit: 1_000 })).map(({ id }) => id);
  };
  const writeThree = async () => {
    const journal = await open();
    await write(journal, "day", { startedAt: NOW - 24 * HOUR_MS, calls: 2_500 });
    await write(journal, "hours", { startedAt: NOW - 3 * HOUR_MS, calls: 10 });
    await write(journal, "young", { startedAt: NOW - HOUR_MS / 2, calls: 10 });
    return journal;
  };

  it("is not more because a clock was ahead for a while", async () => {
    const journal = await open();
    for (let n = 0; n < 25; n++) await write(journal, `ahead${n}`, { startedAt: NOW + 9_999 * HOUR_MS });
    await write(journal, "day", { startedAt: NOW - 24 * HOUR_MS });
    await write(journal, "young", { code: "x".repeat(5_000) });
    const ahead = Array.from({ length: 25 }, (_, n) => `ahead${24 - n}`);
    const keepMs = 2 * HOUR_MS;
    expect(await tidied(journal, { keepMs, maxBytes: 1e9 })).toEqual(["young", ...ahead]);
    expect(await tidied(journal, { keepMs, maxBytes: 1 })).toEqual([]);
  });

  it("is what is young enough", async () => {
    const rule = { keepMs: 12 * HOUR_MS, maxBytes: 1e9 };
    expect(await tidied(await writeThree(), rule)).toEqual(["young", "hours"]);
  });

  it("is what is younger than an hour, while that is not far too much", async () => {
    expect(await tidied(await writeThree(), { keepMs: 1, maxBytes: 150_000 })).toEqual(["young"]);
  });

  it("is never more than twice what it should be: young runs lose their code, then they go, too", async () => {
    const journal = await open();
    const ids = Array.from({ length: 60 }, (_, n) => `r_${n}`);
    for (const id of ids) await write(journal, id, { code: "x".repeat(10_000), calls: 20 });
    expect(await tidied(journal, { keepMs: 1e12, maxBytes: 340_000 })).toHaveLength(60);
    const codes = async (id: string) => (await journal.getRun(id))?.code.length;
    expect([await codes("r_0"), await codes("r_59")]).toEqual([0, 10_000]);
    const left = await tidied(journal, { keepMs: 1e12, maxBytes: 110_000 });
    expect(left).toEqual(ids.slice(-left.length).reverse());
    expect([left.length > 5, left.length < 50]).toEqual([true, true]);
  });

  it("is what is under way, whatever its age and size", async () => {
    const journal = await open();
    const old = NOW - 100 * HOUR_MS;
    for (const id of ["queued", "running", "waiting"] as const) {
      journal.runTaken({ id, session, code: "x".repeat(9_000), language: "typescript", takenAt: old });
      if (id !== "queued") journal.runStatus(id, id);
    }
    await write(journal, "done", { startedAt: old });
    expect(await tidied(journal, { keepMs: 1, maxBytes: 1 })).toEqual(["waiting", "running", "queued"]);
  });

  it("is looked after by what is written, not by the hour alone", async () => {
    const journal = await open({ maxBytes: 200_000 });
    const code = "x".repeat(100_000);
    for (let n = 0; n < 40; n++) await write(journal, `r_${n}`, { code });
    const db = await openSqlite(join(dir, ".keyhole/keyhole.db"));
    onCleanup(() => db.close());
    const withCode = () => db.all("SELECT count(*) FROM runs WHERE code <> ''")[0]?.[0];
    await expect.poll(withCode, { timeout: 10_000 }).toBeLessThan(6);
  });

  it("is as much as there is room for, the oldest go first", async () => {
    const journal = await open();
    const ids = Array.from({ length: 100 }, (_, n) => `r_${n}`);
    for (const id of ids)
      await write(journal, id, { startedAt: NOW - 2 * HOUR_MS, code: "x".repeat(10_000) });
    const left = await tidied(journal, { keepMs: 1e12, maxBytes: 600_000 });
    expect(left).toEqual(ids.slice(-left.length).reverse());
    expect([left.length > 20, left.length < 60]).toEqual([true, true]);
  });
});
