import type { KeyholeError } from "../../errors.ts";
import { toFailureKind } from "../../run-failure.ts";
import type { Session } from "../../session.ts";
import { tellIfPossible } from "./open-trail.ts";
import { type AuditTrail, toHashed, toWhose } from "./trail.ts";

/** A program that was not begun. */
export type RefusedRun = {
  readonly session: Session;
  readonly code: string;
  /** Where it had one already. */
  readonly run?: string | undefined;
  /** In words of ours. */
  readonly failure: KeyholeError;
};

export type RefusedRuns = { refused(run: RefusedRun): void; close(): void };

/** So many are told one by one in a minute; the next one that is told says how many there were before it. */
const MAX_A_MINUTE = 20;
const MINUTE_MS = 60_000;

/** An agent that does not take no for an answer is a few events. */
export function createRefusedRuns(trail: AuditTrail, now = () => performance.now()): RefusedRuns {
  let since = Number.NEGATIVE_INFINITY;
  let told = 0;
  let untold = 0;
  let last: RefusedRun | undefined;

  function tell({ session, code, run, failure }: RefusedRun, more: number): void {
    const kind = toFailureKind(failure.code);
    tellIfPossible(trail, {
      action: "run.refused",
      ...toWhose(session),
      ...(run !== undefined && { run }),
      outcome: "denied",
      error: failure.message,
      details: { code: toHashed(trail, code), kind, ...(more > 0 && { more }) },
    });
  }

  return {
    refused(run) {
      if (now() - since >= MINUTE_MS) {
        since = now();
        told = 0;
      }
      if (told++ < MAX_A_MINUTE) {
        tell(run, untold);
        untold = 0;
      } else {
        untold++;
        last = run;
      }
    },
    close() {
      if (last !== undefined && untold > 0) tell(last, untold - 1);
      untold = 0;
    },
  };
}
