import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ifThere } from "./path-guard.ts";

const LEFTOVER = /^\.keyhole-[0-9a-f-]{36}\.tmp$/;
/** A younger one may belong to another process that is writing right now. */
const LEFTOVER_AGE_MS = 60_000;

/** All or nothing: a reader, or a crash, sees the old file or the new one. */
export async function replaceFile(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.keyhole-${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, content, { flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes what a killed process left behind in these folders. */
export async function removeLeftovers(folders: Iterable<string>): Promise<void> {
  for (const folder of folders) {
    const stats = await ifThere(() => lstat(folder));
    if (stats === undefined || !stats.isDirectory()) continue;
    for (const name of await readdir(folder)) {
      if (!LEFTOVER.test(name)) continue;
      const path = join(folder, name);
      const leftover = await ifThere(() => lstat(path));
      if (leftover !== undefined && Date.now() - leftover.mtimeMs > LEFTOVER_AGE_MS)
        await rm(path, { force: true });
    }
  }
}
