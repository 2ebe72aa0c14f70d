import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Saved results as they lie on the disk: a folder for each scope of a principal, a file for each result. */
export type Kept = { readonly path: string; readonly bytes: number; readonly mtimeMs: number };

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
        ? [{ path, bytes: Math.max(stats.size, (stats.blocks ?? 0) * 512), mtimeMs: stats.mtimeMs }]
        : [];
    }),
  );
  return found.flat();
}

export async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}

/** Links in it are removed, not followed. */
export async function removeFolder(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true }).catch(() => {});
}

export function newest(kept: readonly Kept[]): number {
  return kept.reduce((latest, { mtimeMs }) => Math.max(latest, mtimeMs), 0);
}
