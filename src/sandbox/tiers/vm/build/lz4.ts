const LEGACY_MAGIC = 0x184c2102;
/** What one block can hold, by the format. */
const BLOCK_BYTES = 8 * 1024 * 1024;

/**
 * What Linux images are packed with: blocks, each after its length, until something is none. Of a file that somebody fetched: it
 * is held to `maxBytes`, and throws a `RangeError` where it is broken.
 */
export function unpackLz4(packed: Buffer, maxBytes: number): Buffer {
  if (packed.length < 4 || packed.readUInt32LE(0) !== LEGACY_MAGIC) throw new RangeError("No LZ4 data");
  const blocks: Buffer[] = [];
  let total = 0;
  for (let at = 4; at + 4 <= packed.length; ) {
    const length = packed.readUInt32LE(at);
    if (length === 0 || at + 4 + length > packed.length) break;
    const block = unpackBlock(packed.subarray(at + 4, at + 4 + length));
    at += 4 + length;
    total += block.length;
    if (total > maxBytes) throw new RangeError("Too much LZ4 data");
    blocks.push(block);
    if (block.length < BLOCK_BYTES) break;
  }
  return Buffer.concat(blocks);
}

/** Runs of bytes, each followed by a copy of what came before. */
function unpackBlock(block: Buffer): Buffer {
  const out = Buffer.allocUnsafe(BLOCK_BYTES);
  let [at, used] = [0, 0];

  function byte(): number {
    const value = block[at++];
    if (value === undefined) throw new RangeError("LZ4 data ends early");
    return value;
  }
  function long(short: number): number {
    let length = short;
    if (short !== 15) return length;
    for (let more = 255; more === 255; length += more) more = byte();
    return length;
  }

  while (at < block.length) {
    const token = byte();
    const literals = long(token >> 4);
    if (at + literals > block.length || used + literals > out.length)
      throw new RangeError("LZ4 data is broken");
    block.copy(out, used, at, at + literals);
    at += literals;
    used += literals;
    if (at === block.length) break;
    const offset = byte() | (byte() << 8);
    const length = long(token & 15) + 4;
    if (offset === 0 || offset > used || used + length > out.length)
      throw new RangeError("LZ4 data is broken");
    if (offset >= length) out.copy(out, used, used - offset, used - offset + length);
    else for (let n = 0; n < length; n++) out[used + n] = out[used + n - offset] ?? 0;
    used += length;
  }
  return out.subarray(0, used);
}
