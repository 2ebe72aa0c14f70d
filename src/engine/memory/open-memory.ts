import { MEMORY_DATABASE, openDatabase } from "../../store/database/open-database.ts";
import type { Database } from "../../store/database/sqlite.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { createCheckpoints } from "../journal/checkpoints.ts";

/** The database of what agents remember. Nothing is opened before it is asked for. */
export type Memory = {
  database(): Promise<Database>;
  /** Something was written to it. */
  wrote(db: Database): void;
  close(): Promise<void>;
};

export function openMemory(state: StateDir, onNotice: (text: string) => void = () => {}): Memory {
  const checkpoints = createCheckpoints();
  let opened: Promise<Database> | undefined;

  function open(): Promise<Database> {
    opened ??= openDatabase(state, onNotice, { kind: MEMORY_DATABASE }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  return {
    async database() {
      const db = await open();
      try {
        db.assertInPlace();
        return db;
      } catch {
        // Deleted or replaced while we had it open: what is there now counts.
        opened = undefined;
        await db.close();
        return open();
      }
    },
    wrote: checkpoints.onCommit,
    async close() {
      const db = await opened?.catch(() => undefined);
      opened = undefined;
      if (db === undefined) return;
      await checkpoints.onClose(db);
      await db.close();
    },
  };
}
