import { createHash } from "node:crypto";

const HEADER_BYTES = 16;
const HASH_BYTES = 32;

/** What Python starts from, in one file: Deno reads none in a `node_modules` without permission. The guest reads it in pack.js. */
export function toPack(wasm: Buffer, library: Buffer, snapshot: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(wasm.length, 0);
  header.writeUInt32LE(library.length, 4);
  const content = Buffer.concat([header, aligned(wasm), aligned(library), snapshot]);
  return Buffer.concat([content, digest(content)]);
}

/** Whether it is as it was written. */
export function isWholePack(pack: Buffer): boolean {
  const end = pack.length - HASH_BYTES;
  return end > HEADER_BYTES && digest(pack.subarray(0, end)).equals(pack.subarray(end));
}

function aligned(part: Buffer): Buffer {
  return Buffer.concat([part, Buffer.alloc((16 - (part.length % 16)) % 16)]);
}

const digest = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();
