/** How many different names there are: exact up to the capacity, then estimated from a sample that halves when it is full. */
export type DistinctCounter = {
  add(name: string): void;
  readonly value: number;
  readonly isAbout: boolean;
};

const CAPACITY = 65_536;
const MAX_NAME_LENGTH = 400;

export function createDistinctCounter(capacity = CAPACITY): DistinctCounter {
  let kept = new Set<string>();
  // Of all names those are kept whose hash ends in so many zeros.
  let zeros = 0;
  const isSampled = (name: string) => zeros === 0 || (toHash32(name) & (2 ** zeros - 1)) === 0;
  return {
    add(name) {
      if (kept.has(name) || !isSampled(name)) return;
      kept.add(name.length > MAX_NAME_LENGTH ? Buffer.from(name.slice(0, MAX_NAME_LENGTH)).toString() : name);
      while (kept.size > capacity && zeros < 31) {
        zeros++;
        kept = new Set([...kept].filter(isSampled));
      }
    },
    get value() {
      return kept.size * 2 ** zeros;
    },
    get isAbout() {
      return zeros > 0;
    },
  };
}

/** FNV-1a, its bits mixed once more: it is the low ones that count here. */
function toHash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
