import { followAbort } from "../../mcp/on-abort.ts";

/** The calls that wait for one question. A program can give up its calls: then nobody needs an answer. */
export type Callers = {
  add(signal: AbortSignal): void;
  onNone(tell: () => void): void;
};

export function createCallers(signals: readonly AbortSignal[]): Callers {
  const left = new Set<AbortSignal>();
  let tellNone = () => {};
  const add = (signal: AbortSignal) => {
    if (signal.aborted || left.has(signal)) return;
    left.add(signal);
    followAbort(signal, () => {
      left.delete(signal);
      if (left.size === 0) tellNone();
    });
  };
  for (const signal of signals) add(signal);
  return {
    add,
    onNone(tell) {
      tellNone = tell;
      if (left.size === 0) tell();
    },
  };
}
