import type { Duplex } from "node:stream";

const HEADER_BYTES = 8;
const STDERR = 2;

export type Demuxed = {
  onStdout(piece: Buffer): void;
  onStderr(piece: Buffer): void;
  /** Nothing comes after it. */
  onEnd(): void;
};

/** Takes apart the two outputs that Docker sends over one connection: pieces, each with its kind and its length before it. */
export function demux(socket: Duplex, { onStdout, onStderr, onEnd }: Demuxed): void {
  const header = Buffer.alloc(HEADER_BYTES);
  let headerBytes = 0;
  let left = 0;

  socket.on("data", (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length) {
      if (left === 0) {
        const taken = chunk.copy(header, headerBytes, at, at + HEADER_BYTES - headerBytes);
        at += taken;
        headerBytes += taken;
        if (headerBytes < HEADER_BYTES) return;
        headerBytes = 0;
        left = header.readUInt32BE(4);
        continue;
      }
      const piece = chunk.subarray(at, at + left);
      at += piece.length;
      left -= piece.length;
      if (header[0] === STDERR) onStderr(piece);
      else onStdout(piece);
    }
  });
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    onEnd();
  };
  socket.on("end", end).on("close", end).on("error", end);
}
