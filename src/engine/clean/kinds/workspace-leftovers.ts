import { join } from "node:path";
import { isLocked } from "../../../store/file-lock.ts";
import { SNAPSHOTS_FOLDER } from "../../../store/own-tree.ts";
import {
  type CleanState,
  type FolderEntry,
  isOlderThan,
  listEntries,
  removeEntry,
  toRemovable,
} from "../folder-entries.ts";
import type { CleanKind, Removable } from "../kind.ts";
import { measureFolder } from "../used-bytes.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LEASES_FOLDER = "leases";

/** Leases of processes that are gone, and copies for snapshots that nobody has finished. */
export function workspaceLeftovers(state: CleanState): CleanKind {
  return {
    name: "leftovers of workspaces",
    async list() {
      return [...(await listLeases(state)), ...(await listCopies(state))];
    },
  };
}

async function listLeases(state: CleanState): Promise<Removable[]> {
  const found: Removable[] = [];
  for (const { name: workspace } of (await listEntries(state, [LEASES_FOLDER])).filter(isFolder)) {
    const steps = [LEASES_FOLDER, workspace];
    for (const entry of await listEntries(state, steps)) {
      if (entry.isFolder || !isOlderThan(entry.mtimeMs, DAY_MS) || (await isHeld(state, entry))) continue;
      found.push({
        ...toRemovable(state, entry, { reason: "the process that left it is gone" }),
        remove: async () => !(await isHeld(state, entry)) && removeEntry(state, entry),
      });
    }
  }
  return found;
}

/** By a process that is there, however long that has been. */
async function isHeld(state: CleanState, { steps, name }: FolderEntry): Promise<boolean> {
  return (await state.inFolder(steps, { make: false }, ({ path }) => isLocked(join(path, name)))) ?? false;
}

async function listCopies(state: CleanState): Promise<Removable[]> {
  const found: Removable[] = [];
  for (const { name: workspace } of (await listEntries(state, [SNAPSHOTS_FOLDER])).filter(isFolder)) {
    const entries = await listEntries(state, [SNAPSHOTS_FOLDER, workspace]);
    const notes = new Set(entries.filter((entry) => !entry.isFolder).map(({ name }) => name));
    for (const entry of entries.filter(isFolder)) {
      if (notes.has(`${entry.name}.json`) || !isOlderThan(entry.mtimeMs, DAY_MS)) continue;
      const { bytes } = await measureFolder(state, [...entry.steps, entry.name]);
      found.push({ ...toRemovable(state, entry, { reason: "a snapshot that nobody has finished" }), bytes });
    }
  }
  return found;
}

const isFolder = (entry: FolderEntry) => entry.isFolder;
