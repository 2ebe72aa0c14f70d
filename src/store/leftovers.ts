import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { LEFTOVER } from "./atomic-write.ts";

/** A younger one may belong to another process that is writing right now. */
const LEFTOVER_AGE_MS = 60_000;

/** Removes what a killed process left behind in this folder and those in it. */
export async function removeLeftovers(outDir: string): Promise<void> {
  const entries = await readdir(outDir, { withFileTypes: true });
  const inner = entries.filter((entry) => entry.isDirectory()).map((entry) => join(outDir, entry.name));
  for (const folder of [outDir, ...inner]) {
    const names = (await readdir(folder)).filter((name) => LEFTOVER.test(name));
    for (const name of names) await removeLeftover(join(folder, name));
    // Refused unless the folder is empty; a folder with nothing but our leftovers was ours.
    if (names.length > 0 && folder !== outDir) await rmdir(folder).catch(() => {});
  }
}

export async function removeLeftover(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats && Date.now() - stats.mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true });
}
