import { LEFTOVER } from "../../../store/atomic-write.ts";
import { OF_PROGRAMS } from "../../../store/own-tree.ts";
import {
  type CleanState,
  type FolderEntry,
  isOlderThan,
  listEntries,
  toRemovable,
} from "../folder-entries.ts";
import type { CleanKind } from "../kind.ts";

/** A younger one may be another process's, which writes it in this moment. */
const LEFTOVER_AGE_MS = 60_000;
/** Copying a workspace, and removing one, takes no longer. */
const FOLDER_AGE_MS = 60 * 60 * 1000;
const MAX_DEPTH = 4;
const MAX_FOLDERS = 2_000;
/** As what lies in those of programs, it is theirs. */
const COPIES_FOLDER = "kept";

/** What processes that were killed have not written, or not removed, to the end. */
export function leftoverFiles(state: CleanState): CleanKind {
  return {
    name: "leftovers",
    async list() {
      const found = await find(state);
      return found.map((entry) => toRemovable(state, entry, { reason: "left by a process that was ended" }));
    },
  };
}

function isOfPrograms([first, second]: readonly string[]): boolean {
  // The lists of what was copied lie beside the copies, and are ours.
  return first === COPIES_FOLDER ? second !== undefined : OF_PROGRAMS.includes(first);
}

async function find(state: CleanState): Promise<FolderEntry[]> {
  const found: FolderEntry[] = [];
  let folders = 0;

  async function look(steps: readonly string[]): Promise<void> {
    if (++folders > MAX_FOLDERS) return;
    for (const entry of await listEntries(state, steps).catch(() => [])) {
      const age = entry.isFolder ? FOLDER_AGE_MS : LEFTOVER_AGE_MS;
      if (LEFTOVER.test(entry.name)) {
        if (isOlderThan(entry.mtimeMs, age)) found.push(entry);
      } else if (entry.isFolder && steps.length < MAX_DEPTH && !isOfPrograms([...steps, entry.name]))
        await look([...steps, entry.name]);
    }
  }

  await look([]);
  return found;
}
