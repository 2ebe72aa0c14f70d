import { chmod, copyFile, mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RootFiles } from "./root-files.ts";

/** Writes them into an empty folder, with their modes and times. They belong to whoever does it. */
export async function writeRoot({ entries }: Pick<RootFiles, "entries">, dir: string): Promise<void> {
  for (const entry of entries) {
    const place = join(dir, entry.path);
    if (entry.kind === "folder") await mkdir(place, { recursive: true });
    if (entry.kind === "file") {
      if (typeof entry.from === "string") await copyFile(entry.from, place);
      else await writeFile(place, entry.from);
    }
    await chmod(place, entry.mode);
  }
  // A folder's time changes with what is put into it.
  for (const entry of [...entries].reverse()) {
    const time = entry.kind === "file" ? entry.mtime : 0;
    await utimes(join(dir, entry.path), time, time);
  }
}
