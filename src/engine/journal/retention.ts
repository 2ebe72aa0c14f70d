import { readNumber, UNDER_WAY } from "../../store/database/migrations.ts";
import type { Database } from "../../store/database/sqlite.ts";

/** How much of the past is kept. What is younger than an hour always is. */
export type Retention = { readonly keepMs: number; readonly maxBytes: number };

const ALWAYS_KEPT_MS = 60 * 60 * 1000;
/** A step holds the lock for some milliseconds. */
const RUNS_A_STEP = 20;
const CALLS_A_STEP = 1_000;

/**
 * Deletes runs that are older than `keepMs`, and the oldest ones while the database has more in it than `maxBytes`: in small
 * steps, on another thread. The file does not shrink; what is freed in it is used again.
 */
export async function tidy(db: Database, rule: Retention, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const last = findLastToDelete(db, rule, Date.now());
    if (last === undefined) break;
    const runs = `SELECT id FROM runs WHERE number <= ${last} ORDER BY number LIMIT ${RUNS_A_STEP}`;
    await db.inBackground(
      `DELETE FROM calls WHERE (run, number) IN (SELECT run, number FROM calls WHERE run IN (${runs}) LIMIT ${CALLS_A_STEP})`,
    );
    await db.inBackground(
      `DELETE FROM runs WHERE id IN (${runs}) AND NOT EXISTS (SELECT 1 FROM calls WHERE run = runs.id)`,
    );
  }
  const before = Math.round(Date.now() - rule.keepMs);
  if (db.all("SELECT 1 FROM processes WHERE seen_at < ? LIMIT 1", [before]).length === 0) return;
  await db.inBackground(
    `DELETE FROM processes WHERE seen_at < ${before} AND NOT EXISTS (SELECT 1 FROM runs WHERE process = processes.id AND ${UNDER_WAY})`,
  );
}

/** The number of the youngest of the oldest runs that may go now. */
function findLastToDelete(db: Database, { keepMs, maxBytes }: Retention, now: number): number | undefined {
  const isFull = usedBytes(db) > maxBytes;
  const oldest = db.all("SELECT number, started_at FROM runs ORDER BY number LIMIT ?", [RUNS_A_STEP]);
  let last: number | undefined;
  for (const [number, startedAt] of oldest) {
    const ageMs = now - Number(startedAt);
    if (ageMs < ALWAYS_KEPT_MS || (ageMs < keepMs && !isFull)) break;
    last = Number(number);
  }
  return last;
}

function usedBytes(db: Database): number {
  return (readNumber(db, "page_count") - readNumber(db, "freelist_count")) * readNumber(db, "page_size");
}
