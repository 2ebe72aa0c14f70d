import { CACHE_DATABASE } from "../../../store/database/open-database.ts";
import type { Database } from "../../../store/database/sqlite.ts";
import { removeCacheFiles } from "../../../workspace/result-cache/cache-files.ts";
import { measureExpired } from "../../../workspace/result-cache/cache-room.ts";
import { type CleanState, listEntries } from "../folder-entries.ts";
import type { CleanKind, Removable } from "../kind.ts";

/** Results of tools that hold for a while. To make room all of them go: whoever has them open begins anew. */
export function cachedResults(
  state: CleanState,
  db: Database | undefined,
  removeExpired: () => Promise<void>,
): CleanKind {
  return {
    name: "cached results",
    async list() {
      const files = (await listEntries(state, [])).filter(({ name }) => PARTS.includes(name));
      if (files.length === 0) return [];
      const { results, bytes } = db === undefined ? NONE : measureExpired(db, Date.now());
      const usedAt = Math.max(...files.map(({ mtimeMs }) => mtimeMs));
      const all: Removable = {
        name: "all that hold",
        bytes: Math.max(0, files.reduce((sum, file) => sum + file.bytes, 0) - bytes),
        usedAt,
        async remove() {
          await removeCacheFiles(state);
          return true;
        },
      };
      if (results === 0) return [all];
      const expired: Removable = {
        name: results === 1 ? "1 result" : `${results} results`,
        bytes,
        usedAt,
        reason: "expired",
        async remove() {
          await removeExpired();
          return true;
        },
      };
      return [expired, all];
    },
  };
}

const PARTS = ["", "-wal", "-shm", "-journal"].map((part) => `${CACHE_DATABASE.file}${part}`);
const NONE = { results: 0, bytes: 0 };
