import { hash } from "node:crypto";

/** Before the first event. */
export const CHAIN_START: Uint8Array = new Uint8Array(32);
export const HASH_BYTES = 32;

const LEAF = 0x00;
const CHAIN = 0x02;

let scratch = Buffer.allocUnsafe(64 * 1024);
const link = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
link[0] = CHAIN;

/** `SHA-256(0x00 ‖ body)`, as a leaf of RFC 6962. */
export function toLeaf(body: string): Buffer {
  const most = body.length * 3 + 1;
  if (most > scratch.length) scratch = Buffer.allocUnsafe(most);
  scratch[0] = LEAF;
  const end = 1 + scratch.write(body, 1, "utf8");
  return toSha256(scratch.subarray(0, end));
}

/** `SHA-256(0x02 ‖ hash before ‖ leaf)`. */
export function toChainHash(before: Uint8Array, leaf: Uint8Array): Buffer {
  if (before.length !== HASH_BYTES || leaf.length !== HASH_BYTES) return hashOddly(CHAIN, before, leaf);
  link.set(before, 1);
  link.set(leaf, 1 + HASH_BYTES);
  return toSha256(link);
}

/** Where somebody has put other bytes in the place of hashes: no chain of ours has the result. */
export function hashOddly(kind: number, a: Uint8Array, b: Uint8Array): Buffer {
  return toSha256(Buffer.concat([Buffer.from([kind, a.length & 0xff]), a, b]));
}

/** By way of a text: a buffer of the library's own takes twice as long as the hash. */
export function toSha256(bytes: Uint8Array): Buffer {
  return Buffer.from(hash("sha256", bytes, "binary"), "binary");
}

export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
