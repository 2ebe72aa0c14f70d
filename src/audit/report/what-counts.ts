import type { LogFilter } from "../query/filter.ts";
import type { LoggedEvent } from "../reader.ts";

/** What a call that was made can have come to: one that waits for a person was not made, or not yet. */
export const MADE = ["ok", "failed", "denied", "asked", "cancelled"] as const;
export const MADE_NOT_OK = ["failed", "denied", "asked", "cancelled"] as const;

/** Calls that were made; one that was answered from a run's record was made, and counted, before. */
export const MADE_CALLS = {
  actions: ["call.ended"],
  outcomes: MADE,
  where: [{ field: "details.isReplayed", is: null }],
} as const satisfies LogFilter;

export function isMadeCall(event: LoggedEvent): boolean {
  return (
    event.action === "call.ended" &&
    event.outcome !== "waiting" &&
    (event.details?.isReplayed ?? undefined) === undefined
  );
}

/** Programs: one that waited and went on is told again, and is the same. */
export const PROGRAMS = {
  actions: ["run.started"],
  where: [{ field: "details.resumes", is: null }],
} as const satisfies LogFilter;

export function isProgram(event: LoggedEvent): boolean {
  return event.action === "run.started" && (event.details?.resumes ?? undefined) === undefined;
}
