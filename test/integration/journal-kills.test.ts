import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openJournal } from "../../src/engine/journal/journal.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { onCleanup, tempDir } from "../fixtures/project.ts";

const WRITER = fileURLToPath(new URL("../fixtures/journal-writer.js", import.meta.url));
const KILLS = 200;
const PROCESSES = 4;
const START_MS = 400;
const WORK_MS = 300;

type Writer = {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  readonly lines: string[];
  readonly ended: Promise<unknown>;
};

function startWriter(dir: string): Writer {
  const child = spawn(process.execPath, [WRITER, dir, dir], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = `${lines.pop() ?? ""}${text}`.split("\n");
    lines.push(...parts);
  });
  onCleanup(async () => void child.kill("SIGKILL"));
  return { child, lines, ended: once(child, "close") };
}

describe("processes that are killed while they write the journal", () => {
  it("leave a whole database in which every answered run is, once, with all its calls", {
    timeout: 180_000,
  }, async () => {
    const dir = await tempDir();
    const lines: string[] = [];
    let kills = 0;
    const keepKilling = async () => {
      while (kills++ < KILLS) {
        const writer = startWriter(dir);
        // Every fourth at any moment of its start, the others at any moment of their work.
        if (kills % 4 === 0) await delay(Math.random() * START_MS);
        else await once(writer.child.stdout, "data").then(() => delay(Math.random() * WORK_MS));
        writer.child.kill("SIGKILL");
        await writer.ended;
        // The last line may be cut.
        lines.push(...writer.lines.slice(0, -1));
      }
    };
    await Promise.all(Array.from({ length: PROCESSES }, keepKilling));

    const told = lines.map((line) => JSON.parse(line));
    expect(told.filter((message) => !("run" in message))).toEqual([]);
    expect(told.length).toBeGreaterThan(KILLS);
    expect((await readdir(join(dir, ".keyhole"))).filter((name) => name.includes("aside"))).toEqual([]);

    const journal = openJournal(await openStateDir(dir, join(dir, "keyhole")));
    onCleanup(() => journal.close());
    expect(
      (await journal.listRuns({ limit: 1_000 })).filter(({ status }) =>
        ["queued", "running", "waiting"].includes(status),
      ),
    ).toEqual([]);
    const stats = await journal.stats();
    const db = await openSqlite(join(dir, ".keyhole/keyhole.db"));
    onCleanup(() => db.close());
    expect(db.all("PRAGMA integrity_check")).toEqual([["ok"]]);
    const written = db.all(
      "SELECT runs.id, status, count(calls.run), count(calls.ok) FROM runs LEFT JOIN calls ON calls.run = runs.id GROUP BY runs.id",
    );
    const byId = new Map(written.map(([id, ...rest]) => [id, rest]));
    expect(byId.size).toBe(written.length);
    // A client that was answered before the end finds its run, too.
    const early = told.filter((message) => "told" in message);
    expect(new Set(early.map((message) => message.told))).toEqual(new Set(["queued", "waiting"]));
    expect(early.filter(({ run }) => !byId.has(run))).toEqual([]);
    const missing = told.filter(({ run, calls, told: answered }) => {
      if (answered !== undefined) return false;
      const [status, all, ended] = byId.get(run) ?? [];
      return status !== "done" || all !== calls || ended !== calls;
    });
    expect(missing).toEqual([]);
    // What is counted as it is written is what is there.
    const counted = db.all("SELECT sum(ok), sum(failed) FROM tool_calls");
    expect(counted).toEqual(db.all("SELECT sum(ok), sum(1 - ok) FROM calls WHERE ok IS NOT NULL"));
    expect(db.all("SELECT id FROM calls GROUP BY id HAVING count(*) > 1")).toEqual([]);
    expect(stats.runs).toBe(written.length);
  });
});
