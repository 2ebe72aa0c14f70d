import type { WebConnection } from "../../network/connection.ts";
import type { FailureKind } from "../../run-failure.ts";

/** What happens while a program runs, as whoever started it is told. */
export type RunEvent =
  | { readonly kind: "log"; readonly level: "debug" | "info" | "warn" | "error"; readonly text: string }
  | { readonly kind: "call"; readonly server: string; readonly tool: string; readonly number: number }
  | {
      readonly kind: "called";
      /** It was not sent: an equal call had been. */
      readonly cached?: true;
      readonly server: string;
      readonly tool: string;
      readonly ok: boolean;
      readonly ms: number;
    }
  /** A person is asked whether so many of its calls may be made; until then the program is held. */
  | { readonly kind: "asked"; readonly approvalId: string; readonly calls: number };

const TOLD: readonly string[] = ["log", "call", "called", "asked"] satisfies RunEvent["kind"][];

export function isRunEvent(event: EngineEvent): event is EngineEvent & RunEvent {
  return TOLD.includes(event.kind);
}

/** The event without whose it is. */
export function toRunEvent(event: EngineEvent & RunEvent): RunEvent {
  const { sequence: _sequence, runId: _runId, session: _session, principal: _principal, ...body } = event;
  return body;
}

/** What becomes of a run. */
type RunChange =
  /** It was taken, and waits for its turn. */
  | { readonly kind: "queued" }
  /** Its turn has come. */
  | { readonly kind: "started" }
  /** It reached something over the network, or was refused it. */
  | ({ readonly kind: "connection" } & Omit<WebConnection, "runId">)
  /** It was answered though it goes on. */
  | { readonly kind: "went_on" }
  | { readonly kind: "ended"; readonly status: "done" | "waiting" }
  | { readonly kind: "ended"; readonly status: "failed"; readonly failure: FailureKind };

/** A listener that is slow was not told of so many events; this one has the last of them's run, session and number. */
type Dropped = { readonly kind: "dropped"; readonly count: number };

/** Whose it is. */
export type EventSource = {
  readonly runId: string;
  /** By its id. */
  readonly session: string;
  readonly principal: string;
};

export type EngineEvent = EventSource & {
  /** Counted from 1 over all events of an engine. */
  readonly sequence: number;
} & (RunEvent | RunChange | Dropped);

/** An event as it is told: the rest is the engine's to say. */
export type EventBody = RunEvent | RunChange;
