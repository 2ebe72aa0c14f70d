import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { checkJournal } from "../../src/engine/check-journal.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import { type Journal, type JournalOptions, openJournal } from "../../src/engine/journal/journal.ts";
import { EMPTY_RECEIPT } from "../../src/result/receipt.ts";
import { createSession } from "../../src/session.ts";
import { openToRead } from "../../src/store/database/read-database.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { inSession } from "../fixtures/in-session.ts";
import { fixture, onCleanup, project, reopen, tempDir } from "../fixtures/project.ts";

const at = (name: string) => fileURLToPath(new URL(`../fixtures/${name}.js`, import.meta.url));
const isRoot = process.getuid?.() === 0;

async function open(dir: string, options: JournalOptions = {}): Promise<Journal> {
  const journal = openJournal(await openStateDir(dir, join(dir, "home")), options);
  onCleanup(() => journal.close());
  return journal;
}

const receipt = { ...EMPTY_RECEIPT, seenTokens: 1, directTokens: 1 };

async function write(journal: Journal, id: string): Promise<void> {
  const session = createSession({ client: { name: "test" } });
  journal.runTaken({ id, session, code: "return 1", language: "typescript", takenAt: Date.now() });
  await journal.runEnded({ id, status: "done", receipt, endedAt: Date.now() });
}

async function hold(dir: string, lock: "write" | "all"): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [at("lock-database"), join(dir, ".keyhole/keyhole.db"), lock], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  onCleanup(async () => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return async () => {
    child.stdin.end();
    await ended;
  };
}

const ids = async (journal: Journal) => (await journal.listRuns()).map(({ id }) => id).sort();

describe("a journal that another program has locked", () => {
  it("goes on with a notice, and has all of it written down when the lock is gone", async () => {
    const dir = await tempDir();
    const notices: string[] = [];
    const journal = await open(dir, { onNotice: (text) => notices.push(text) });
    await write(journal, "before");
    const release = await hold(dir, "write");
    await write(journal, "first");
    await write(journal, "second");
    expect(notices).toEqual([
      `Runs are not written down for now: The store "${join(dir, ".keyhole/keyhole.db")}" is locked by another program. Close what has it open for writing`,
    ]);
    await release();
    await journal.close();
    expect(notices[1]).toBe("Runs are written down again");
    expect(await ids(await open(dir))).toEqual(["before", "first", "second"]);
  });

  it("gives no answer where it is told to stop, and runs again when the lock is gone", async () => {
    const dir = await tempDir();
    const journal = await open(dir, { onFailure: "stop" });
    await write(journal, "before");
    const release = await hold(dir, "write");
    await expect(write(journal, "first")).rejects.toMatchObject({ code: "store_unusable", fault: "locked" });
    await expect(journal.ready()).rejects.toMatchObject({ code: "store_unusable" });
    await release();
    await journal.ready();
    await write(journal, "second");
    expect(await ids(journal)).toEqual(["before", "first", "second"]);
  });

  it("can't be opened while the lock is for all, and loses nothing by it", async () => {
    const dir = await tempDir();
    // In another process: here, what is closed is let go of only when memory is collected.
    spawnSync(process.execPath, [at("journal-writer"), dir, dir, "1", "stop"]);
    const release = await hold(dir, "all");
    const journal = openJournal(await openStateDir(dir, join(dir, "keyhole")), { onFailure: "stop" });
    onCleanup(() => journal.close());
    await expect(journal.ready()).rejects.toMatchObject({ code: "store_unusable", fault: "locked" });
    await release();
    await write(journal, "after");
    expect(await ids(journal)).toEqual([expect.stringMatching(/^after$/), expect.stringMatching(/^r_/)]);
    expect((await readdir(join(dir, ".keyhole"))).filter((name) => name.includes("aside"))).toEqual([]);
  });
});

describe("an engine whose journal can't be written", () => {
  const spoil = async (onFailure?: "stop") => {
    const config = { auditLogging: false, ...(onFailure && { journal: { onFailure } }) };
    const opened = await project({ good: fixture("good") }, config);
    await opened.close();
    await writeFile(join(opened.dir, ".keyhole"), "in the way").catch(() => {});
    const notices: string[] = [];
    const engine = inSession(
      createEngine(await reopen(opened.dir), { onNotice: (text) => notices.push(text) }),
    );
    onCleanup(() => engine.close());
    return { engine, notices };
  };

  it("answers with a notice", async () => {
    const { engine, notices } = await spoil();
    expect(await engine.run({ code: "return 1" })).toMatchObject({ status: "done", result: 1 });
    expect(notices.join("\n")).toContain("Runs are not written down for now");
  });

  it("runs nothing where it is told to stop", async () => {
    const { engine } = await spoil("stop");
    await expect(engine.run({ code: "return 1" })).rejects.toMatchObject({ code: "store_unusable" });
  });
});

describe("a run whose process died", () => {
  it("is told as lost, by others and by the next process", async () => {
    const dir = await tempDir();
    const child = spawn(process.execPath, [at("journal-writer"), dir, dir, "1", "hang"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onCleanup(async () => void child.kill("SIGKILL"));
    const ended = once(child, "close");
    await once(child.stdout, "data");
    const journal = openJournal(await openStateDir(dir, join(dir, "keyhole")));
    onCleanup(() => journal.close());
    expect(await journal.listRuns()).toMatchObject([{ status: "running", calls: 1 }]);
    child.kill("SIGKILL");
    await ended;
    expect(await journal.listRuns()).toMatchObject([{ status: "lost" }]);
    await journal.close();
    const next = openJournal(await openStateDir(dir, join(dir, "keyhole")));
    onCleanup(() => next.close());
    expect(await next.stats()).toMatchObject({ runs: 1, failed: 1, calls: 0 });
  });
});

/** CI demands them; elsewhere, who may not mount has them shown as skipped. */
const isDemanded = process.env["KEYHOLE_TEST_DEMAND"] !== undefined;

describe.runIf(isDemanded || (isRoot && canMount()))("a disk", () => {
  const mount = async (size: string): Promise<string> => {
    const dir = await tempDir();
    const inner = join(dir, "disk");
    await mkdir(inner);
    run("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", inner);
    onCleanup(async () => run("umount", "-l", inner));
    return inner;
  };
  const writer = (dir: string, home: string, runs: number, onFailure: string) => {
    const { stdout } = spawnSync(
      process.execPath,
      [at("journal-writer"), dir, home, String(runs), onFailure],
      {
        encoding: "utf8",
      },
    );
    return stdout
      .trim()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
  };

  it.each(["continue", "stop"])(
    "that is full: a clear error, the journal stays whole, told to %s",
    async (onFailure) => {
      const [dir, home] = [await mount("700k"), await tempDir()];
      const told = writer(dir, home, 3_000, onFailure);
      const last = told.at(-1);
      if (onFailure === "stop") {
        expect(last).toMatchObject({
          code: "store_unusable",
          error: expect.stringContaining("the disk is full"),
        });
      } else {
        expect(told.find(({ notice }) => notice)?.["notice"]).toContain(
          "the disk is full. Make room on the disk",
        );
        expect(last).toEqual({ closed: true });
      }
      const failedAt = told.findIndex((message) => !("run" in message));
      run("mount", "-o", "remount,size=50m", dir);
      const db = await openSqlite(join(dir, ".keyhole/keyhole.db"));
      onCleanup(() => db.close());
      expect(db.all("PRAGMA integrity_check")).toEqual([["ok"]]);
      const written = new Set(db.all("SELECT id FROM runs WHERE status = 'done'").flat());
      const answered = told.slice(0, failedAt).filter((message) => !("told" in message));
      expect(answered.filter((message) => !written.has(message["run"]))).toEqual([]);
      expect(failedAt).toBeGreaterThan(0);
      const again = writer(dir, home, 10, "stop");
      expect(again.at(-1)).toEqual({ closed: true });
    },
  );

  it.each(["continue", "stop"])("that is read-only: a clear error, told to %s", async (onFailure) => {
    const [dir, home] = [await mount("5m"), await tempDir()];
    writer(dir, home, 10, "stop");
    run("mount", "-o", "remount,ro", dir);
    const told = writer(dir, home, 10, onFailure);
    const words = `The store "${join(dir, ".keyhole/keyhole.db")}" can't be written to`;
    if (onFailure === "stop") expect(told).toMatchObject([{ code: "store_unusable", error: words }]);
    else expect(told.find(({ notice }) => notice)?.["notice"]).toContain(words);
    // Whoever only reads can.
    const db = await openToRead(await openStateDir(dir, join(home, "keyhole")));
    onCleanup(async () => db?.close());
    expect(db?.all("SELECT count(*) FROM runs")).toEqual([[10]]);
    expect(await db?.allInBackground("SELECT count(*) FROM runs")).toEqual([[10]]);
  });

  it("that is read-only, and has none yet: doctor says so", async () => {
    const [dir, home] = [await mount("5m"), await tempDir()];
    run("mount", "-o", "remount,ro", dir);
    const { config } = await loadConfig({ projectDir: dir, homeDir: home });
    expect(await checkJournal(dir, config, home)).toMatchObject({
      status: "limited",
      fix: expect.stringContaining(dir),
    });
  });
});

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}

function canMount(): boolean {
  return spawnSync("unshare", ["--mount", "true"]).status === 0;
}
