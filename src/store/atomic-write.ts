import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

export type AtomicWriteOptions = {
  /** Held to exactly, whatever the umask. */
  mode?: number;
  /** Waits until the disk has it: for what must survive a power cut, at the price of some milliseconds. */
  durable?: boolean;
};

/** The names of files that a killed process may leave behind. */
export const LEFTOVER = /^\.keyhole-[0-9a-f-]{36}\.tmp$/;

export const toTemporaryName = () => `.keyhole-${randomUUID()}.tmp`;

/**
 * Replaces a file as a whole: a reader, or a crash, sees the old content or the new. The temporary file lies beside the
 * target because a rename only is atomic within one file system.
 */
export async function atomicWrite(
  path: string,
  content: string,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const temporary = join(dirname(path), toTemporaryName());
  try {
    const file = await open(temporary, "wx", options.mode ?? 0o666);
    try {
      if (options.mode !== undefined) await file.chmod(options.mode);
      await file.writeFile(content);
      if (options.durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The same for what is too large to be held: the pieces are written as they come, and nothing is there before the last one. */
export async function atomicWritePieces(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string | Uint8Array>,
  { mode = 0o600, beforeDone }: { readonly mode?: number; beforeDone?(): Promise<void> } = {},
): Promise<void> {
  const temporary = join(dirname(path), toTemporaryName());
  try {
    const file = await open(temporary, "wx", mode);
    try {
      for await (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await beforeDone?.();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
