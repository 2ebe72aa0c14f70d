import type { Writable } from "node:stream";
import { CHUNK_BYTES, toChunkHeader } from "./chunks.ts";
import { encodeFrame, type Frame } from "./protocol.ts";

/** So much of large frames is on its way at a time: what is small waits for no more than that. */
const WINDOW_BYTES = 512 * 1024;

export type OutgoingFrames = {
  send(type: number, id: number, payload: string | Uint8Array): void;
  /** What the other end has not taken yet. */
  readonly waitingBytes: number;
  /** Nothing more leaves. */
  end(): void;
};

type Message = { readonly number: number; readonly frame: Frame; sent: number };

/**
 * Frames on their way to a guest. Small ones of one turn leave in one write; large ones in chunks, by turns. A small one may
 * overtake large ones, never the other way round.
 */
export function createOutgoingFrames(stream: Writable): OutgoingFrames {
  let small: Buffer[] = [];
  let smallBytes = 0;
  let large: Message[] = [];
  let largeBytes = 0;
  let lastNumber = 0;
  let hasEnded = false;
  stream.on("drain", sendChunks);

  function flush(): void {
    const [only] = small;
    if (only === undefined) return;
    const bytes = small.length === 1 ? only : Buffer.concat(small, smallBytes);
    small = [];
    smallBytes = 0;
    if (!hasEnded) stream.write(bytes);
  }

  function sendChunks(): void {
    if (large.length === 0 || hasEnded) return;
    // What was handed over before it leaves before it.
    flush();
    stream.cork();
    for (let next = large[0]; next && stream.writableLength < WINDOW_BYTES; next = large[0]) {
      const { number, frame, sent } = next;
      const piece = frame.payload.subarray(sent, sent + CHUNK_BYTES);
      stream.write(toChunkHeader(number, frame, sent));
      stream.write(piece);
      next.sent += piece.length;
      largeBytes -= piece.length;
      large.shift();
      if (next.sent < frame.payload.length) large.push(next);
    }
    stream.uncork();
  }

  return {
    get waitingBytes() {
      return stream.writableLength + smallBytes + largeBytes;
    },
    send(type, id, payload) {
      if (hasEnded) return;
      if (isLarge(payload)) {
        const bytes = typeof payload === "string" ? Buffer.from(payload) : toBuffer(payload);
        largeBytes += bytes.length;
        if (large.push({ number: ++lastNumber, frame: { type, id, payload: bytes }, sent: 0 }) === 1)
          process.nextTick(sendChunks);
        return;
      }
      const frame = encodeFrame(type, id, payload);
      smallBytes += frame.length;
      if (small.push(frame) === 1) process.nextTick(flush);
    },
    end() {
      hasEnded = true;
      large = [];
      largeBytes = 0;
    },
  };
}

function isLarge(payload: string | Uint8Array): boolean {
  if (payload.length <= CHUNK_BYTES / 3) return false;
  return (typeof payload === "string" ? Buffer.byteLength(payload) : payload.byteLength) > CHUNK_BYTES;
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
