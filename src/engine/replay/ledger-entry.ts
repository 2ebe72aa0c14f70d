/** One write of a run, and what became of it. */
export type LedgerEntry = {
  readonly server: string;
  readonly tool: string;
  readonly number: number;
  readonly effect: WriteEffect;
};

/** Unknown: it was sent, and nobody has heard what became of it. */
export type WriteEffect = "landed" | "failed" | "unknown";
