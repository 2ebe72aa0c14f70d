import { UNDER_WAY } from "../../store/database/migrations.ts";
import type { Database } from "../../store/database/sqlite.ts";

/**
 * Runs that somebody may go on with, and what is kept for that. None is taken away while a question of it can still be answered,
 * or was approved and its time is not over: those who ask and answer count on it.
 */

const LEFT = "(status = 'lost' OR (status = 'waiting' AND ended_at IS NOT NULL))";
const WANTED =
  "EXISTS (SELECT 1 FROM approvals WHERE approvals.run = runs.id AND approvals.status IN ('pending', 'approved') AND expires_at > ?1)";
const FIND = `SELECT runs.id FROM runs WHERE number IN (
    SELECT number FROM runs WHERE ${UNDER_WAY} AND ended_at IS NOT NULL
    UNION SELECT number FROM replay_runs JOIN runs ON runs.id = replay_runs.run WHERE status = 'lost'
  ) AND coalesce(ended_at, started_at) <= ?2 AND NOT ${WANTED}
  ORDER BY coalesce(ended_at, started_at) LIMIT ?3`;
const END = `UPDATE runs SET status = 'failed', kind = ?4, ended_at = ?1, receipt = coalesce(receipt, ?3) WHERE id = ?2 AND ${LEFT}`;
const EXPIRE = `${END} AND NOT ${WANTED}`;
const WRITES =
  "SELECT server, tool, number, effect FROM replay_calls WHERE run = ? AND is_write = 1 ORDER BY number";

/** Those that nobody went on with since then, and nobody will be asked about; the longest left first. */
export function findLeft(db: Database, now: number, before: number, limit = 20): string[] {
  return db.all(FIND, [now, before, limit]).map(([id]) => String(id));
}

/** Ends one of them: what it wrote stays told, the rest is forgotten. False where somebody was faster. In a transaction. */
export function expireRun(db: Database, id: string, now: number): boolean {
  return endLeft(db, id, now, "expired");
}

/** The same, by the word of the user: whatever is asked for it. */
export function cancelLeftRun(db: Database, id: string, now: number): boolean {
  return endLeft(db, id, now, "cancelled");
}

function endLeft(db: Database, id: string, now: number, kind: "expired" | "cancelled"): boolean {
  const ledger = db
    .all(WRITES, [id])
    .map(([server, tool, number, effect]) => ({ server, tool, number, effect }));
  const receipt = ledger.length === 0 ? null : JSON.stringify({ ledger });
  if (db.run(kind === "expired" ? EXPIRE : END, [now, id, receipt, kind]) === 0) return false;
  forgetReplay(db, id);
  return true;
}

export function forgetReplay(db: Database, run: string): void {
  for (const table of REPLAY_TABLES) db.run(`DELETE FROM ${table} WHERE run = ?`, [run]);
}

export const REPLAY_TABLES = [
  "replay_runs",
  "replay_tiers",
  "replay_skills",
  "replay_calls",
  "replay_happenings",
] as const;

/** What is kept for all of them, the copies of their workspaces included. */
export function readKeptBytes(db: Database): number {
  return Number(db.all("SELECT total(bytes + folder_bytes) FROM replay_runs")[0]?.[0]);
}
