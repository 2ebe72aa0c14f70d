import { FRAME, type Frame, type FrameFault } from "./protocol.ts";

/**
 * A frame whose payload is larger than this travels in chunks of this size, in either direction: others get by in between, and
 * no pipe must carry more at a time. A chunk is a frame of its own. Its id is the number of the message, by which chunks of
 * several are told apart; its payload begins with the type (u8) and the id (u32) of the frame in it, the length of that
 * one's payload (u32) and where this piece of it lies (u32). `guest/chunks.js` is the other end of it.
 */
export const CHUNK_BYTES = 128 * 1024;
export const CHUNK_HEADER_BYTES = 13;
const MAX_MESSAGES = 8;

export type ChunkFault = FrameFault | { readonly fault: "broken"; readonly what: string };

export type ChunkReader = {
  /** The whole frame, with its last chunk. What comes from the guest is hostile: each chunk is exactly the next one, and full. */
  receive(chunk: Frame): Frame | ChunkFault | undefined;
  readonly heldBytes: number;
};

type Message = {
  readonly type: number;
  readonly id: number;
  readonly total: number;
  bytes: Buffer;
  held: number;
};

/** Memory grows with what has arrived, never with what a length claims. */
export function createChunkReader(maxFrameBytes: number): ChunkReader {
  const messages = new Map<number, Message>();
  let heldBytes = 0;

  function open(number: number, type: number, id: number, total: number): Message | ChunkFault {
    if (type === FRAME.chunk || total === 0) return broken("a chunk of what is never sent in chunks");
    if (total > maxFrameBytes) return { fault: "too_large", bytes: total };
    if (messages.size === MAX_MESSAGES) return broken("chunks of too many frames at once");
    const message = { type, id, total, bytes: Buffer.allocUnsafeSlow(0), held: 0 };
    messages.set(number, message);
    return message;
  }

  return {
    get heldBytes() {
      return heldBytes;
    },
    receive({ id: number, payload }) {
      if (payload.length < CHUNK_HEADER_BYTES) return broken("a chunk shorter than its header");
      const [type, id] = [payload.readUInt8(0), payload.readUInt32LE(1)];
      const [total, offset] = [payload.readUInt32LE(5), payload.readUInt32LE(9)];
      const message = messages.get(number) ?? open(number, type, id, total);
      if ("fault" in message) return message;
      if (message.type !== type || message.id !== id || message.total !== total)
        return broken("a chunk of another frame");
      const piece = payload.subarray(CHUNK_HEADER_BYTES);
      if (offset !== message.held || piece.length !== Math.min(CHUNK_BYTES, total - offset))
        return broken("a chunk out of order");
      add(message, piece);
      heldBytes += piece.length;
      if (message.held < total) return undefined;
      messages.delete(number);
      heldBytes -= total;
      return { type, id, payload: message.bytes.subarray(0, total) };
    },
  };
}

function add(message: Message, piece: Buffer): void {
  const end = message.held + piece.length;
  if (end > message.bytes.length) {
    const grown = Buffer.allocUnsafeSlow(Math.min(message.total, Math.max(2 * message.held, end)));
    message.bytes.copy(grown, 0, 0, message.held);
    message.bytes = grown;
  }
  piece.copy(message.bytes, message.held);
  message.held = end;
}

function broken(what: string): ChunkFault {
  return { fault: "broken", what };
}

/** The chunk of a payload that lies at an offset, but for the piece itself, which follows it. */
export function toChunkHeader(number: number, frame: Frame, offset: number): Buffer {
  const length = Math.min(CHUNK_BYTES, frame.payload.length - offset);
  const header = Buffer.allocUnsafe(9 + CHUNK_HEADER_BYTES);
  header.writeUInt32LE(5 + CHUNK_HEADER_BYTES + length, 0);
  header.writeUInt8(FRAME.chunk, 4);
  header.writeUInt32LE(number, 5);
  header.writeUInt8(frame.type, 9);
  header.writeUInt32LE(frame.id, 10);
  header.writeUInt32LE(frame.payload.length, 14);
  header.writeUInt32LE(offset, 18);
  return header;
}
