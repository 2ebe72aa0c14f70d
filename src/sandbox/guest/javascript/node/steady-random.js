/**
 * Random bytes that a seed decides, by ChaCha20: what a program draws can be drawn again, and nothing it has drawn tells
 * what comes next.
 * @param {Uint8Array} seed 32 bytes
 */
export function createRandom(seed) {
  const key = new Uint32Array(seed.slice(0, 32).buffer);
  const words = new Uint32Array(16);
  const bytes = new Uint8Array(words.buffer);
  let counter = 0;
  let used = bytes.length;

  function refill() {
    toBlock(key, counter++, words);
    used = 0;
  }

  /** @param {Uint8Array} into */
  function fill(into) {
    for (let at = 0; at < into.length; ) {
      if (used === bytes.length) refill();
      const count = Math.min(into.length - at, bytes.length - used);
      into.set(bytes.subarray(used, used + count), at);
      used += count;
      at += count;
    }
    return into;
  }

  /** Four bytes as a number. What is left of a block that is no whole number is not used. */
  function next() {
    if (used > bytes.length - 4) refill();
    const at = (used + 3) & ~3;
    if (at >= bytes.length) {
      refill();
      used = 4;
      return words[0] ?? 0;
    }
    used = at + 4;
    return words[at / 4] ?? 0;
  }

  return {
    fill,
    /** As `Math.random`: 53 bits from 0 up to 1. */
    number: () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53,
  };
}

const [SIGMA_0, SIGMA_1, SIGMA_2, SIGMA_3] = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

/**
 * @param {Uint32Array} key
 * @param {number} counter
 * @param {Uint32Array} out
 */
function toBlock(key, counter, out) {
  out.set([SIGMA_0, SIGMA_1, SIGMA_2, SIGMA_3, ...key, counter >>> 0, Math.floor(counter / 2 ** 32), 0, 0]);
  const start = out.slice();
  for (let round = 0; round < 10; round++) {
    quarter(out, 0, 4, 8, 12);
    quarter(out, 1, 5, 9, 13);
    quarter(out, 2, 6, 10, 14);
    quarter(out, 3, 7, 11, 15);
    quarter(out, 0, 5, 10, 15);
    quarter(out, 1, 6, 11, 12);
    quarter(out, 2, 7, 8, 13);
    quarter(out, 3, 4, 9, 14);
  }
  for (let at = 0; at < 16; at++) out[at] = (out[at] ?? 0) + (start[at] ?? 0);
}

/**
 * @param {Uint32Array} x
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} d
 */
function quarter(x, a, b, c, d) {
  mix(x, a, b, d, 16);
  mix(x, c, d, b, 12);
  mix(x, a, b, d, 8);
  mix(x, c, d, b, 7);
}

/**
 * @param {Uint32Array} x
 * @param {number} to
 * @param {number} add
 * @param {number} turned
 * @param {number} by
 */
function mix(x, to, add, turned, by) {
  x[to] = (x[to] ?? 0) + (x[add] ?? 0);
  const value = (x[turned] ?? 0) ^ (x[to] ?? 0);
  x[turned] = (value << by) | (value >>> (32 - by));
}
