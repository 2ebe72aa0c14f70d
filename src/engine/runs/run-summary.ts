import type { FailureKind } from "../../run-failure.ts";

/** A run as lists show it. */
export type RunSummary = {
  readonly runId: string;
  /** `queued`: its turn has not come; `waiting`: it gave its slot back until a person, or another run, has come to an end; `lost`:
   * its process ended before it did.
   */
  readonly status: "queued" | "running" | "waiting" | "done" | "failed" | "lost";
  /** The session's id. */
  readonly session: string;
  readonly principal: string;
  /** In ISO 8601. */
  readonly startedAt: string;
  /** How many were made so far. */
  readonly calls: number;
  /** Why it failed. */
  readonly kind?: FailureKind;
};
