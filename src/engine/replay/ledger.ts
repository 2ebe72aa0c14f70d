import type { ReplayedCall, WriteEffect } from "./replay-run.ts";

/** One write of a run, and what became of it. Unknown: it was sent, and nobody has heard more. */
export type LedgerEntry = {
  readonly server: string;
  readonly tool: string;
  readonly number: number;
  readonly effect: WriteEffect;
};

export function toLedger(writes: readonly ReplayedCall[]): LedgerEntry[] {
  return writes
    .map(({ server, tool, number, effect }) => ({ server, tool, number, effect }))
    .sort((a, b) => a.number - b.number);
}
