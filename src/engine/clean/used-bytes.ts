import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import type { CleanState } from "./folder-entries.ts";

export type UsedBytes = {
  readonly bytes: number;
  /** There is more than was counted. */
  readonly isAtLeast: boolean;
};

const MAX_ENTRIES = 500_000;
/** A path that is longer than the kernel takes can't be looked at anyway. */
const MAX_DEPTH = 64;

/** What lies below a folder of `.keyhole`, on the disk. Nothing is opened, no link is followed, and it ends soon. */
export async function measureFolder(
  state: CleanState,
  steps: readonly string[] = [],
  signal?: AbortSignal,
): Promise<UsedBytes> {
  let [bytes, left, isAtLeast] = [0, MAX_ENTRIES, false];

  async function measure(dir: string, depth: number): Promise<void> {
    const folder = await opendir(dir).catch(() => undefined);
    for await (const entry of folder ?? []) {
      if (--left <= 0 || signal?.aborted) {
        isAtLeast = true;
        return;
      }
      const place = join(dir, entry.name);
      const stats = await lstat(place).catch(() => undefined);
      bytes += stats?.blocks === undefined ? (stats?.size ?? 0) : stats.blocks * 512;
      if (stats?.isDirectory() && depth < MAX_DEPTH) await measure(place, depth + 1);
    }
  }

  await state.inFolder(steps, { make: false }, ({ path }) => measure(path, 0));
  return { bytes, isAtLeast };
}
