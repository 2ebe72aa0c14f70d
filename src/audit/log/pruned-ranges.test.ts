import "../../../test/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findUncovered, parseTakenOut } from "./pruned-ranges.ts";

const range = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.nat(8))
  .map(([from, more]) => [from, from + more] as const);

/** Apart from each other, in their order, as the rows of a log give them. */
function toRuns(sequences: ReadonlySet<number>): [number, number][] {
  const runs: [number, number][] = [];
  for (const sequence of [...sequences].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === sequence - 1) last[1] = sequence;
    else runs.push([sequence, sequence]);
  }
  return runs;
}

const toSet = (ranges: readonly (readonly [number, number])[]) =>
  new Set(ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index)));

describe("what retention says that it took out", () => {
  it("covers what it names, and nothing else", () => {
    fc.assert(
      fc.property(fc.array(range), fc.array(range), (wanted, covering) => {
        const runs = toRuns(toSet(wanted));
        const covered = toSet(covering);
        const missing = new Set([...toSet(wanted)].filter((sequence) => !covered.has(sequence)));
        const firsts = runs.flatMap(([from, to]) =>
          toRuns(new Set([...missing].filter((sequence) => sequence >= from && sequence <= to))).map(
            ([first]) => first,
          ),
        );
        expect(findUncovered(runs, covering)).toEqual(firsts);
      }),
    );
  });

  it("is asked quickly for a million ranges", () => {
    const many = Array.from({ length: 500_000 }, (_, index) => [index * 2 + 1, index * 2 + 1] as const);
    expect(findUncovered(many, [...many].reverse())).toEqual([]);
  });

  it("is nothing where it speaks of events after it, or says something else", () => {
    const body = (ranges: unknown) => JSON.stringify({ details: { ranges } });
    expect(parseTakenOut(body([[1, 3], [5, 4], ["a", 2], [8, 10], 4]), 10)).toEqual([[1, 3]]);
    for (const text of ["null", "{}", '{"details":5}', body("x")])
      expect(parseTakenOut(text, 10)).toEqual([]);
  });
});
