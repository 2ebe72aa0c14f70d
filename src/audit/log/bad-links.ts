import { isSameHash, toChainHash } from "./chain.ts";
import type { LogRow } from "./log-store.ts";
import type { LogProblem } from "./problems.ts";

/** A row whose link to the one before does not hold. */
export type BadLink = {
  readonly row: LogRow;
  readonly before: Uint8Array;
  /** The one before it is bad, too: that may be the reason. */
  readonly isFollowing: boolean;
};

/** What became of them: rows that fit in each other's places have changed places, others were changed. */
export function toLinkProblems(links: readonly BadLink[]): LogProblem[] {
  const moved = new Map<number, number>();
  for (const { row, before } of links) {
    const right = links.find(
      (other) => other.row !== row && isSameHash(toChainHash(before, other.row.leaf), other.row.hash),
    );
    if (right === undefined) continue;
    moved.set(row.sequence, right.row.sequence);
  }
  const reordered = [...moved].map(([place, found]): LogProblem => {
    const id = links.find(({ row }) => row.sequence === found)?.row.columns.id;
    const message = `The event that belongs at ${place} stands at ${found}`;
    return { kind: "reordered", sequence: place, ...(id !== undefined && id !== "" && { id }), message };
  });
  const strangers = new Set([...moved.keys(), ...moved.values()]);
  const changed = links
    .filter(({ row, isFollowing }) => !isFollowing && !strangers.has(row.sequence))
    .filter(({ row }) => !strangers.has(row.sequence - 1))
    .map(({ row: { sequence, columns } }): LogProblem => {
      const message = `Event ${sequence} was changed, or one before it was removed or inserted: the chain is broken there`;
      return { kind: "changed", sequence, ...(columns.id !== "" && { id: columns.id }), message };
    });
  return [...reordered, ...changed];
}
