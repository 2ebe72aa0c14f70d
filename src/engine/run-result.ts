import type { Impact } from "../policy/risk/impact.ts";
import type { Risk } from "../policy/risk/score.ts";
import type { Receipt } from "../result/receipt.ts";
import type { RunFailure } from "../run-failure.ts";
import type { LedgerEntry } from "./replay/ledger-entry.ts";

// What users of the library compile against: nothing here may need the types of another package.

export type RunLimits = {
  /** The program's own time, neither calls nor sleep (`maxExecutionTime`); its CPU time grows with it. */
  readonly timeoutMs?: number | undefined;
  /** Time in which nothing is under way but timers (`maxSleepTime`). */
  readonly sleepMs?: number | undefined;
  /** At most what `resourceLimits.memory` says: that much is set aside for every program. */
  readonly memoryBytes?: number | undefined;
  /** Tool calls, searches and looks into `./servers` together. */
  readonly calls?: number | undefined;
  /** Tokens that the answer for the model may take (`output.tokens`). */
  readonly outputTokens?: number | undefined;
};

/** The global `AbortSignal`, also for those who compile against this without types that declare it. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } } ? Known : never;

/** `status` tells them apart; `ok` is true of a run that is done. */
export type RunResult = DoneRun | FailedRun | WaitingRun;

/** A run that has ended, or that can't go on before somebody has answered. */
export type FinishedRun = DoneRun | FailedRun | WaitingRun;

type AnyRun = {
  readonly runId: string;
  readonly logs: readonly { readonly level: "debug" | "info" | "warn" | "error"; readonly text: string }[];
  readonly calls: readonly RunCall[];
  readonly receipt: Receipt;
  /** How much the program risks, by its text; nothing where it could not be read. */
  /** What it has changed out there, of a run that did not come to its end. */
  readonly ledger?: readonly LedgerEntry[] | undefined;
  readonly risk?: Risk;
  /** What the program would touch, as far as its text shows. */
  readonly impact?: Impact;
  /** What the model sees; it has passed the outbox. The rest is for whoever asked for the run. */
  readonly text: string;
  /** Content blocks that the program handed to the user by `emit`. */
  readonly emitted: readonly unknown[];
};

export type DoneRun = AnyRun & {
  readonly ok: true;
  readonly status: "done";
  /** What the program returned, as JSON has it; undefined when that was nothing. */
  readonly result: unknown;
  readonly error?: undefined;
  readonly for?: undefined;
};

export type FailedRun = AnyRun & {
  readonly ok: false;
  readonly status: "failed";
  readonly result?: undefined;
  readonly error: RunFailure;
  readonly for?: undefined;
};

/** It has not ended, and has neither a result nor an error yet. The rest is what there was so far. */
export type WaitingRun = AnyRun & {
  readonly ok: false;
  readonly status: "waiting";
  readonly for: readonly WaitedFor[];
  readonly result?: undefined;
  readonly error?: undefined;
};

/** What must happen before the answer is there. `run`: the program goes on, and `runs.result(runId)` has what it comes to. */
export type WaitedFor =
  | { readonly kind: "run"; readonly runId: string }
  /** `approval`: a person must answer it; then the run goes on, or the same program, sent again, goes on from there. */
  | { readonly kind: "approval"; readonly approvalId: string };

export type RunCall = {
  readonly server: string;
  readonly tool: string;
  readonly ms: number;
  readonly ok: boolean;
  /** It was not sent: what it returned is what an equal call returned before. */
  readonly cached?: true;
  /** It has no answer yet, so that it is neither `ok` nor failed. */
  readonly isUnderWay?: true;
};
