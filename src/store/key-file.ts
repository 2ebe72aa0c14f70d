import { constants } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../errors.ts";
import { toTemporaryName } from "./atomic-write.ts";
import { hasCode } from "./error-code.ts";

/** Of keys for AES-256. */
export const KEY_BYTES = 32;

/** A key as people write it: base64, or hexadecimal digits. */
export function parseKeyText(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  const key = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, "base64") : undefined;
  return key?.length === KEY_BYTES ? key : undefined;
}

/**
 * Nothing where there is none. One that others can read is not used, nor replaced: what was sealed with it could not be opened
 * any more. `what` names it in messages.
 */
export async function readKeyFile(path: string, what: string): Promise<Buffer | undefined> {
  try {
    const file = await open(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      const stats = await file.stat();
      const isOpenToOthers = process.platform !== "win32" && (stats.mode & 0o077) !== 0;
      if (isOpenToOthers) throw unusableKey(path, what, "can be read by others", `chmod 600 "${path}"`);
      const isOwn = process.getuid === undefined || stats.uid === process.getuid() || stats.uid === 0;
      const key = stats.isFile() && isOwn && stats.size === KEY_BYTES ? await file.readFile() : undefined;
      if (key?.length !== KEY_BYTES)
        throw unusableKey(path, what, "is not one that Keyhole has made", "Put the right one there");
      return key;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whole or not at all, and on the disk before anything is sealed with it; if another process was faster, that one counts. */
export async function makeKeyFile(dir: string, name: string, fresh: Buffer, what: string): Promise<Buffer> {
  const path = join(dir, name);
  const temporary = join(dir, toTemporaryName());
  try {
    await writeTemporary(temporary, fresh);
    await link(temporary, path);
    return fresh;
  } catch (error) {
    const theirs = hasCode(error, "EEXIST") ? await readKeyFile(path, what) : undefined;
    if (theirs === undefined) throw error;
    return theirs;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The old one is gone with it, at once; whoever calls has seen to it that nobody else does. */
export async function replaceKeyFile(dir: string, name: string, fresh: Buffer): Promise<void> {
  const temporary = join(dir, toTemporaryName());
  try {
    await writeTemporary(temporary, fresh);
    await rename(temporary, join(dir, name));
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeTemporary(path: string, key: Buffer): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(key);
    await file.sync();
  } finally {
    await file.close();
  }
}

export function unusableKey(path: string, what: string, why: string, hint: string): KeyholeError {
  return new KeyholeError("store_unusable", `${what} "${path}" ${why}`, { hint });
}
