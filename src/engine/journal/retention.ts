import { readNumber, UNDER_WAY } from "../../store/database/migrations.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";
import { expireRun, findLeft, forgetReplay, REPLAY_TABLES, readKeptBytes } from "./left-runs.ts";
import { markLost } from "./recorded-runs.ts";

/** How much of the past is kept. What is younger than an hour stays while there is less than twice `maxBytes`. */
export type Retention = {
  readonly keepMs: number;
  readonly maxBytes: number;
  /** Of what is kept for runs that may go on. */
  readonly maxKeptBytes?: number;
};

const YOUNG_MS = 60 * 60 * 1000;
const CEILING = 2;
/** A step holds the lock for some milliseconds. */
const RUNS_A_STEP = 20;
const CALLS_A_STEP = 1_000;
/** Of a run beside its code and receipt, its calls not counted. */
const RUN_BYTES = 400;
const CAN_GO_ON = "status = 'lost' AND EXISTS (SELECT 1 FROM replay_runs WHERE run = runs.id)";

/**
 * Deletes runs that are older than `keepMs`, and the oldest ones while the database has more in it than `maxBytes`: in small
 * steps, on another thread, each run with all that belongs to it or not at all. At twice that the young ones lose their code, and
 * then go, too. What is under way stays. The file does not shrink; what is freed in it is used again.
 */
export async function tidy(db: Database, rule: Retention, signal: AbortSignal): Promise<void> {
  await whenFree(() => db.transaction(() => markLost(db)));
  await expireLeft(db, rule, signal);
  if (rule.maxKeptBytes !== undefined) await makeRoom(db, rule.maxKeptBytes);
  while (!signal.aborted) {
    const step = findStep(db, rule, Date.now());
    if (step === undefined) break;
    await db.inBackground(step);
  }
  const before = Math.round(Date.now() - rule.keepMs);
  if (!signal.aborted) await sweep(db, before);
  if (db.all("SELECT 1 FROM processes WHERE seen_at < ? LIMIT 1", [before]).length === 0) return;
  await db.inBackground(
    `DELETE FROM processes WHERE seen_at < ${before} AND NOT EXISTS (SELECT 1 FROM runs WHERE process = processes.id AND ${UNDER_WAY})`,
  );
}

/** Runs that wait, or were interrupted, and that nobody went on with for as long as runs are kept: they have ended. */
async function expireLeft(db: Database, rule: Retention, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = Date.now();
    const left = findLeft(db, now, now - toKeptMs(usedBytes(db), rule));
    if ((await expireAll(db, left)).length === 0) return;
  }
}

async function expireAll(db: Database, ids: readonly string[]): Promise<string[]> {
  const expired: string[] = [];
  for (const id of ids)
    if (await whenFree(() => db.transaction(() => expireRun(db, id, Date.now())))) expired.push(id);
  return expired;
}

/** Ends the runs that were left longest until what is kept for all of them fits. */
export async function makeRoom(
  db: Database,
  maxBytes: number,
): Promise<{ readonly leftBytes: number; readonly expired: readonly string[] }> {
  const expired: string[] = [];
  for (;;) {
    const leftBytes = maxBytes - (await whenFree(() => readKeptBytes(db)));
    if (leftBytes > 0) return { leftBytes, expired };
    const now = Date.now();
    const gone = await expireAll(db, await whenFree(() => findLeft(db, now, now, 1)));
    if (gone.length === 0) return { leftBytes, expired };
    expired.push(...gone);
  }
}

function toKeptMs(used: number, { keepMs, maxBytes }: Retention): number {
  if (used > CEILING * maxBytes) return 0;
  return used > maxBytes ? YOUNG_MS : Math.max(YOUNG_MS, keepMs);
}

/** One transaction; nothing when all is as it should be. */
function findStep(db: Database, rule: Retention, now: number): string | undefined {
  const used = usedBytes(db);
  const keptMs = Math.max(YOUNG_MS, toKeptMs(used, rule));
  // A clock that was ahead for a while wrote times to come: those runs wait, and keep none behind them.
  const old = findOldest(db, `AND started_at <= ${now}`, now - keptMs);
  if (old.length > 0) return toDeletion(old);
  if (used <= CEILING * rule.maxBytes) return undefined;
  const withCode = findOldest(db, "AND code <> ''");
  if (withCode.length > 0) return `UPDATE runs SET code = '' WHERE number IN (${withCode})`;
  const young = findOldest(db);
  return young.length > 0 ? toDeletion(young) : undefined;
}

/** The numbers of the oldest runs that have ended and began before this, with not too many calls together. */
function findOldest(db: Database, condition = "", before = Number.POSITIVE_INFINITY): number[] {
  const rows = db.all(
    `SELECT number, started_at, (SELECT count(*) FROM calls WHERE run = runs.id) FROM runs WHERE NOT (${UNDER_WAY}) AND NOT (${CAN_GO_ON}) ${condition} ORDER BY number LIMIT ?`,
    [RUNS_A_STEP],
  );
  const found: number[] = [];
  let calls = 0;
  for (const [number, startedAt, its] of rows) {
    calls += Number(its);
    if (Number(startedAt) > before || (found.length > 0 && calls > CALLS_A_STEP)) break;
    found.push(Number(number));
  }
  return found;
}

function toDeletion(numbers: readonly number[]): string {
  const runs = `SELECT id FROM runs WHERE number IN (${numbers})`;
  const tables = ["calls", "cached_calls", "approvals", ...REPLAY_TABLES];
  const parts = tables.map((table) => `DELETE FROM ${table} WHERE run IN (${runs})`);
  return inOne([...parts, `DELETE FROM runs WHERE number IN (${numbers})`]);
}

/**
 * What belongs to no run: its process was killed between its end and that, or no journal is kept. What is of now may belong to
 * one that is about to begin.
 */
async function sweep(db: Database, before: number): Promise<void> {
  const over = `SELECT run FROM replay_runs LEFT JOIN runs ON runs.id = run WHERE status IN ('done', 'failed') OR (runs.id IS NULL AND time < ${before})`;
  const asked = `SELECT id FROM approvals WHERE expires_at < ${before} AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = approvals.run)`;
  const [, ...ofRuns] = REPLAY_TABLES;
  const isThere = (query: string) => db.all(`SELECT 1 WHERE EXISTS (${query})`).length > 0;
  for (const [id] of db.all(over)) await whenFree(() => db.transaction(() => forgetReplay(db, String(id))));
  for (const table of ofRuns) {
    const orphans = `SELECT run FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM replay_runs WHERE replay_runs.run = ${table}.run)`;
    if (isThere(orphans)) await db.inBackground(`DELETE FROM ${table} WHERE run IN (${orphans})`);
  }
  if (isThere(asked)) await db.inBackground(`DELETE FROM approvals WHERE id IN (${asked})`);
}

/** Runs that have ended and began before this; about how much they take. */
export function measureOldRuns(
  db: Database,
  before: number,
): { readonly runs: number; readonly bytes: number; readonly oldestAt: number } {
  const [[runs, bytes, oldest] = []] = db.all(
    `SELECT count(*), total(length(code) + coalesce(length(receipt), 0) + ${RUN_BYTES}), min(started_at) FROM runs WHERE started_at <= ? AND NOT (${UNDER_WAY}) AND NOT (${CAN_GO_ON})`,
    [before],
  );
  return { runs: Number(runs), bytes: Number(bytes), oldestAt: Number(oldest) };
}

function inOne(statements: readonly string[]): string {
  return ["BEGIN IMMEDIATE", ...statements, "COMMIT"].join(";\n");
}

function usedBytes(db: Database): number {
  return (readNumber(db, "page_count") - readNumber(db, "freelist_count")) * readNumber(db, "page_size");
}
