import { type Dirent, lstatSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import type { HeldFolder } from "./held-folder.ts";
import { assertOwn } from "./own-place.ts";

const MAX_DEPTH = 4;
/** What is opened is looked at again: this only has a planted link told of at once, and in one sentence. */
const MAX_ENTRIES = 5_000;
/** Copies of workspaces in which programs are tried out. */
export const PLANS_FOLDER = "plans";
export const SHARED_FOLDER = "shared";
export const SNAPSHOTS_FOLDER = "snapshots";
/** What lies in there is the programs'. */
export const OF_PROGRAMS: readonly (string | undefined)[] = [
  "workspaces",
  SHARED_FOLDER,
  SNAPSHOTS_FOLDER,
  PLANS_FOLDER,
];

/** Refuses a folder in which something is a link, a pipe, a device or somebody else's. */
export async function assertOwnTree(root: HeldFolder): Promise<void> {
  let seen = 0;

  async function walk(steps: readonly string[]): Promise<void> {
    const entries = await opendir(join(root.path, ...steps)).catch(() => []);
    for await (const entry of entries) {
      if (++seen > MAX_ENTRIES) return;
      const inner = [...steps, entry.name];
      const stats = statsOf(join(root.path, ...inner));
      if (stats === undefined) continue;
      assertOwn(stats, kindOf(entry), join(root.shown, ...inner));
      if (stats.isDirectory() && inner.length < MAX_DEPTH && !OF_PROGRAMS.includes(steps[0]))
        await walk(inner);
    }
  }

  await walk([]);
}

/** Another process may have removed it in this moment. */
function statsOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

function kindOf(entry: Dirent): "file" | "folder" {
  return entry.isDirectory() ? "folder" : "file";
}
