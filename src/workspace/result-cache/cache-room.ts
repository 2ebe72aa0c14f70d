import { readNumber } from "../../store/database/migrations.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";

/** A step holds the lock for a moment. */
const ROWS_A_STEP = 64;
/** What is left after making room, so that it is not made again at once. */
const SHARE_LEFT = 0.9;

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

/** How many there were. */
export async function deleteExpired(db: Database, now: number): Promise<number> {
  let all = 0;
  for (;;) {
    const gone = await deleteSome(db, EXPIRED, [now, now]);
    all += gone;
    if (gone < ROWS_A_STEP) return all;
  }
}

function deleteSome(db: Database, which: string, values: readonly number[]): Promise<number> {
  const sql = `DELETE FROM cached_results WHERE rowid IN (${which})`;
  return whenFree(() => db.transaction(() => db.run(sql, [...values, ROWS_A_STEP])));
}

/** In it, not counting what is free. The file does not shrink; what is freed in it is used again. */
export function usedBytes(db: Database): number {
  return (readNumber(db, "page_count") - readNumber(db, "freelist_count")) * readNumber(db, "page_size");
}
