import { randomBytes } from "node:crypto";
import { chmod, lstat, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { hasCode } from "./error-code.ts";

const SLASH = Buffer.from("/");

/**
 * Removes a folder that a program or a command has filled. Names are bytes, folders can be closed to their owner, and a path can be
 * longer than the kernel takes: each folder is brought to the top before it is emptied. One file after the other: Node's own removes
 * as many at once as there are, and nobody else could use a file meanwhile.
 */
export async function removeTree(dir: string): Promise<void> {
  try {
    await empty(Buffer.from(dir));
    await rmdir(dir);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || (await isThere(dir))) throw error;
  }
}

/** Removes all that is in it, and leaves the folder: others may have it open, or mounted. */
export async function emptyTree(dir: string): Promise<void> {
  await empty(Buffer.from(dir));
}

async function empty(top: Buffer): Promise<void> {
  for (let folders = await clear(top, top); folders.length > 0; ) {
    const next: Buffer[] = [];
    for (const folder of folders) {
      next.push(...(await clear(folder, top)));
      await rmdir(folder);
    }
    folders = next;
  }
}

/** Removes what is in a folder, and tells where the folders of it are now. */
async function clear(folder: Buffer, top: Buffer): Promise<Buffer[]> {
  await chmod(folder, 0o700);
  const folders: Buffer[] = [];
  for (const name of await readdir(folder, { encoding: "buffer" })) {
    const path = Buffer.concat([folder, SLASH, name]);
    const isFolder = await unlink(path).then(
      () => false,
      (error: unknown) => hasCode(error, "EISDIR") || hasCode(error, "EPERM"),
    );
    if (!isFolder) continue;
    // A folder that is closed can't be moved, since its ".." would change.
    await chmod(path, 0o700);
    const place = Buffer.concat([top, SLASH, Buffer.from(randomBytes(12).toString("hex"))]);
    await rename(path, place);
    folders.push(place);
  }
  return folders;
}

async function isThere(dir: string): Promise<boolean> {
  return lstat(dir).then(
    () => true,
    () => false,
  );
}
