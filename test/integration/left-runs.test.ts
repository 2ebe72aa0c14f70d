import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine/create-engine.ts";
import { readRuns } from "../../src/engine/runs/runs-of-project.ts";
import { SANDBOX_LIMITS } from "../../src/sandbox/limits.ts";
import { openDatabase } from "../../src/store/database/open-database.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { createKeptFolders } from "../../src/workspace/kept-folders.ts";
import { openEngine } from "../fixtures/engine.ts";
import { inSession } from "../fixtures/in-session.ts";
import { addLeftRun, whereIs } from "../fixtures/left-runs.ts";
import { fixture, homeOf, onCleanup, reopen, tempDir } from "../fixtures/project.ts";

const TIDIER = fileURLToPath(new URL("../fixtures/tidy-left-runs.js", import.meta.url));
const DAY_MS = 24 * 3_600_000;
const LETTER = `require("node:fs").writeFileSync("./workspace/draft.txt", "x".repeat(50_000));
  return await post.sendMail({ to: "ada" });`;

async function open(journal: object, approval: object = {}) {
  const file = join(await tempDir(), "sent");
  const config = { approval: { holdMs: 200, ...approval }, journal };
  const { engine, opened } = await openEngine({ post: fixture("postbox", file) }, { config });
  const keptDir = join(opened.dir, ".keyhole/kept");
  return {
    engine,
    opened,
    database: async () => {
      const db = await openSqlite(join(opened.dir, ".keyhole/keyhole.db"));
      onCleanup(() => db.close());
      return db;
    },
    kept: () => (existsSync(keptDir) ? readdirSync(keptDir).sort() : []),
    runs: async () => readRuns(opened.dir, 10, await homeOf(opened.dir)),
  };
}

/** The copies that are kept, as of two days ago. */
async function makeOld(dir: string): Promise<void> {
  const kept = join(dir, ".keyhole/kept");
  const then = new Date(Date.now() - 2 * DAY_MS);
  for (const name of readdirSync(kept)) await utimes(join(kept, name), then, then);
}

describe("what is kept for runs that may go on", () => {
  it("goes with a run that nobody took up, and its copy of the workspace as well", async () => {
    const { engine, opened, database, kept, runs } = await open({ keepDays: 1 });
    const first = await engine.run({ code: LETTER });
    expect([first.status, kept()]).toEqual(["waiting", [first.runId, `${first.runId}.json`]]);
    await engine.close();
    const db = await database();
    db.run("UPDATE runs SET started_at = started_at - ?, ended_at = ended_at - ?", [2 * DAY_MS, 2 * DAY_MS]);
    db.run("UPDATE approvals SET expires_at = expires_at - ?", [2 * DAY_MS]);
    await makeOld(opened.dir);
    const next = inSession(createEngine(await reopen(opened.dir), { poolSize: 0 }));
    onCleanup(() => next.close());
    const other = await next.run({ code: "return 1" });
    await expect.poll(() => whereIs(db)).toEqual({ [other.runId]: ["runs"] });
    await expect.poll(kept).toEqual([]);
    expect((await runs()).map(({ runId }) => runId)).toEqual([other.runId]);
    expect(await next.approvals.list()).toEqual([]);
  });

  it("is bounded: a copy of the workspace for which there is no room is not kept, and the answer says so", async () => {
    const { engine, kept, runs } = await open({ maxKeptSize: 40_000 });
    // The workspace of the first is empty when it is copied, that of the others is not.
    const first = await engine.run({ code: LETTER });
    const [question] = await engine.approvals.list({ status: "pending" });
    await engine.approvals.answer(question?.id ?? "", { decision: "deny" }, "a test");
    const second = await engine.run({ code: `${LETTER} // second` });
    expect(second.text).toContain("the run can't be left to wait: Cannot keep a copy of the workspace");
    expect(kept()).toEqual([first.runId, `${first.runId}.json`]);
    expect((await runs()).map(({ status }) => status).sort()).toEqual(["failed", "waiting"]);
  });

  it("lets nobody begin what could not be kept while others can still be answered, and says so", async () => {
    const { engine, runs, kept } = await open({ maxKeptSize: 2_000 });
    const code = `return await post.sendMail({ to: "ada" });`;
    const first = await engine.run({ code });
    const more = `${code} // `;
    const waiting = [first];
    for (let n = 0; n < 10 && waiting.length === n + 1; n++)
      await engine.run({ code: more + n }).then(
        (run) => waiting.push(run),
        (error) =>
          expect(error).toMatchObject({
            code: "too_large",
            hint: expect.stringContaining("keyhole approvals list"),
          }),
      );
    expect(waiting.length).toBeGreaterThan(1);
    expect(waiting.length).toBeLessThan(10);
    expect(await engine.run({ code: "return (await post.listPeople({})).people.length" })).toMatchObject({
      result: 3,
    });
    for (const { id } of await engine.approvals.list({ status: "pending" }))
      await engine.approvals.answer(id, { decision: "deny" }, "a test");
    expect(await engine.run({ code: `${more} again` })).toMatchObject({ status: "waiting" });
    const told = (await runs()).find(({ runId }) => runId === first.runId);
    expect(told).toMatchObject({ status: "failed", kind: "expired" });
    await expect(engine.run({ code, resume: first.runId })).rejects.toThrow("has ended (failed: expired)");
    expect(kept()).toEqual([]);
  });

  it("is whole or gone when a process is killed that deletes it", { timeout: 120_000 }, async () => {
    const [dir, home, folder] = [await tempDir(), await tempDir(), await tempDir()];
    await writeFile(join(folder, "file"), "x".repeat(10_000));
    const state = await openStateDir(dir, home);
    const db = await openDatabase(state, () => {});
    onCleanup(() => db.close());
    const kept = createKeptFolders(state, SANDBOX_LIMITS);
    const at = Date.now() - DAY_MS;
    for (let n = 0; n < 150; n++) {
      const status = n % 2 === 0 ? "waiting" : "lost";
      const id = `r_${String(n).padStart(16, "0")}`;
      addLeftRun(db, { id, status, at, question: "expired", calls: 1 + (n % 60) });
      await kept.keep(id, folder);
    }
    await makeOld(dir);
    const atFirst = whereIs(db);
    let isDone = false;
    let kills = 0;
    for (let reachMs = 10; !isDone; reachMs *= 1.5) {
      const child = spawn(process.execPath, [TIDIER, dir, home], { stdio: ["ignore", "pipe", "inherit"] });
      onCleanup(async () => void child.kill("SIGKILL"));
      const ended = once(child, "close");
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        // The first ones come to no end, however fast the machine is.
        const waitMs = kills < 4 ? kills : Math.random() * reachMs;
        if (output === "begun\n") void delay(waitMs).then(() => child.kill("SIGKILL"));
      });
      await ended;
      isDone = output.includes("done");
      if (!isDone) kills++;
      expect(db.all("PRAGMA integrity_check")).toEqual([["ok"]]);
      const folders = new Set((await kept.list()).map(({ run }) => run));
      for (const [id, tables] of Object.entries(whereIs(db))) {
        const isKept = tables.some((table) => table.startsWith("replay"));
        expect(tables).toEqual(isKept ? atFirst[id] : atFirst[id]?.slice(0, 3));
        // Its copy goes after it, never before.
        if (isKept)
          expect([folders.has(id), await kept.compare(id, folder)]).toMatchObject([true, { changes: [] }]);
      }
    }
    expect(kills).toBeGreaterThan(3);
    expect([whereIs(db), await kept.list()]).toEqual([{}, []]);
  });
});
