import type { Database } from "../../store/database/sqlite.ts";
import { isRunning, startOf, toMachine } from "../../store/process-start.ts";

/** What is no longer as it was: what a tool returns, or all tools of a server where no tool is named. */
export type CacheScope = { readonly server: string; readonly tool?: string };

/** Of a process that can't be asked for: longer than a call takes. */
const FORGOTTEN_MS = 60 * 60 * 1000;
const OVER_MS = 24 * FORGOTTEN_MS;
/** What was sent, and not answered, may still be done. */
const LINGER_MS = 5 * 60 * 1000;

const VERSION =
  "SELECT (SELECT coalesce(sum(version), 0) FROM cache_versions WHERE server = ?1 AND tool IN ('', ?2)), EXISTS (SELECT 1 FROM cache_changes WHERE server = ?1 AND tool IN ('', ?2))";
const RISE =
  "INSERT INTO cache_versions VALUES (?, ?, 1) ON CONFLICT (server, tool) DO UPDATE SET version = version + 1";
const BEGIN = "INSERT OR REPLACE INTO cache_changes VALUES (?, ?, ?, ?, ?, ?, ?, NULL)";

/** Another number whenever something may have changed. Nothing while it is being changed. */
export function readToolVersion(db: Database, { server, tool }: Required<CacheScope>): number | undefined {
  const [version, isChanging] = db.all(VERSION, [server, tool])[0] ?? [];
  if (isChanging === 0) return Number(version);
  return isAbandoned(db, server, tool) ? Number(version) : undefined;
}

/** In a transaction, as the others are. */
export function beginChange(db: Database, id: string, scopes: readonly CacheScope[], now: number): void {
  const owner = [toMachine(), process.pid, startOf(process.pid) ?? ""];
  for (const { server, tool = "" } of scopes) db.run(BEGIN, [id, server, tool, ...owner, now]);
  forgetScopes(db, scopes);
}

/** @param isOver false where it was sent, and nobody knows whether it was done */
export function endChange(
  db: Database,
  id: string,
  scopes: readonly CacheScope[],
  { now, isOver }: { readonly now: number; readonly isOver: boolean },
): void {
  if (isOver) db.run("DELETE FROM cache_changes WHERE id = ?", [id]);
  else db.run("UPDATE cache_changes SET until_at = ? WHERE id = ?", [now + LINGER_MS, id]);
  // Those that are over, and of processes that were killed long ago.
  db.run("DELETE FROM cache_changes WHERE until_at <= ? OR began_at <= ?", [now, now - OVER_MS]);
  forgetScopes(db, scopes);
}

function forgetScopes(db: Database, scopes: readonly CacheScope[]): void {
  for (const { server, tool = "" } of scopes) {
    db.run(RISE, [server, tool]);
    if (tool === "") db.run("DELETE FROM cached_results WHERE server = ?", [server]);
    else db.run("DELETE FROM cached_results WHERE server = ? AND tool = ?", [server, tool]);
  }
}

/** Whoever was killed in the middle of a call has not told of its end: what it sent has come to an end by itself, or never will. */
function isAbandoned(db: Database, server: string, tool: string): boolean {
  const rows = db.all(
    "SELECT machine, pid, started, began_at, until_at FROM cache_changes WHERE server = ? AND tool IN ('', ?)",
    [server, tool],
  );
  const now = Date.now();
  return rows.every(([machine, pid, started, beganAt, untilAt]) => {
    // A clock that was ahead has dated it further away than it can be.
    if (untilAt !== null) return Math.abs(Number(untilAt) - now - LINGER_MS / 2) > LINGER_MS / 2;
    if (machine !== toMachine()) return Math.abs(now - Number(beganAt)) > FORGOTTEN_MS;
    return started === "" ? !isRunning(Number(pid)) : startOf(Number(pid)) !== started;
  });
}
