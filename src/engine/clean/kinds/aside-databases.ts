import { AUDIT_DATABASE } from "../../../store/database/open-database.ts";
import { type CleanState, isOlderThan, listEntries, toRemovable } from "../folder-entries.ts";
import type { CleanKind } from "../kind.ts";

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const ASIDE = /^([a-z]+\.db)\.aside-[0-9a-z]+(?:-wal|-shm|-journal)?$/;

const LONG_AGO = "moved aside more than 30 days ago";

/** Databases that were in the way, and that nobody opens any more. One of the audit log stays: it may be proof of something. */
export function asideDatabases(state: CleanState): CleanKind {
  return {
    name: "databases moved aside",
    async list() {
      const entries = await listEntries(state, []);
      return entries
        .filter(
          ({ name, isFolder }) => !isFolder && ASIDE.test(name) && !name.startsWith(AUDIT_DATABASE.file),
        )
        .map((entry) =>
          toRemovable(state, entry, isOlderThan(entry.mtimeMs, KEPT_MS) ? { reason: LONG_AGO } : {}),
        );
    },
  };
}
