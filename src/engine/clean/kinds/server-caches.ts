import {
  type CleanState,
  type FolderEntry,
  isOlderThan,
  listEntries,
  toRemovable,
} from "../folder-entries.ts";
import type { CleanKind, Removable } from "../kind.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A server that is taken out of the config for a while is known again when it comes back. */
const GONE_AFTER_MS = 30 * DAY_MS;
/** Whoever is in the middle of reading the servers writes these now. */
const YOUNG_MS = 60 * 60 * 1000;

/** What is remembered of servers, and is read again where it is missing. */
export function serverCaches(state: CleanState, folders: ReadonlySet<string>): CleanKind {
  return {
    name: "what is remembered of servers",
    async list() {
      const [eras, catalogs] = await Promise.all([
        listEntries(state, ["eras"]),
        listEntries(state, ["catalog"]),
      ]);
      return [
        ...eras.map((entry) =>
          toAged(state, entry, isOlderThan(entry.mtimeMs, DAY_MS) ? OUTDATED : undefined),
        ),
        ...catalogs.map((entry) => toAged(state, entry, reasonOf(entry, folders))),
      ];
    },
  };
}

/** What results looked like: learned anew, if slowly. */
export function learnedTypes(state: CleanState, folders: ReadonlySet<string>): CleanKind {
  return {
    name: "learned types",
    async list() {
      const entries = await listEntries(state, ["observed"]);
      return entries.map((entry) => toAged(state, entry, reasonOf(entry, folders)));
    },
  };
}

const OUTDATED = "outdated after a day";
const NOT_CONFIGURED = "its server has not been configured for 30 days";

function reasonOf({ name, mtimeMs }: FolderEntry, folders: ReadonlySet<string>): string | undefined {
  const isConfigured = folders.has(name.replace(/\.json$/, ""));
  return !isConfigured && isOlderThan(mtimeMs, GONE_AFTER_MS) ? NOT_CONFIGURED : undefined;
}

const toAged = (state: CleanState, entry: FolderEntry, reason: string | undefined): Removable =>
  toRemovable(state, entry, { reason, inUseMs: YOUNG_MS });
