import { isRecord } from "../../text/is-record.ts";

/** Both are in it. */
export type SequenceRange = readonly [from: number, to: number];

/** What an event of retention says; it can only speak of events before it. */
export function parseTakenOut(body: string, sequence: number): SequenceRange[] {
  const value: unknown = JSON.parse(body);
  const details = isRecord(value) ? value["details"] : undefined;
  const ranges = isRecord(details) ? details["ranges"] : undefined;
  if (!Array.isArray(ranges)) return [];
  return ranges.flatMap((range: unknown): SequenceRange[] => {
    if (!Array.isArray(range)) return [];
    const [from, to]: unknown[] = range;
    return typeof from === "number" && typeof to === "number" && from <= to && to < sequence
      ? [[from, to]]
      : [];
  });
}

/** The first sequence of each piece of some ranges, in their order, that no other range covers. One pass over both, however many. */
export function findUncovered(
  wanted: readonly SequenceRange[],
  covering: readonly SequenceRange[],
): number[] {
  const sorted = [...covering].sort((a, b) => a[0] - b[0]);
  const uncovered: number[] = [];
  let index = 0;
  /** Up to here, from wherever the last look began, everything is covered. */
  let covered: [from: number, to: number] = [0, 0];
  for (const [from, to] of wanted) {
    for (let next = from; next <= to; ) {
      while (covered[1] < next && index < sorted.length) {
        const range = sorted[index];
        if (range === undefined || range[0] > next) break;
        if (range[1] > covered[1]) covered = [range[0], range[1]];
        index += 1;
      }
      if (covered[1] >= next) {
        next = covered[1] + 1;
        continue;
      }
      uncovered.push(next);
      // To where the next range begins that covers any of it.
      next = Math.max(next + 1, sorted[index]?.[0] ?? to + 1);
    }
  }
  return uncovered;
}
