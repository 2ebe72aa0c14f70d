/**
 * Both sides send frames: the length of what follows (u32), the type (u8), the id of the call concerned or 0 (u32), and
 * a payload that runs to the end. Numbers are little-endian. What they say is data, `../protocol.json`, and a test holds this
 * file and each guest to it.
 */
const HEADER_BYTES = 9;
const LENGTH_BYTES = 4;

export const FRAME = {
  ready: 1,
  call: 2,
  log: 3,
  emit: 4,
  done: 5,
  cancel: 6,
  pong: 7,
  ownCall: 8,
  /** Streams of bytes, as many as the program opens: `guest-streams.ts`. All but the first are either side's. */
  streamOpen: 9,
  streamData: 10,
  streamEnd: 11,
  /** A piece of a frame that is too large to be sent as one: `chunks.ts`. Either side sends it. */
  chunk: 12,
  streamCredit: 13,
  streamClose: 14,
  happened: 15,
  start: 16,
  result: 17,
  resultBytes: 18,
  failure: 19,
  ping: 20,
  facts: 21,
  renew: 22,
} as const;

export type Frame = { readonly type: number; readonly id: number; readonly payload: Buffer };

export function encodeFrame(type: number, id: number, payload: string | Uint8Array): Buffer {
  const length = typeof payload === "string" ? Buffer.byteLength(payload) : payload.byteLength;
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32LE(HEADER_BYTES - LENGTH_BYTES + length, 0);
  frame.writeUInt8(type, 4);
  frame.writeUInt32LE(id, 5);
  if (typeof payload === "string") frame.write(payload, HEADER_BYTES);
  else frame.set(payload, HEADER_BYTES);
  return frame;
}

/** What is wrong with a stream; nothing is read after it. */
export type FrameFault =
  | { readonly fault: "malformed" }
  /** A frame announced this size; nothing was reserved for it. */
  | { readonly fault: "too_large"; readonly bytes: number };

export type FrameReader = {
  push(chunk: Buffer): void;
  /** The next frame that is there as a whole. Its payload lies in the chunk that was pushed: whoever keeps it copies it. */
  next(): Frame | FrameFault | undefined;
  /** Of a frame that is not yet whole, and of those that were not yet asked for. */
  readonly heldBytes: number;
};

const NONE: Buffer = Buffer.alloc(0);

/**
 * Cuts a byte stream into frames. Memory grows with what has arrived, never with what a length claims, nor with the number
 * of pieces it arrives in.
 */
export function createFrameReader(maxFrameBytes: number): FrameReader {
  let held: Buffer = NONE;
  /** What there is lies from `start` to `end`; the rest of the buffer is room for more. */
  let start = 0;
  let end = 0;
  let isOurs = false;
  let stopped = false;

  function stop(fault: FrameFault): FrameFault {
    stopped = true;
    held = NONE;
    start = 0;
    end = 0;
    return fault;
  }

  return {
    get heldBytes() {
      return end - start;
    },
    push(chunk) {
      if (stopped) return;
      const heldBytes = end - start;
      if (heldBytes === 0) {
        held = chunk;
        start = 0;
        end = chunk.length;
        isOurs = false;
        return;
      }
      if (!isOurs || end + chunk.length > held.length) {
        // Doubled, so that a frame which arrives in very many pieces is not copied as often. Never written to twice: a
        // frame that was handed out may still be looked at.
        const grown = Buffer.allocUnsafeSlow(Math.max(2 * heldBytes, heldBytes + chunk.length));
        held.copy(grown, 0, start, end);
        held = grown;
        start = 0;
        end = heldBytes;
        isOurs = true;
      }
      chunk.copy(held, end);
      end += chunk.length;
    },
    next() {
      if (stopped || end - start < HEADER_BYTES) return undefined;
      const bodyBytes = held.readUInt32LE(start);
      if (bodyBytes < HEADER_BYTES - LENGTH_BYTES) return stop({ fault: "malformed" });
      if (bodyBytes > maxFrameBytes) return stop({ fault: "too_large", bytes: bodyBytes });
      const frameEnd = start + LENGTH_BYTES + bodyBytes;
      if (end < frameEnd) return undefined;
      const frame = {
        type: held.readUInt8(start + 4),
        id: held.readUInt32LE(start + 5),
        payload: held.subarray(start + HEADER_BYTES, frameEnd),
      };
      start = frameEnd;
      if (start === end) {
        held = NONE;
        start = 0;
        end = 0;
      }
      return frame;
    },
  };
}
