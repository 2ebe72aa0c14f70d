import {
  RESULTS_LIFETIME_MS,
  RESULTS_STATE_FOLDER,
  SESSION_RESULTS_LIFETIME_MS,
  SHARED_SCOPE,
} from "../../../workspace/saved-results.ts";
import {
  type CleanState,
  type FolderEntry,
  isOlderThan,
  listEntries,
  toRemovable,
} from "../folder-entries.ts";
import type { CleanKind, Removable } from "../kind.ts";

/** A program may read what its run, or the one before it, has just saved. */
const IN_USE_MS = 60 * 60 * 1000;
const MAX_FOLDERS = 5_000;

/** What did not fit into answers: those that all runs of a principal share, and those of sessions that are over. */
export function savedResults(state: CleanState): CleanKind {
  return {
    name: "saved results",
    async list() {
      const found: Removable[] = [];
      let folders = 0;
      for (const principal of await foldersIn(state, [RESULTS_STATE_FOLDER]))
        for (const scope of await foldersIn(state, [RESULTS_STATE_FOLDER, principal])) {
          if (++folders > MAX_FOLDERS) return found;
          found.push(...(await listScope(state, principal, scope)));
        }
      return found;
    },
  };
}

async function listScope(state: CleanState, principal: string, scope: string): Promise<Removable[]> {
  const entries = await listEntries(state, [RESULTS_STATE_FOLDER, principal, scope]);
  const newest = entries.reduce((latest, { mtimeMs }) => Math.max(latest, mtimeMs), 0);
  const isShared = scope === SHARED_SCOPE;
  const isOver = !isShared && isOlderThan(newest, SESSION_RESULTS_LIFETIME_MS);
  return entries.map((entry) =>
    toRemovable(state, entry, { reason: reasonOf(entry, { isShared, isOver }), inUseMs: IN_USE_MS }),
  );
}

function reasonOf(
  { mtimeMs }: FolderEntry,
  { isShared, isOver }: { readonly isShared: boolean; readonly isOver: boolean },
): string | undefined {
  if (isOver) return "its session saved nothing for a day";
  return isShared && isOlderThan(mtimeMs, RESULTS_LIFETIME_MS) ? "older than 14 days" : undefined;
}

async function foldersIn(state: CleanState, steps: readonly string[]): Promise<string[]> {
  const entries = await listEntries(state, steps).catch(() => []);
  return entries.filter(({ isFolder }) => isFolder).map(({ name }) => name);
}
