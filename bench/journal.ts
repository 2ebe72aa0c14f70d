import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { type Journal, openJournal } from "../src/engine/journal/journal.ts";
import { createSession } from "../src/session.ts";
import { openSqlite } from "../src/store/database/sqlite.ts";
import { openStateDir } from "../src/store/state-dir.ts";
import type { BenchSuite, BenchTable } from "./suite.ts";

const RUNS = 2_000;
const CALLS = 20;
const ROWS = 20_000;
const TARGET_RUN_MS = 0.3;
const TARGET_CALL_US = 30;
const TARGET_START_MS = 1_000;
const KILLED_AFTER_RUNS = 3_000;

export const journalSuite: BenchSuite = {
  name: "journal",
  about: "what writing down runs and calls costs, beside bare inserts; opening it after a kill",
  async run({ progress }) {
    const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
    try {
      progress("one run after the other");
      const plain = await measureRuns(join(dir, "plain"), 0);
      const calling = await measureRuns(join(dir, "calling"), CALLS);
      const callUs = ((calling.p50 - plain.p50) / CALLS) * 1_000;
      progress("as many as it takes");
      const crowd = await measureCrowd(join(dir, "crowd"));
      const bare = await measureBare(dir);
      progress("opening it after a kill");
      const start = await measureStart(join(dir, "killed"));
      const tables: BenchTable[] = [
        {
          title: "What the host's own thread spends, all in one process",
          columns: ["", "p50", "p95", "target p50"],
          rows: [
            ["a run, from its start to the disk (ms)", round(plain.p50), round(plain.p95), TARGET_RUN_MS],
            [`a call, one of ${CALLS} in a run (µs)`, round(callUs), "", TARGET_CALL_US],
          ],
        },
        {
          title: "Rows a second",
          columns: ["", "rows/s"],
          rows: [
            ["bare inserts, one a transaction", Math.round(bare.single)],
            ["bare inserts, 500 a transaction", Math.round(bare.grouped)],
            ["the journal: 100 runs at once, 10 calls each", Math.round(crowd)],
          ],
        },
        {
          title: "Opening it after SIGKILL (ms)",
          columns: ["runs in it", "log (MB)", "ms", "target"],
          rows: [[start.runs, round(start.logBytes / 1e6), round(start.ms), TARGET_START_MS]],
        },
        { title: "SHA-256 over a text (ms)", columns: ["KB", "ms"], rows: [1, 256, 4_096].map(measureHash) },
      ];
      const misses = [
        ...(plain.p50 > TARGET_RUN_MS ? [`a run: ${round(plain.p50)} ms, target ${TARGET_RUN_MS} ms`] : []),
        ...(callUs > TARGET_CALL_US ? [`a call: ${round(callUs)} µs, target ${TARGET_CALL_US} µs`] : []),
        ...(start.ms > TARGET_START_MS
          ? [`opening: ${round(start.ms)} ms, target ${TARGET_START_MS} ms`]
          : []),
      ];
      return { tables, notes: [], misses };
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
};

const session = createSession({ client: { name: "bench" } });
const receipt = {
  seenTokens: 300,
  keptTokens: 9_000,
  directTokens: 20_000,
  catalogTokens: 10_000,
  marginTokens: 12,
  calls: 1,
  mediaBlocks: 0,
  phasesMs: { prepare: 1.5, check: 4.2, sandbox: 12.25, result: 0.5 },
};
const CODE = "const rows = await shop.listOrders({ limit: 100 });\n".repeat(10);
const ARGUMENTS = JSON.stringify({ limit: 100, filter: { state: "open", owner: "ann" } });
const RESULT = JSON.stringify({
  items: Array.from({ length: 20 }, (_, id) => ({ id, name: `order ${id}` })),
});
const BYTES_A_KB = 1_024;

async function openIn(dir: string): Promise<Journal> {
  return openJournal(await openStateDir(dir, join(dir, "..", "key")));
}

async function writeRun(journal: Journal, id: string, calls: number): Promise<void> {
  journal.runTaken({ id, session, code: CODE, language: "typescript", takenAt: Date.now() });
  journal.runStatus(id, "running");
  for (let n = 0; n < calls; n++) {
    const call = `c_${id}_${n}`;
    const about = { server: "shop", tool: "list_orders", argumentsText: ARGUMENTS };
    journal.callStarted({ id: call, runId: id, ...about, startedAt: Date.now() });
    journal.callEnded({ id: call, ok: true, resultText: RESULT, resultBytes: RESULT.length, ms: 1.5 });
  }
  await journal.runEnded({ id, status: "done", receipt, endedAt: Date.now() });
}

async function measureRuns(dir: string, calls: number): Promise<{ p50: number; p95: number }> {
  await makeProject(dir);
  const journal = await openIn(dir);
  const times: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    const start = performance.now();
    await writeRun(journal, `r_${n}`, calls);
    times.push(performance.now() - start);
  }
  await journal.close();
  const sorted = times.slice(100).sort((a, b) => a - b);
  return {
    p50: sorted[Math.floor(sorted.length / 2)] ?? 0,
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
  };
}

async function measureCrowd(dir: string): Promise<number> {
  await makeProject(dir);
  const journal = await openIn(dir);
  await writeRun(journal, "first", 0);
  const start = performance.now();
  let rows = 0;
  for (let round = 0; rows < ROWS; round++) {
    await Promise.all(Array.from({ length: 100 }, (_, lane) => writeRun(journal, `r_${round}_${lane}`, 10)));
    rows += 1_100;
  }
  const seconds = (performance.now() - start) / 1_000;
  await journal.close();
  return rows / seconds;
}

/** What the library does by itself, with rows like those of calls. */
async function measureBare(dir: string): Promise<{ single: number; grouped: number }> {
  const db = await openSqlite(join(dir, "bare.db"));
  db.all("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = NORMAL");
  db.exec(
    "CREATE TABLE t (run TEXT, number INTEGER, a TEXT, b TEXT, c TEXT, d REAL, PRIMARY KEY (run, number)) STRICT, WITHOUT ROWID",
  );
  const insert = (n: number) =>
    db.run("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", [
      `r_${n}`,
      n,
      "shop",
      "list_orders",
      "x".repeat(64),
      1.5,
    ]);
  let next = 0;
  const rate = (rows: number, group: number) => {
    const start = performance.now();
    for (let done = 0; done < rows; done += group)
      db.transaction(() => {
        for (let n = 0; n < group; n++) insert(next++);
      });
    return rows / ((performance.now() - start) / 1_000);
  };
  const [single, grouped] = [rate(ROWS / 4, 1), rate(ROWS, 500)];
  await db.close();
  return { single, grouped };
}

async function measureStart(dir: string): Promise<{ runs: number; logBytes: number; ms: number }> {
  await makeProject(dir);
  const child = spawn(process.execPath, [resolve("test/fixtures/journal-writer.js"), dir, dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let lines = 0;
  for await (const text of child.stdout.setEncoding("utf8")) {
    lines += String(text).split("\n").length - 1;
    if (lines >= KILLED_AFTER_RUNS) break;
  }
  const ended = child.exitCode === null ? once(child, "exit") : undefined;
  child.kill("SIGKILL");
  await ended;
  const { size } = await stat(join(dir, ".keyhole/keyhole.db-wal"));
  const start = performance.now();
  const journal = openJournal(await openStateDir(dir, join(dir, "keyhole")));
  await journal.listRuns({ limit: 1 });
  const ms = performance.now() - start;
  const { runs } = await journal.stats();
  await journal.close();
  return { runs, logBytes: size, ms };
}

function measureHash(kilobytes: number): [number, number] {
  const text = "x".repeat(kilobytes * BYTES_A_KB);
  const start = performance.now();
  for (let n = 0; n < 10; n++) hash("sha256", text, "buffer");
  return [kilobytes, round((performance.now() - start) / 10)];
}

async function makeProject(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
