const HEADER_BYTES = 16;
const HASH_BYTES = 32;

/**
 * What the host keeps in one file (../../tiers/process/pyodide/pack.ts): the lengths of the first two parts, Pyodide's code, its
 * library, the snapshot, each from a multiple of 16 on, and at the end a hash that the host has looked at.
 * @param {Uint8Array<ArrayBuffer>} pack
 */
export function readPack(pack) {
  const view = new DataView(pack.buffer, pack.byteOffset, HEADER_BYTES);
  const wasmEnd = HEADER_BYTES + view.getUint32(0, true);
  const libraryAt = aligned(wasmEnd);
  const libraryEnd = libraryAt + view.getUint32(4, true);
  return {
    wasm: pack.subarray(HEADER_BYTES, wasmEnd),
    // A copy, since Python keeps it: the rest can go.
    library: pack.slice(libraryAt, libraryEnd),
    snapshot: pack.subarray(aligned(libraryEnd), -HASH_BYTES),
  };
}

/** @param {number} at */
const aligned = (at) => Math.ceil(at / 16) * 16;
