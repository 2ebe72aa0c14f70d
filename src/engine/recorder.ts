import type { ErrorCode } from "../errors.ts";
import type { Risk } from "../policy/risk/score.ts";
import type { Receipt } from "../result/receipt.ts";
import type { FailureKind } from "../run-failure.ts";
import type { Session } from "../session.ts";
import type { LedgerEntry } from "./replay/ledger-entry.ts";

/** Where runs and calls are written down, each before its effect is told. Times are milliseconds since 1970. */
export type Recorder = {
  /** It waits for its turn. Told twice, it counts once. Throws where nothing is run that can't be written down. */
  runTaken(run: TakenRun): void;
  /** `waiting`: it was answered before its end, and goes on. What comes out of order is passed over. */
  runStatus(id: string, status: "running" | "waiting"): void;
  /** Throws where no call is made that can't be written down. */
  callStarted(call: StartedCall): void;
  callEnded(call: EndedCall): void;
  /** Returns when all that was told of the run is on the disk. */
  runEnded(run: EndedRun): Promise<void>;
  /** Returns when all that was told so far is on the disk: before an answer leaves. */
  committed(): Promise<void>;
};

export type TakenRun = {
  readonly id: string;
  readonly session: Session;
  readonly code: string;
  readonly language: string;
  readonly takenAt: number;
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
  /** Of one whose result may be kept: whether it was answered with one that was. */
  readonly isCached?: boolean;
};

export type EndedRun = {
  readonly id: string;
  readonly status: "done" | "failed" | "waiting";
  /** Of its failure. */
  readonly kind?: FailureKind;
  readonly receipt: Receipt;
  readonly risk?: Risk;
  readonly ledger?: readonly LedgerEntry[];
  readonly endedAt: number;
};
