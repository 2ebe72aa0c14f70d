import { KeyholeError } from "../../errors.ts";
import { followAbort, unfollowAbort } from "../../mcp/on-abort.ts";
import type { Session } from "../../session.ts";
import { randomId } from "../../text/random-id.ts";
import type { FinishedRun, RunRequest } from "../engine.ts";
import type { Run } from "../run/run-record.ts";
import { type CancelledBy, noteCancelled } from "./cancelled-by.ts";
import type { RunSummary } from "./run-summary.ts";

/** A run under way. */
export type ActiveRun = {
  readonly id: string;
  readonly session: Session;
  readonly startedAt: number;
  /** How long ago that was, whatever became of the clock. */
  passedMs(): number;
  readonly signal: AbortSignal;
  /** There from the moment that it waits for its turn. */
  run: Run | undefined;
  /** Other sessions that sent the same program, and wait for the same. */
  readonly joined: Set<string>;
  /** Blocks that the answer before its end has shown; absent until there was one. */
  shownBlocks: number | undefined;
  cancel(by: CancelledBy): void;
  /** The client can end it no more. */
  detach(): void;
};

/** The questions to people that it is held for. */
export function toOpenQuestions(active: ActiveRun | undefined): string[] {
  return active?.run?.gate?.desk.open() ?? [];
}

export type ActiveRuns = {
  /** Has a run done, and told apart from all others while it goes on. Throws when no more are taken. */
  run(request: RunRequest, work: (active: ActiveRun) => Promise<FinishedRun>, id?: string): Started;
  get(id: string): ActiveRun | undefined;
  /** What it comes to, while it is under way. */
  endOf(id: string): Promise<FinishedRun> | undefined;
  all(): readonly ActiveRun[];
  /** Takes no more, ends those under way, and returns when they have ended. */
  close(): Promise<void>;
};

export type Started = { readonly active: ActiveRun; readonly ended: Promise<FinishedRun> };

/** @param onAdd told when there is one more */
export function createActiveRuns(onAdd: () => void): ActiveRuns {
  const runs = new Map<string, ActiveRun>();
  const underWay = new Map<string, Promise<FinishedRun>>();
  let isClosed = false;
  return {
    run(request, work, id) {
      if (isClosed) throw new KeyholeError("cancelled", "Nothing ran: Keyhole is closing");
      const { active, release } = toActive(request, id);
      runs.set(active.id, active);
      onAdd();
      request.onStart?.(active.id);
      const ended = work(active).finally(() => {
        release();
        runs.delete(active.id);
        underWay.delete(active.id);
      });
      underWay.set(active.id, ended);
      return { active, ended };
    },
    get: (id) => runs.get(id),
    endOf: (id) => underWay.get(id),
    all: () => [...runs.values()],
    async close() {
      isClosed = true;
      for (const { cancel } of runs.values()) cancel({ channel: "stop" });
      await Promise.allSettled(underWay.values());
    },
  };
}

export function toActiveSummary({ id, session, startedAt, run }: ActiveRun): RunSummary {
  return {
    runId: id,
    status: run?.status ?? "queued",
    session: session.id,
    principal: session.principal,
    startedAt: new Date(startedAt).toISOString(),
    calls: run?.calls.length ?? 0,
  };
}

function toActive(
  { session, signal }: RunRequest,
  id = randomId("r"),
): { active: ActiveRun; release(): void } {
  const stop = new AbortController();
  const cancel = (by: CancelledBy) => {
    if (!stop.signal.aborted) noteCancelled(stop.signal, by);
    stop.abort();
  };
  const leave = () => cancel({ channel: "client" });
  // Many runs may share a signal: each of them listening would be taken for a leak.
  const detach = () => signal && unfollowAbort(signal, leave);
  if (signal?.aborted) leave();
  else if (signal) followAbort(signal, leave);
  const startMs = performance.now();
  return {
    active: {
      id,
      session,
      startedAt: Date.now(),
      passedMs: () => performance.now() - startMs,
      signal: stop.signal,
      run: undefined,
      joined: new Set(),
      shownBlocks: undefined,
      cancel,
      detach,
    },
    release: detach,
  };
}
