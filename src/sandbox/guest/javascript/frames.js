// The guest's end of ../../protocol.json: length (u32), type (u8), id (u32), payload; little-endian.

export const FRAME = {
  ready: 1,
  call: 2,
  log: 3,
  emit: 4,
  done: 5,
  cancel: 6,
  pong: 7,
  ownCall: 8,
  streamOpen: 9,
  streamData: 10,
  streamEnd: 11,
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
};

import { CHUNK_BYTES, writeChunks } from "./chunks.js";

const HEADER_BYTES = 9;
const WRITE_BUFFER_BYTES = 256 * 1024;
const READ_BUFFER_BYTES = 64 * 1024;
const FLUSH_AT_BYTES = 64 * 1024;

/**
 * Frames made in one go leave in one write; a loop that never yields still gets them out, by the buffer running full.
 * @param {(bytes: Uint8Array) => number} write
 */
export function createFrameWriter(write) {
  const encoder = new TextEncoder();
  const soon = queueMicrotask;
  let buffer = new Uint8Array(WRITE_BUFFER_BYTES);
  let view = new DataView(buffer.buffer);
  let used = 0;
  let scheduled = false;

  /** @param {Uint8Array} bytes */
  function writeAll(bytes) {
    let at = 0;
    while (at < bytes.length) at += write(at === 0 ? bytes : bytes.subarray(at));
  }

  function flush() {
    scheduled = false;
    if (used === 0) return;
    const bytes = buffer.subarray(0, used);
    used = 0;
    writeAll(bytes);
  }

  /** @param {number} bytes */
  function reserve(bytes) {
    if (used + bytes <= buffer.length) return;
    flush();
    if (bytes <= buffer.length) return;
    buffer = new Uint8Array(bytes);
    view = new DataView(buffer.buffer);
  }

  /**
   * @param {number} type
   * @param {number} id
   * @param {string} text
   */
  function send(type, id, text) {
    // Three bytes a UTF-16 unit are the most UTF-8 can take; long texts are encoded on their own, to not reserve that.
    const isLong = text.length * 3 > FLUSH_AT_BYTES;
    const encoded = isLong ? encoder.encode(text) : undefined;
    if (encoded && encoded.length > CHUNK_BYTES) {
      flush();
      return writeChunks(type, id, encoded, writeAll);
    }
    reserve(HEADER_BYTES + (encoded ? 0 : text.length * 3));
    const start = used;
    const length = encoded
      ? encoded.length
      : encoder.encodeInto(text, buffer.subarray(start + HEADER_BYTES)).written;
    view.setUint32(start, length + HEADER_BYTES - 4, true);
    view.setUint8(start + 4, type);
    view.setUint32(start + 5, id, true);
    used = start + HEADER_BYTES + (encoded ? 0 : length);
    if (encoded) {
      flush();
      writeAll(encoded);
    } else if (used > FLUSH_AT_BYTES) {
      flush();
    } else if (!scheduled) {
      scheduled = true;
      soon(flush);
    }
  }

  /**
   * No more than a chunk.
   * @param {number} type
   * @param {number} id
   * @param {Uint8Array} bytes
   */
  function sendBytes(type, id, bytes) {
    reserve(HEADER_BYTES + bytes.length);
    view.setUint32(used, bytes.length + HEADER_BYTES - 4, true);
    view.setUint8(used + 4, type);
    view.setUint32(used + 5, id, true);
    buffer.set(bytes, used + HEADER_BYTES);
    used += HEADER_BYTES + bytes.length;
    if (used > FLUSH_AT_BYTES) {
      flush();
    } else if (!scheduled) {
      scheduled = true;
      soon(flush);
    }
  }

  return { send, sendBytes, flush };
}

/**
 * Reads frames until the stream ends. Large ones are read straight into their own buffer.
 * @param {(buffer: Uint8Array) => Promise<number | null>} read
 * @param {(type: number, id: number, payload: Uint8Array) => void} onFrame
 */
export async function readFrames(read, onFrame) {
  let buffer = new Uint8Array(READ_BUFFER_BYTES);
  let view = new DataView(buffer.buffer);
  let held = 0;
  for (;;) {
    const count = await read(held === 0 ? buffer : buffer.subarray(held));
    if (count === null) return;
    held += count;
    let at = 0;
    let wanted = HEADER_BYTES;
    while (held - at >= HEADER_BYTES) {
      wanted = view.getUint32(at, true) + 4;
      if (held - at < wanted) break;
      onFrame(
        view.getUint8(at + 4),
        view.getUint32(at + 5, true),
        buffer.subarray(at + HEADER_BYTES, at + wanted),
      );
      at += wanted;
      wanted = HEADER_BYTES;
    }
    if (wanted > buffer.length || (buffer.length > READ_BUFFER_BYTES && wanted <= READ_BUFFER_BYTES)) {
      const next = new Uint8Array(Math.max(wanted, READ_BUFFER_BYTES));
      next.set(buffer.subarray(at, held));
      buffer = next;
      view = new DataView(buffer.buffer);
    } else if (at > 0) {
      buffer.copyWithin(0, at, held);
    }
    held -= at;
    // A program that was answered calls again a few microtasks later: its frame leaves before we wait for the next one.
    for (let tick = 0; tick < 6; tick++) await undefined;
  }
}
