import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of all files below some folders; links are not followed, and what vanishes meanwhile counts nothing. */
export async function diskUsage(dirs: readonly string[]): Promise<number> {
  const open = [...dirs];
  let bytes = 0;
  for (let dir = open.pop(); dir !== undefined; dir = open.pop()) {
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) open.push(path);
      else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
    }
  }
  return bytes;
}
