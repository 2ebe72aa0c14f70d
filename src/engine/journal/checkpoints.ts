import { stat } from "node:fs/promises";
import type { Database } from "../../store/database/sqlite.ts";

const COMMITS_BETWEEN_LOOKS = 100;
const MAX_LOG_BYTES = 4 * 1024 * 1024;

/** Moves what is in the write-ahead log into the database before the log gets long: on another thread, as it waits for the disk. */
export function createCheckpoints() {
  let commits = 0;
  let isUnderWay = false;

  async function checkpoint(db: Database): Promise<void> {
    if (isUnderWay || db.path === "") return;
    isUnderWay = true;
    try {
      const { size } = await stat(`${db.path}-wal`);
      if (size <= MAX_LOG_BYTES) return;
      // Most of it while others write. Then what they wrote meanwhile, with the lock, or the log would never begin anew.
      await db.inBackground("PRAGMA wal_checkpoint(PASSIVE)");
      await db.inBackground("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // Without a log there is nothing to do, and what fails now is done later.
    } finally {
      isUnderWay = false;
    }
  }

  return {
    onCommit(db: Database): void {
      if (++commits % COMMITS_BETWEEN_LOOKS === 0) void checkpoint(db);
    },
    onClose: checkpoint,
  };
}
