/** One write of a run, and what became of it. */
export type LedgerEntry = {
  readonly server: string;
  readonly tool: string;
  readonly number: number;
  readonly effect: WriteEffect;
  /** What it was made with, in a line of at most 300 characters. Not in the journal. */
  readonly arguments?: string;
};

/** Unknown: it was sent, and nobody has heard what became of it. */
export type WriteEffect = "landed" | "failed" | "unknown";
