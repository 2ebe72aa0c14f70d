import type { Outbox } from "../../result/outbox/outbox.ts";
import type { SavedResults } from "../../workspace/saved-results.ts";
import type { RunResult, WaitingRun } from "../engine.ts";
import type { EventHub } from "../events/events.ts";
import type { Started } from "../runs/active-runs.ts";
import type { RunReports } from "../runs/run-reports.ts";
import type { Run } from "./run-record.ts";
import { showSoFar, toReceipt } from "./show.ts";

export type AnswerContext = {
  readonly answerAfterMs: number;
  readonly reports: RunReports;
  readonly events: EventHub;
  readonly results: SavedResults;
  readonly outputTokens: number;
  readonly outbox: Outbox;
};

/**
 * What a run came to; or, when it takes too long for a client to wait, what there is so far: then the run goes on, and is
 * its client's no more. Where too many go on already, its client waits as long as it takes.
 */
export async function answerInTime({ active, ended }: Started, context: AnswerContext): Promise<RunResult> {
  const inTime = await within(ended, context.answerAfterMs);
  if (inTime !== undefined) return inTime;
  const { run } = active;
  if (run === undefined || active.signal.aborted || !context.reports.letGoOn(active, ended)) return ended;
  const { id: runId, session } = active;
  context.events.tell({ runId, session: session.id, principal: session.principal }, { kind: "went_on" });
  active.shownBlocks = run.emitted.length;
  return toWaitingRun(run, context);
}

async function toWaitingRun(run: Run, context: AnswerContext): Promise<WaitingRun> {
  const emitted = [...run.emitted];
  const calls = [...run.calls];
  const logs = run.logs.map(({ level, text }) => ({ level, text }));
  const text = await showSoFar(run, context);
  run.tellAnswered(text);
  return {
    runId: run.id,
    ok: false,
    status: "waiting",
    for: [{ kind: "run", runId: run.id }],
    logs,
    calls,
    emitted,
    receipt: toReceipt(run, text),
    ...(run.risk && { risk: run.risk }),
    text,
  };
}

/** Undefined when it takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, passed]);
  } finally {
    clearTimeout(timer);
  }
}
