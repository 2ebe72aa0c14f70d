import type { ErrorCode } from "../errors.ts";
import type { Risk } from "../policy/risk/score.ts";
import type { Receipt } from "../result/receipt.ts";
import type { Session } from "../session.ts";

/** Where runs and calls are written down, each before its effect is told. Times are milliseconds since 1970. */
export type Recorder = {
  runStarted(run: StartedRun): void;
  callStarted(call: StartedCall): void;
  callEnded(call: EndedCall): void;
  /** Returns when all that was told of the run is on the disk. */
  runEnded(run: EndedRun): Promise<void>;
};

export type StartedRun = {
  readonly id: string;
  readonly session: Session;
  readonly code: string;
  readonly language: string;
  readonly startedAt: number;
};

export type StartedCall = {
  readonly id: string;
  readonly runId: string;
  /** As they are configured and listed; as the program wrote them, where there are none such. */
  readonly server: string;
  readonly tool: string;
  /** JSON. It is hashed, not kept. */
  readonly argumentsText: string;
  readonly startedAt: number;
};

export type EndedCall = {
  readonly id: string;
  readonly ok: boolean;
  /** Why it failed. */
  readonly code?: ErrorCode;
  /** What came back; hashed, not kept. Nothing for an answer that the host does not read. */
  readonly resultText?: string;
  readonly resultBytes: number;
  readonly ms: number;
};

export type EndedRun = {
  readonly id: string;
  readonly status: "done" | "failed" | "waiting";
  /** Of its failure. */
  readonly kind?: string;
  readonly receipt: Receipt;
  readonly risk?: Risk;
  readonly endedAt: number;
};
