/**
 * Both sides send frames: the length of what follows (u32), the type (u8), the id of the call concerned or 0 (u32), and
 * a payload that runs to the end. Numbers are little-endian. `guest/frames.js` is the other end of it.
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
  start: 16,
  result: 17,
  resultBytes: 18,
  failure: 19,
  ping: 20,
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

export type FrameReader = { push(chunk: Buffer): void };

export type FrameReaderOptions = {
  readonly maxFrameBytes: number;
  onFrame(frame: Frame): void;
  /** A frame announced this size; nothing is read after it, and nothing was reserved for it. */
  onTooLarge(bytes: number): void;
  onMalformed(): void;
};

/** Cuts a byte stream into frames. Memory grows with what has arrived, never with what a length claims. */
export function createFrameReader(options: FrameReaderOptions): FrameReader {
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  let wantedBytes = HEADER_BYTES;
  let stopped = false;

  function joined(): Buffer {
    const [first] = pieces;
    return pieces.length === 1 && first ? first : Buffer.concat(pieces, heldBytes);
  }

  function cut(whole: Buffer): Buffer {
    let rest = whole;
    while (!stopped && rest.length >= HEADER_BYTES) {
      const bodyBytes = rest.readUInt32LE(0);
      if (bodyBytes < HEADER_BYTES - LENGTH_BYTES) {
        stopped = true;
        options.onMalformed();
        break;
      }
      if (bodyBytes > options.maxFrameBytes) {
        stopped = true;
        options.onTooLarge(bodyBytes);
        break;
      }
      wantedBytes = LENGTH_BYTES + bodyBytes;
      if (rest.length < wantedBytes) return rest;
      const frame = rest.subarray(0, wantedBytes);
      rest = rest.subarray(wantedBytes);
      wantedBytes = HEADER_BYTES;
      options.onFrame({
        type: frame.readUInt8(4),
        id: frame.readUInt32LE(5),
        payload: frame.subarray(HEADER_BYTES),
      });
    }
    return rest;
  }

  return {
    push(chunk) {
      if (stopped) return;
      pieces.push(chunk);
      heldBytes += chunk.length;
      if (heldBytes < wantedBytes) return;
      const rest = cut(joined());
      pieces = rest.length > 0 && !stopped ? [rest] : [];
      heldBytes = stopped ? 0 : rest.length;
    },
  };
}
