/** Tells which of millions of ids may stand twice, in sixteen bytes for each: by a hash, so whoever is named is to be looked at. */
export type IdCheck = {
  add(id: string, sequence: number): void;
  /** Sequences of events that share a hash, at most so many. */
  findDoubles(most: number): readonly number[];
};

export function createIdCheck(): IdCheck {
  let hashes = new Float64Array(1024);
  let sequences = new Float64Array(1024);
  let count = 0;
  return {
    add(id, sequence) {
      if (count === hashes.length) {
        hashes = toLarger(hashes);
        sequences = toLarger(sequences);
      }
      hashes[count] = toNumber(id);
      sequences[count++] = sequence;
    },
    findDoubles(most) {
      const sorted = hashes.slice(0, count).sort();
      const twice = new Set<number>();
      for (let index = 1; index < count && twice.size < most; index++) {
        const hash = sorted[index];
        if (hash !== undefined && hash === sorted[index - 1]) twice.add(hash);
      }
      if (twice.size === 0) return [];
      const found: number[] = [];
      for (let index = 0; index < count && found.length < most; index++)
        if (twice.has(hashes[index] ?? -1)) found.push(sequences[index] ?? 0);
      return found;
    },
  };
}

function toLarger(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** 53 bits of two multiplicative hashes. */
function toNumber(id: string): number {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995) ^ (low >>> 15);
  }
  return ((high >>> 0) & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}
