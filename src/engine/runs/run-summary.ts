/** A run as lists show it. */
export type RunSummary = {
  readonly runId: string;
  /** `queued`: its turn has not come; `waiting`: it gave its slot back until a person, or another run, has come to an end. */
  readonly status: "queued" | "running" | "waiting" | "done" | "failed";
  /** The session's id. */
  readonly session: string;
  /** In ISO 8601. */
  readonly startedAt: string;
  /** How many were made so far. */
  readonly calls: number;
  /** Why it failed. */
  readonly kind?: string;
};
