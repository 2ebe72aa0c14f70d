import { randomBytes, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "./error-code.ts";
import { makeFolders } from "./make-folders.ts";

const BYTES = 32;
/** Where none can be kept: what this process writes, this process believes. */
const PROCESS_KEY = randomBytes(BYTES);

/**
 * The key by which Keyhole knows its own state again. It lies in the user's own folder: one in the project could have been
 * brought along by a repository, and whoever knows it can write what is believed.
 */
export async function loadUserKey(dir: string | undefined): Promise<Buffer> {
  if (dir === undefined) return PROCESS_KEY;
  const file = join(dir, "key");
  try {
    return (await read(file)) ?? (await make(dir, file));
  } catch {
    return PROCESS_KEY;
  }
}

/** Whether the next process will have it, too. */
export function isKeptKey(key: Buffer): boolean {
  return key !== PROCESS_KEY;
}

async function read(path: string): Promise<Buffer | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      // Windows has no modes, and tells one that is open to all.
      const isOpenToOthers = process.platform !== "win32" && (stats.mode & 0o077) !== 0;
      if (stats.isFile() && stats.size === BYTES && !isOpenToOthers) return await file.readFile();
    } finally {
      await file.close();
    }
    // Others may have read it, or it was cut off: a new one costs what is remembered, no more.
    await rm(path, { force: true });
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  return undefined;
}

/** Whole or not at all; if another process makes one in this moment, that one counts. */
async function make(dir: string, file: string): Promise<Buffer> {
  await makeFolders(dir);
  const temporary = join(dir, `.keyhole-${randomUUID()}.tmp`);
  const fresh = randomBytes(BYTES);
  try {
    const handle = await open(temporary, "wx", 0o600);
    await handle.writeFile(fresh).finally(() => handle.close());
    await link(temporary, file);
    return fresh;
  } catch (error) {
    const theirs = hasCode(error, "EEXIST") ? await read(file) : undefined;
    if (theirs === undefined) throw error;
    return theirs;
  } finally {
    await rm(temporary, { force: true });
  }
}
