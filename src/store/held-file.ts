import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "./error-code.ts";
import type { HeldFolder } from "./held-folder.ts";
import { assertOwn } from "./own-place.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_APPEND } = constants;
/** A pipe in the place of a file must not hold us up. Windows knows neither. */
const CAREFULLY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export type Piece = { readonly bytes: Buffer; readonly fileBytes: number };

/** What of a file lies between two places in it. Nothing where it is not there. */
export function readPiece(
  folder: HeldFolder,
  name: string,
  toRange: (fileBytes: number) => { readonly from: number; readonly length: number },
  closesToOthers = true,
): Promise<Piece | undefined> {
  return inFile(folder, name, O_RDONLY, closesToOthers, async (file, fileBytes) => {
    const { from, length } = toRange(fileBytes);
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, fileBytes - from)));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: bytes.subarray(0, filled), fileBytes };
  });
}

/** A whole file. Nothing where it is not there, or larger than this. */
export async function readWhole(
  folder: HeldFolder,
  name: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const piece = await readPiece(folder, name, (size) => ({ from: 0, length: size > maxBytes ? 0 : size }));
  return piece && piece.fileBytes <= maxBytes ? piece.bytes : undefined;
}

/** Likewise of a file that is the user's own, such as one in a repository: who else may read it stays as it is. */
export async function readUsersFile(
  folder: HeldFolder,
  name: string,
  maxBytes: number,
): Promise<Buffer | "too large" | undefined> {
  const piece = await readPiece(
    folder,
    name,
    (size) => ({ from: 0, length: size > maxBytes ? 0 : size }),
    false,
  );
  return piece && (piece.fileBytes <= maxBytes ? piece.bytes : "too large");
}

/** Adds to the end of a file in one write, and tells how large it was before. */
export function appendTo(folder: HeldFolder, name: string, text: string): Promise<number | undefined> {
  return inFile(folder, name, O_WRONLY | O_APPEND | O_CREAT, true, async (file, fileBytes) => {
    await file.write(text);
    return fileBytes;
  });
}

/** Checked by its descriptor: what was checked is what is used. */
async function inFile<T>(
  folder: HeldFolder,
  name: string,
  flags: number,
  closesToOthers: boolean,
  work: (file: FileHandle, fileBytes: number) => Promise<T>,
): Promise<T | undefined> {
  let file: FileHandle;
  try {
    file = await open(join(folder.path, name), flags | CAREFULLY, 0o600);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    const stats = await file.stat();
    assertOwn(stats, "file", join(folder.shown, name));
    if (closesToOthers && (stats.mode & 0o077) !== 0) await file.chmod(0o600).catch(() => {});
    return await work(file, stats.size);
  } finally {
    await file.close();
  }
}
