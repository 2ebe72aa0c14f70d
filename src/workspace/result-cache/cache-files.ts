import { rm } from "node:fs/promises";
import { join } from "node:path";
import { CACHE_DATABASE } from "../../store/database/open-database.ts";
import type { StateDir } from "../../store/state-dir.ts";

/** With all that SQLite lays beside it. Whoever has it open finds it gone, and begins a new one. */
export async function removeCacheFiles(state: Pick<StateDir, "inFolder">): Promise<void> {
  await state
    .inFolder([], { make: false }, async ({ path }) => {
      // The database last: without it, nobody takes the rest for anything.
      for (const part of ["-shm", "-wal", "-journal", ""])
        await rm(join(path, `${CACHE_DATABASE.file}${part}`), { force: true });
    })
    .catch(() => {});
}
