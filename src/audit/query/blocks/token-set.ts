/**
 * A set of tokens, kept as bits (a Bloom filter): `has` is never wrong about a token that was added, and rarely about one that
 * was not. A token is two 32-bit numbers.
 */
export type Token = readonly [number, number];

/** Of each pair of numbers, four bits. */
export function addToken(bits: Uint8Array, [first, second]: Token): void {
  const mask = bits.length * 8 - 1;
  setBit(bits, first & mask);
  setBit(bits, (first >>> 16) & mask);
  setBit(bits, second & mask);
  setBit(bits, (second >>> 16) & mask);
}

export function isTokenIn(bits: Uint8Array, [first, second]: Token): boolean {
  const mask = bits.length * 8 - 1;
  return (
    hasBit(bits, first & mask) &&
    hasBit(bits, (first >>> 16) & mask) &&
    hasBit(bits, second & mask) &&
    hasBit(bits, (second >>> 16) & mask)
  );
}

/** The same for one number, and two bits: of texts there are many. */
export function addNumber(bits: Uint8Array, number: number): void {
  const mask = bits.length * 8 - 1;
  setBit(bits, number & mask);
  setBit(bits, (number >>> 16) & mask);
}

export function hasNumber(bits: Uint8Array, number: number): boolean {
  const mask = bits.length * 8 - 1;
  return hasBit(bits, number & mask) && hasBit(bits, (number >>> 16) & mask);
}

function setBit(bits: Uint8Array, index: number): void {
  bits[index >>> 3] = (bits[index >>> 3] ?? 0) | (1 << (index & 7));
}

function hasBit(bits: Uint8Array, index: number): boolean {
  return ((bits[index >>> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

export function mixNumber(number: number): number {
  let mixed = number;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** FNV-1a, mixed. */
export function textNumber(text: string, seed: number): number {
  let number = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < text.length; index++)
    number = Math.imul(number ^ text.charCodeAt(index), 0x01000193);
  return mixNumber(number);
}
