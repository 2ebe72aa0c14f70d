import { randomBytes } from "node:crypto";
import { chmod, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { hasCode } from "./error-code.ts";

const SLASH = Buffer.from("/");

/**
 * Removes a folder that a program or a command has filled. Names are bytes, folders can be closed to their owner, and a path can be
 * longer than the kernel takes: each folder is brought to the top before it is emptied.
 */
export async function removeTree(dir: string): Promise<void> {
  try {
    // Ordinary ones, and faster.
    return await rm(dir, { recursive: true, force: true });
  } catch {
    await empty(Buffer.from(dir));
  }
  await rmdir(dir).catch((error: unknown) => {
    if (!hasCode(error, "ENOENT")) throw error;
  });
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
