import type { Outbox } from "../../result/outbox/outbox.ts";
import type { SavedResults } from "../../workspace/saved-results.ts";
import type { RunResult, WaitedFor, WaitingRun } from "../engine.ts";
import type { EventHub } from "../events/events.ts";
import type { Recorder } from "../recorder.ts";
import type { ActiveRun, Started } from "../runs/active-runs.ts";
import type { RunReports } from "../runs/run-reports.ts";
import type { EngineTiers } from "../tiers/engine-tiers.ts";
import { concealSoFar } from "./conceal.ts";
import type { Run } from "./run-record.ts";
import { showSoFar, toReceipt } from "./show.ts";

export type AnswerContext = {
  readonly answerAfterMs: number;
  readonly journal: Pick<Recorder, "runTaken" | "runStatus" | "committed">;
  readonly reports: RunReports;
  readonly events: EventHub;
  readonly results: SavedResults;
  readonly outputTokens: number;
  outboxOf(principal: string): Outbox;
  answerBy(approvalId: string): string;
  readonly tiers: Pick<EngineTiers, "withNote">;
};

/** After which it is tried again to let a run go on, where too many do already. */
const LOOK_AGAIN_MS = 1_000;

/**
 * What a run came to; or, when it takes too long for a client to wait, what there is so far: then the run goes on, and is
 * its client's no more. Where too many go on already, its client waits until one of them has ended.
 */
export async function answerInTime(
  { active, ended }: Started,
  context: AnswerContext,
  awayMs: () => number = () => 0,
): Promise<RunResult> {
  let inTime = await within(ended, context.answerAfterMs);
  let grantedMs = 0;
  while (inTime === undefined && awayMs() > grantedMs) {
    const moreMs = Math.max(awayMs() - grantedMs, LOOK_AGAIN_MS);
    grantedMs += moreMs;
    inTime = await within(ended, moreMs);
  }
  while (inTime === undefined) {
    const { run } = active;
    if (active.signal.aborted) return ended;
    if (run !== undefined && context.reports.letGoOn(active, ended)) return goOn(active, run, context);
    inTime = await within(ended, LOOK_AGAIN_MS);
  }
  return inTime;
}

async function goOn(active: ActiveRun, run: Run, context: AnswerContext): Promise<WaitingRun> {
  const { id: runId, session } = active;
  context.events.tell({ runId, session: session.id, principal: session.principal }, { kind: "went_on" });
  active.shownBlocks = run.emitted.length;
  const answer = await toWaitingRun(run, context);
  const { code, language = "" } = run.request;
  // Whoever is told of it must find it, also after a kill: what comes before its turn may take longer than that.
  context.journal.runTaken({ id: runId, session, code, language, takenAt: Date.now() });
  context.journal.runStatus(runId, "waiting");
  await context.journal.committed().catch((error: unknown) => {
    active.cancel({ channel: "failure" });
    throw error;
  });
  return answer;
}

async function toWaitingRun(run: Run, context: AnswerContext): Promise<WaitingRun> {
  const calls = [...run.calls];
  const soFar = await concealSoFar(run);
  const { emitted } = soFar;
  const logs = soFar.logs.map(({ level, text }) => ({ level, text }));
  const text = await showSoFar(run, soFar, context);
  run.tellAnswered(text);
  return {
    runId: run.id,
    ok: false,
    status: "waiting",
    for: toWaitedFor(run),
    logs,
    calls,
    emitted,
    receipt: toReceipt(run, text, emitted),
    ...(run.risk && { risk: run.risk }),
    ...(run.impact && { impact: run.impact }),
    text,
  };
}

/** A person, where one is asked; else its end. */
export function toWaitedFor(run: Run): readonly WaitedFor[] {
  const asked = run.gate?.desk.open() ?? [];
  if (asked.length === 0) return [{ kind: "run", runId: run.id }];
  return asked.map((approvalId) => ({ kind: "approval", approvalId }));
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
