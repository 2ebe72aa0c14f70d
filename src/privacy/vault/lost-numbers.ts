import { randomInt } from "node:crypto";
import { ALL_CLASSES } from "../../pii-classes.ts";
import type { Database } from "../../store/database/sqlite.ts";

/**
 * Where there was a vault and a new one is begun (it was deleted, damaged, or the folder moved), files and talks may have its tokens:
 * the new one begins far from 1, so that none of them means somebody else.
 */
export function skipLostNumbers(db: Database): void {
  const isNew = ["vault_keys", "vault_numbers"].every(
    (table) => db.all(`SELECT 1 FROM ${table} LIMIT 1`).length === 0,
  );
  if (!isNew) return;
  const first = randomInt(10, 1_000) * 1_000;
  db.transaction(() => {
    for (const kind of ALL_CLASSES)
      db.run("INSERT OR IGNORE INTO vault_numbers (workspace, class, last) VALUES (x'', ?, ?)", [
        kind,
        first,
      ]);
  });
}
