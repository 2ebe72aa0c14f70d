import { KeyholeError } from "../../errors.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { RunCall } from "../engine.ts";
import { createJournal, type JournalEntry } from "../journal.ts";
import { isRunId, markCancelled } from "./cancel-marks.ts";
import type { RunSummary } from "./run-summary.ts";

/** Runs of all processes, for one that has none of its own: what is written down of them, and how to end one. */

export type RunDetails = RunSummary & {
  readonly made: readonly RunCall[];
  readonly receipt: Readonly<Record<string, unknown>>;
};

/** The latest first. */
export async function readRuns(projectDir: string, limit: number): Promise<RunSummary[]> {
  return (await readEntries(projectDir)).slice(-limit).reverse().map(toSummary);
}

export async function readRun(projectDir: string, runId: string): Promise<RunDetails> {
  const entry = (await readEntries(projectDir)).findLast((one) => one.runId === runId);
  if (entry === undefined) throw noRun(`There is no run ${JSON.stringify(toExcerpt(runId, 40))} here`);
  return { ...toSummary(entry), made: entry.calls, receipt: entry.receipt };
}

/** Throws unless some process had the run, and ended it. */
export async function cancelRun(projectDir: string, runId: string): Promise<void> {
  const name = JSON.stringify(toExcerpt(runId, 40));
  if (!isRunId(runId)) throw noRun(`${name} is no id of a run`);
  if (await markCancelled(await openStateDir(projectDir), runId)) return;
  const hasEnded = (await readEntries(projectDir)).some((one) => one.runId === runId);
  throw noRun(hasEnded ? `The run ${name} has ended already` : `No process runs ${name} here`);
}

async function readEntries(projectDir: string): Promise<JournalEntry[]> {
  return createJournal(await openStateDir(projectDir)).read();
}

function toSummary({ runId, ok, kind, session, at, calls, receipt }: JournalEntry): RunSummary {
  return {
    runId,
    status: ok ? "done" : "failed",
    session,
    startedAt: toStart(at, receipt),
    calls: calls.length,
    ...(kind === undefined ? {} : { kind }),
  };
}

/** The journal has when a run ended, and how long its phases took. */
function toStart(at: string, receipt: JournalEntry["receipt"]): string {
  const phases = receipt["phasesMs"];
  const tookMs = Object.values(typeof phases === "object" && phases !== null ? phases : {}).reduce(
    (sum: number, ms) => sum + (typeof ms === "number" ? ms : 0),
    0,
  );
  const started = new Date(Date.parse(at) - tookMs);
  return Number.isNaN(started.getTime()) ? at : started.toISOString();
}

function noRun(message: string): KeyholeError {
  return new KeyholeError("usage", message, { hint: "Take an id from the list of runs" });
}
