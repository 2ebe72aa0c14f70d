/** Keeps those of the highest rank, of these the latest; all others are counted only. */
export type Latest<Item> = {
  add(item: Item, rank?: number): void;
  /** The highest rank first, within it the latest first. */
  list(): readonly Item[];
  readonly count: number;
};

export function createLatest<Item>(capacity: number): Latest<Item> {
  let kept: { readonly item: Item; readonly rank: number; readonly number: number }[] = [];
  let count = 0;
  const trim = () => {
    kept = kept.sort((a, b) => b.rank - a.rank || b.number - a.number).slice(0, capacity);
  };
  return {
    add(item, rank = 0) {
      kept.push({ item, rank, number: count++ });
      if (kept.length >= 4 * capacity) trim();
    },
    list() {
      trim();
      return kept.map(({ item }) => item);
    },
    get count() {
      return count;
    },
  };
}
