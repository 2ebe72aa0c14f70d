import type { Stats } from "node:fs";
import { lstat, opendir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { toTemporaryName } from "../../store/atomic-write.ts";
import { hasCode } from "../../store/error-code.ts";
import { isPlainName } from "../../store/held-folder.ts";
import { removeTree } from "../../store/remove-tree.ts";
import type { StateDir } from "../../store/state-dir.ts";
import type { Removable } from "./kind.ts";

export type CleanState = Pick<StateDir, "path" | "inFolder">;

/** Something in a folder of `.keyhole`, as it was looked at: never opened, and no link followed. */
export type FolderEntry = {
  readonly steps: readonly string[];
  readonly name: string;
  readonly isFolder: boolean;
  /** On the disk, of a folder itself alone. */
  readonly bytes: number;
  readonly mtimeMs: number;
};

/** Of what a program or a repository has put there, so many are looked at. */
const MAX_ENTRIES = 20_000;

/** What lies in a folder. Nothing where there is none. */
export async function listEntries(state: CleanState, steps: readonly string[]): Promise<FolderEntry[]> {
  const found = await state.inFolder(steps, { make: false }, async ({ path }) => {
    const entries: FolderEntry[] = [];
    for await (const { name } of await opendir(path)) {
      if (entries.length >= MAX_ENTRIES) break;
      const stats = isPlainName(name) ? await lstat(join(path, name)).catch(() => undefined) : undefined;
      if (stats) entries.push({ steps, name, ...about(stats) });
    }
    return entries;
  });
  return found ?? [];
}

function about(stats: Stats): Pick<FolderEntry, "isFolder" | "bytes" | "mtimeMs"> {
  // The blocks: a file with holes takes less than its length, a small one more.
  const bytes = stats.blocks === undefined ? stats.size : stats.blocks * 512;
  return { isFolder: stats.isDirectory(), bytes, mtimeMs: stats.mtimeMs };
}

/**
 * Removes it as a whole, unless it was used since it was looked at. A folder gets another name first: whoever is killed while it is
 * emptied leaves something that the next one knows for what it is.
 */
export async function removeEntry(state: CleanState, entry: FolderEntry): Promise<boolean> {
  const isGone = await state.inFolder(entry.steps, { make: false }, async ({ path }) => {
    const place = join(path, entry.name);
    const stats = await lstat(place).catch(() => undefined);
    if (stats?.mtimeMs !== entry.mtimeMs || stats.isDirectory() !== entry.isFolder) return false;
    try {
      if (!entry.isFolder) await unlink(place);
      else await removeFolder(place, join(path, toTemporaryName()));
      return true;
    } catch (error) {
      // Another process was faster.
      if (hasCode(error, "ENOENT")) return false;
      throw error;
    }
  });
  return isGone ?? false;
}

/** @param inUseMs so long after its last change somebody may use it */
export function toRemovable(
  state: CleanState,
  entry: FolderEntry,
  { reason, inUseMs }: { readonly reason?: string | undefined; readonly inUseMs?: number } = {},
): Removable {
  return {
    name: [...entry.steps, entry.name].join("/"),
    bytes: entry.bytes,
    usedAt: entry.mtimeMs,
    ...(reason !== undefined && { reason }),
    ...(inUseMs !== undefined && { isInUse: !isOlderThan(entry.mtimeMs, inUseMs) }),
    remove: () => removeEntry(state, entry),
  };
}

async function removeFolder(place: string, gone: string): Promise<void> {
  await rename(place, gone);
  await removeTree(gone);
}

/** A clock that was ahead has dated things into the future: they are as old as they are far from now. */
export function isOlderThan(atMs: number, ms: number, now = Date.now()): boolean {
  return Math.abs(now - atMs) > ms;
}
