import { LINE_CHARS, toArgumentsText } from "../../result/arguments-text.ts";
import type { CallOutcome } from "../../result/call-log.ts";
import type { Run } from "../run/run-record.ts";
import type { LedgerEntry, WriteEffect } from "./ledger-entry.ts";
import type { ReplayedCall } from "./replay-run.ts";

/** The writes of a run so far: by its record, or by what was noted of its calls. */
export function ledgerOf(run: Pick<Run, "gate" | "kept" | "calls" | "callLog">): LedgerEntry[] {
  const { gate, kept } = run;
  const writes = gate?.durable?.writes ?? kept?.calls.filter(({ isWrite }) => isWrite);
  return writes === undefined ? fromCalls(run) : toLedger(writes);
}

function toLedger(writes: readonly ReplayedCall[]): LedgerEntry[] {
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

const EFFECTS: Readonly<Record<CallOutcome, WriteEffect>> = {
  done: "landed",
  failed: "failed",
  unsent: "failed",
  unknown: "unknown",
};

function fromCalls({ calls, callLog }: Pick<Run, "calls" | "callLog">): LedgerEntry[] {
  return callLog.calls.flatMap(({ outcome, written }, index) => {
    const call = calls[index];
    if (written === undefined || call === undefined) return [];
    const { server, tool } = call;
    const args = toArgumentsText(written, LINE_CHARS);
    return [{ server, tool, number: index + 1, effect: EFFECTS[outcome], arguments: args }];
  });
}
