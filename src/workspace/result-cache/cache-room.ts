import { readNumber } from "../../store/database/migrations.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";

/** A step holds the lock for a moment. */
const ROWS_A_STEP = 64;
/** What is left after making room, so that it is not made again at once. */
const SHARE_LEFT = 0.9;

const FREE_PAGES = 256;

const EXPIRED = "SELECT rowid FROM cached_results WHERE expires_at <= ? OR kept_at > ? LIMIT ?";
const OLDEST = "SELECT rowid FROM cached_results ORDER BY used_at LIMIT ?";

/** Makes room where there is too much: what has expired goes, then what was not used for longest. */
export async function shrinkCache(db: Database, maxBytes: number): Promise<void> {
  if (usedBytes(db) <= maxBytes) return;
  await deleteExpired(db, Date.now());
  while (usedBytes(db) > SHARE_LEFT * maxBytes) {
    const gone = await deleteSome(db, OLDEST, []);
    if (gone === 0) return;
  }
}

export async function deleteExpired(db: Database, now: number): Promise<void> {
  for (;;) {
    if ((await deleteSome(db, EXPIRED, [now, now])) < ROWS_A_STEP) return;
  }
}

export function measureExpired(
  db: Database,
  now: number,
): { readonly results: number; readonly bytes: number } {
  const sql =
    "SELECT count(*), total(length(sealed)) FROM cached_results WHERE expires_at <= ?1 OR kept_at > ?1";
  const [[results, bytes] = []] = db.all(sql, [now]);
  return { results: Number(results), bytes: Number(bytes) };
}

function deleteSome(db: Database, which: string, values: readonly number[]): Promise<number> {
  const sql = `DELETE FROM cached_results WHERE rowid IN (${which})`;
  return whenFree(() => db.transaction(() => db.run(sql, [...values, ROWS_A_STEP])));
}

/** Gives back to the disk what is free in the file, where that is much of it. */
export async function compactCache(db: Database): Promise<void> {
  const free = readNumber(db, "freelist_count");
  if (free > FREE_PAGES && free > readNumber(db, "page_count") / 2) await db.inBackground("VACUUM");
}

/** In it, not counting what is free. The file does not shrink by itself; what is freed in it is used again. */
function usedBytes(db: Database): number {
  return (readNumber(db, "page_count") - readNumber(db, "freelist_count")) * readNumber(db, "page_size");
}
