import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Saved results in folders that are held open (`../state/held-folder.ts`): no path here has a step in it that somebody
 * else could have made a link.
 */

/** Saved results as they lie on the disk: a folder for each scope of a principal, a file for each result. */
export type Kept = {
  readonly path: string;
  readonly size: number;
  /** On the disk. */
  readonly bytes: number;
  readonly mtimeMs: number;
};

/** Removes the oldest until no more than so many bytes and files are left. */
export async function shrink(kept: readonly Kept[], bytes: number, files: number): Promise<void> {
  const oldestFirst = [...kept].sort((a, b) => a.mtimeMs - b.mtimeMs);
  let left = kept.reduce((sum, one) => sum + one.bytes, 0);
  for (const [at, one] of oldestFirst.entries()) {
    if (left <= bytes && kept.length - at <= files) return;
    await rm(one.path, { force: true });
    left -= one.bytes;
  }
}

export async function listKept(dir: string): Promise<Kept[]> {
  const names = await namesIn(dir);
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(dir, name);
      const stats = await lstat(path).catch(() => undefined);
      // The blocks, not the length: a small file takes a whole one.
      return stats?.isFile()
        ? [
            {
              path,
              size: stats.size,
              bytes: Math.max(stats.size, (stats.blocks ?? 0) * 512),
              mtimeMs: stats.mtimeMs,
            },
          ]
        : [];
    }),
  );
  return found.flat();
}

export async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}

/** Removes what was saved in a folder that is held; whatever else lies in there was not saved by us. */
export async function empty(dir: string): Promise<void> {
  await shrink(await listKept(dir), 0, 0);
}

/** Removes a folder that is empty; a link is no folder. */
export async function removeEmpty(parent: string, name: string): Promise<void> {
  await rmdir(join(parent, name)).catch(() => {});
}

export function newest(kept: readonly Kept[]): number {
  return kept.reduce((latest, { mtimeMs }) => Math.max(latest, mtimeMs), 0);
}
