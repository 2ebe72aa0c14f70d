import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode } from "./error-code.ts";

/**
 * A folder of the user's own, with those above it. One by one: Node's own way never ends where a file system refuses a folder
 * by saying that there is none above it, as /proc does.
 */
export async function makeFolders(dir: string): Promise<void> {
  try {
    await mkdir(dir, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, "EEXIST")) return;
    const above = dirname(dir);
    if (!hasCode(error, "ENOENT") || above === dir) throw error;
    await makeFolders(above);
    await mkdir(dir, { mode: 0o700 }).catch((again: unknown) => {
      if (!hasCode(again, "EEXIST")) throw again;
    });
  }
}
