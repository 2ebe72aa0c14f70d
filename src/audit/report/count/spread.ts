/** How values are spread: exact while there are few, then by buckets that are two percent wide. */
export type Spread = {
  add(value: number, id: string): void;
  quantile(part: number): number;
  readonly count: number;
  readonly isAbout: boolean;
  readonly max: number;
  /** The event with the largest value. */
  readonly maxId: string | undefined;
};

const MAX_EXACT = 256;
const WIDTH = Math.log(1.02);

export function createSpread(): Spread {
  let exact: number[] | undefined = [];
  const buckets = new Map<number, number>();
  let count = 0;
  let max = 0;
  let maxId: string | undefined;

  const drop = (value: number) => {
    const bucket = value < 1 ? -1 : Math.floor(Math.log(value) / WIDTH);
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
  };

  return {
    add(value, id) {
      count++;
      if (value > max || maxId === undefined) {
        max = value;
        maxId = id;
      }
      if (exact && exact.length < MAX_EXACT) {
        exact.push(value);
        return;
      }
      if (exact) for (const one of exact) drop(one);
      exact = undefined;
      drop(value);
    },
    quantile(part) {
      if (count === 0) return 0;
      const rank = Math.max(0, Math.ceil(part * count) - 1);
      if (exact) return [...exact].sort((a, b) => a - b)[rank] ?? 0;
      let passed = 0;
      for (const [bucket, held] of [...buckets].sort(([a], [b]) => a - b)) {
        passed += held;
        if (passed > rank) return bucket < 0 ? 0 : Math.min(max, Math.exp((bucket + 0.5) * WIDTH));
      }
      return max;
    },
    get count() {
      return count;
    },
    get isAbout() {
      return exact === undefined;
    },
    get max() {
      return max;
    },
    get maxId() {
      return maxId;
    },
  };
}
