const PIECE_BYTES = 256 * 1024;

export type ArchiveReceiver = {
  /** Called before the first byte; not at all where there is none. */
  begin(): Promise<void>;
  write(bytes: string | Uint8Array): Promise<void>;
};

/** In pieces, each after its length in a line of its own; a length of 0 is the end. Says whether there was anything to send. */
export async function sendArchive(
  archive: AsyncIterable<Uint8Array>,
  { begin, write }: ArchiveReceiver,
): Promise<boolean> {
  let hasBegun = false;
  for await (const piece of inPieces(archive)) {
    if (!hasBegun) await begin();
    hasBegun = true;
    await write(`${piece.length}\n`);
    await write(piece);
  }
  if (hasBegun) await write("0\n");
  return hasBegun;
}

/** Small ones together: each is a process of the receiver's. */
async function* inPieces(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of archive) {
    for (let at = 0; at < part.length; ) {
      const piece = part.subarray(at, at + PIECE_BYTES - bytes);
      held.push(piece);
      at += piece.length;
      bytes += piece.length;
      if (bytes < PIECE_BYTES) continue;
      yield Buffer.concat(held);
      [held, bytes] = [[], 0];
    }
  }
  if (bytes > 0) yield Buffer.concat(held);
}
