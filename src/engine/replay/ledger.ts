import type { LedgerEntry } from "./ledger-entry.ts";
import type { ReplayedCall } from "./replay-run.ts";

export function toLedger(writes: readonly ReplayedCall[]): LedgerEntry[] {
  return writes
    .map(({ server, tool, number, effect, arguments: args }) => ({
      server,
      tool,
      number,
      effect,
      ...(args !== undefined && { arguments: args }),
    }))
    .sort((a, b) => a.number - b.number);
}
