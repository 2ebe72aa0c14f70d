import { readNumber, UNDER_WAY } from "../../store/database/migrations.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";
import { markLost } from "./recorded-runs.ts";

/** How much of the past is kept. What is younger than an hour stays while there is less than twice `maxBytes`. */
export type Retention = { readonly keepMs: number; readonly maxBytes: number };

const YOUNG_MS = 60 * 60 * 1000;
const CEILING = 2;
/** A step holds the lock for some milliseconds. */
const RUNS_A_STEP = 20;
const CALLS_A_STEP = 1_000;

/**
 * Deletes runs that are older than `keepMs`, and the oldest ones while the database has more in it than `maxBytes`: in small
 * steps, on another thread. At twice that the young ones lose their code, and then go, too. What is under way stays. The file
 * does not shrink; what is freed in it is used again.
 */
export async function tidy(db: Database, rule: Retention, signal: AbortSignal): Promise<void> {
  await whenFree(() => db.transaction(() => markLost(db)));
  while (!signal.aborted) {
    const step = findStep(db, rule, Date.now());
    if (step.length === 0) break;
    for (const statement of step) await db.inBackground(statement);
  }
  const before = Math.round(Date.now() - rule.keepMs);
  if (db.all("SELECT 1 FROM processes WHERE seen_at < ? LIMIT 1", [before]).length === 0) return;
  await db.inBackground(
    `DELETE FROM processes WHERE seen_at < ${before} AND NOT EXISTS (SELECT 1 FROM runs WHERE process = processes.id AND ${UNDER_WAY})`,
  );
}

/** Statements; none when all is as it should be. */
function findStep(db: Database, { keepMs, maxBytes }: Retention, now: number): string[] {
  const used = usedBytes(db);
  const keptMs = used > maxBytes ? YOUNG_MS : Math.max(YOUNG_MS, keepMs);
  // A clock that was ahead for a while wrote times to come: those runs wait, and keep none behind them.
  const old = findOldest(db, `AND started_at <= ${now}`, now - keptMs);
  if (old.length > 0) return toDeletion(old);
  if (used <= CEILING * maxBytes) return [];
  const withCode = findOldest(db, "AND code <> ''");
  if (withCode.length > 0) return [`UPDATE runs SET code = '' WHERE number IN (${withCode})`];
  const young = findOldest(db);
  return young.length > 0 ? toDeletion(young) : [];
}

/** The numbers of the oldest runs that have ended and began before this. */
function findOldest(db: Database, condition = "", before = Number.POSITIVE_INFINITY): number[] {
  const rows = db.all(
    `SELECT number, started_at FROM runs WHERE NOT (${UNDER_WAY}) ${condition} ORDER BY number LIMIT ?`,
    [RUNS_A_STEP],
  );
  const firstKept = rows.findIndex(([, startedAt]) => Number(startedAt) > before);
  return rows.slice(0, firstKept === -1 ? rows.length : firstKept).map(([number]) => Number(number));
}

function toDeletion(numbers: readonly number[]): string[] {
  const runs = `SELECT id FROM runs WHERE number IN (${numbers})`;
  return [
    `DELETE FROM calls WHERE (run, number) IN (SELECT run, number FROM calls WHERE run IN (${runs}) LIMIT ${CALLS_A_STEP})`,
    `DELETE FROM runs WHERE number IN (${numbers}) AND NOT EXISTS (SELECT 1 FROM calls WHERE run = runs.id)`,
  ];
}

function usedBytes(db: Database): number {
  return (readNumber(db, "page_count") - readNumber(db, "freelist_count")) * readNumber(db, "page_size");
}
