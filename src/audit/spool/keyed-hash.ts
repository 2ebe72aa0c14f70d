import { createHmac, createSecretKey, hash } from "node:crypto";

const BLOCK = 64;
const DIGEST = 32;
/** Most arguments and many results; for more, what it takes to begin does not count. */
const MAX_SHORT_BYTES = 8 * 1024;

/**
 * HMAC-SHA256 in hex. Of short texts by two hashes in one piece each: an object of the system's library for each text, which is what
 * `createHmac` makes, takes longer than hashing it.
 */
export function createKeyedHash(key: Uint8Array): (text: string | Uint8Array) => string {
  if (key.length > BLOCK) throw new RangeError("The key is longer than a block");
  const secret = createSecretKey(key);
  const inner = Buffer.alloc(BLOCK + MAX_SHORT_BYTES);
  const outer = Buffer.alloc(BLOCK + DIGEST);
  toPad(key, 0x36).copy(inner);
  toPad(key, 0x5c).copy(outer);

  return (text) => {
    if (typeof text !== "string" || text.length * 3 > MAX_SHORT_BYTES)
      return createHmac("sha256", secret).update(text).digest("hex");
    const end = BLOCK + inner.write(text, BLOCK, "utf8");
    outer.write(hash("sha256", inner.subarray(0, end), "hex"), BLOCK, "hex");
    return hash("sha256", outer, "hex");
  };
}

function toPad(key: Uint8Array, mask: number): Buffer {
  const pad = Buffer.alloc(BLOCK);
  pad.set(key);
  return pad.map((byte) => byte ^ mask) as Buffer;
}
