const HEADER_BYTES = 9;
const CHUNK_HEADER_BYTES = 13;

/** @typedef {{ folders: import("../javascript/node/places.js").Folder[], [name: string]: unknown }} Start */

/**
 * Passes the host's bytes on, but for the frame that says what to run: that one is read, shown, and written anew, as a whole.
 * After it nothing is looked at any more.
 * @param {number} startType
 * @param {number} chunkType
 * @param {(start: Start) => void} onStart may change it
 */
export function takeStart(startType, chunkType, onStart) {
  const { parse, stringify } = JSON;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let held = new Uint8Array();
  /** @type {{ bytes: Uint8Array, used: number } | undefined} */
  let joined;
  let isTaken = false;

  /** @param {Uint8Array} payload */
  function toStartFrame(payload) {
    const start = parse(decoder.decode(payload));
    onStart(start);
    isTaken = true;
    const written = encoder.encode(stringify(start));
    const frame = new Uint8Array(HEADER_BYTES + written.length);
    const view = new DataView(frame.buffer);
    view.setUint32(0, HEADER_BYTES - 4 + written.length, true);
    view.setUint8(4, startType);
    frame.set(written, HEADER_BYTES);
    return frame;
  }

  /**
   * A whole frame, as Python gets it.
   * @param {Uint8Array} frame
   */
  function toOwnFrame(frame) {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    const type = view.getUint8(4);
    if (type === startType) return toStartFrame(frame.subarray(HEADER_BYTES));
    if (type !== chunkType || view.getUint8(HEADER_BYTES) !== startType) return frame;
    joined ??= { bytes: new Uint8Array(view.getUint32(HEADER_BYTES + 5, true)), used: 0 };
    const piece = frame.subarray(HEADER_BYTES + CHUNK_HEADER_BYTES);
    joined.bytes.set(piece, joined.used);
    joined.used += piece.length;
    return joined.used < joined.bytes.length ? new Uint8Array() : toStartFrame(joined.bytes);
  }

  return (/** @type {Uint8Array} */ bytes) => {
    if (isTaken) return bytes;
    held = concat([held, bytes]);
    /** @type {Uint8Array[]} */
    const passed = [];
    while (!isTaken && held.length >= HEADER_BYTES) {
      const length = new DataView(held.buffer).getUint32(0, true) + 4;
      if (held.length < length) break;
      passed.push(toOwnFrame(held.subarray(0, length)));
      held = held.slice(length);
    }
    if (isTaken) passed.push(held);
    return concat(passed);
  };
}

/** @param {readonly Uint8Array[]} parts */
function concat(parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
