import type { NewEvent } from "../event.ts";

/** Counts events that could not be kept, so that the log can say so afterwards. */
export type Gap = {
  count(at: number, reason: string): void;
  lost(): number;
  /** What the log is told of it; it is closed then. Nothing where none was lost. */
  take(): NewEvent | undefined;
};

export function createGap(): Gap {
  let lost = 0;
  let from = 0;
  let to = 0;
  let reason = "";
  return {
    count(at, why) {
      if (lost++ === 0) {
        from = at;
        reason = why;
      }
      to = at;
    },
    lost: () => lost,
    take() {
      if (lost === 0) return undefined;
      const details = { from, to, lost, reason };
      lost = 0;
      return { action: "audit.gap", outcome: "failed", details };
    },
  };
}
