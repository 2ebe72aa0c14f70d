// The guest's end of ../../host/chunks.ts: frames larger than a chunk travel in chunks, which are frames themselves.

const CHUNK = 12;
export const CHUNK_BYTES = 128 * 1024;
const FRAME_HEADER_BYTES = 9;
const HEADER_BYTES = FRAME_HEADER_BYTES + 13;
let lastNumber = 0;

/**
 * @param {number} type
 * @param {number} id
 * @param {Uint8Array} bytes
 * @param {(bytes: Uint8Array) => void} write
 */
export function writeChunks(type, id, bytes, write) {
  const number = ++lastNumber;
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) {
    const piece = bytes.subarray(offset, offset + CHUNK_BYTES);
    view.setUint32(0, HEADER_BYTES - 4 + piece.length, true);
    view.setUint8(4, CHUNK);
    view.setUint32(5, number, true);
    view.setUint8(9, type);
    view.setUint32(10, id, true);
    view.setUint32(14, bytes.length, true);
    view.setUint32(18, offset, true);
    write(header);
    write(piece);
  }
}

/**
 * Puts chunks together again. What was read is wiped: it may say where folders lie.
 * @param {(type: number, id: number, payload: Uint8Array) => void} onFrame
 * @returns {(type: number, id: number, payload: Uint8Array) => void}
 */
export function joinChunks(onFrame) {
  /** @type {Map<number, Uint8Array>} */
  const messages = new Map();
  return (type, number, payload) => {
    if (type !== CHUNK) return onFrame(type, number, payload);
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    const total = view.getUint32(5, true);
    const offset = view.getUint32(9, true);
    const bytes = messages.get(number) ?? new Uint8Array(total);
    if (offset === 0) messages.set(number, bytes);
    const piece = payload.subarray(HEADER_BYTES - FRAME_HEADER_BYTES);
    bytes.set(piece, offset);
    piece.fill(0);
    if (offset + piece.length < total) return;
    messages.delete(number);
    onFrame(view.getUint8(0), view.getUint32(1, true), bytes);
  };
}
