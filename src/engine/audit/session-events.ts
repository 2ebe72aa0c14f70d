import type { Session } from "../../session.ts";
import { type AuditTrail, toWhose } from "./trail.ts";

/** Sessions as they are first and last heard of. */
export type SessionTrail = {
  /** Something was asked in it; `isRun`: that a program is run. */
  saw(session: Session, isRun: boolean): void;
  ended(session: Pick<Session, "id">, reason?: string): void;
  /** Runs of all sessions. */
  readonly runs: number;
  close(reason?: string): void;
};

/** Of one process. One that was not heard of for longest is told as closed when there are more. */
const MAX_SESSIONS = 10_000;

export function createSessionTrail(trail: AuditTrail): SessionTrail {
  const open = new Map<string, { readonly session: Session; runs: number }>();
  let runs = 0;

  function close(id: string, reason?: string): void {
    const known = open.get(id);
    if (known === undefined) return;
    open.delete(id);
    const details = { runs: known.runs, ...(reason !== undefined && { reason }) };
    trail.add({ action: "session.closed", ...toWhose(known.session), outcome: "ok", details });
  }

  return {
    saw(session, isRun) {
      if (isRun) runs++;
      const known = open.get(session.id) ?? { session, runs: 0 };
      const isNew = !open.has(session.id);
      // The one that was heard of last is last.
      open.delete(session.id);
      open.set(session.id, known);
      if (isRun) known.runs++;
      if (!isNew) return;
      const details = { front: session.front ?? "unknown" };
      trail.add({ action: "session.opened", ...toWhose(session), outcome: "ok", details });
      const [oldest] = open.keys();
      if (open.size > MAX_SESSIONS && oldest !== undefined) close(oldest, "too many are open");
    },
    ended: ({ id }, reason) => close(id, reason),
    get runs() {
      return runs;
    },
    close(reason = "Keyhole stopped") {
      for (const id of [...open.keys()]) close(id, reason);
    },
  };
}
