import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** More than this is not held in memory. */
const HELD_BYTES = 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/** A file of which only its end tells how long it is and whether it has changed: held here, or on disk where it is long. */
export type FileSpool = {
  readonly size: number;
  add(piece: Uint8Array): Promise<void>;
  /** Of all that was added, SHA-256. */
  hash(): string;
  pieces(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
};

export function createSpool(): FileSpool {
  const hash = createHash("sha256");
  let held: Buffer[] = [];
  let size = 0;
  let file: FileHandle | undefined;

  return {
    get size() {
      return size;
    },
    async add(piece) {
      hash.update(piece);
      size += piece.length;
      if (!file && size <= HELD_BYTES) {
        // It may lie in what is used again for the next.
        held.push(Buffer.from(piece));
        return;
      }
      file ??= await openNameless();
      for (const one of held.splice(0)) await file.writeFile(one);
      await file.writeFile(piece);
    },
    hash: () => hash.copy().digest("hex"),
    async *pieces() {
      yield* held;
      for (let at = 0; file && at < size; ) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, at);
        if (bytesRead === 0) throw new Error("A file that was put aside is shorter than it was");
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    async close() {
      held = [];
      await file?.close();
      file = undefined;
    },
  };
}

/** Its folder is gone before anything is in it: nothing is left behind, however we end. */
async function openNameless(): Promise<FileHandle> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-spool-"));
  try {
    return await open(join(dir, "bytes"), "wx+", 0o600);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
