import { KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { type JournalReader, readJournal } from "../journal/read-journal.ts";
import type { RecordedCall, RecordedRun, WholeRun } from "../journal/recorded-runs.ts";
import { isRunId, markCancelled } from "./cancel-marks.ts";
import type { RunSummary } from "./run-summary.ts";

/** Runs of all processes, for one that has none of its own: what is written down of them, and how to end one. */

export type RunDetails = RunSummary &
  Pick<WholeRun, "principal" | "client" | "language" | "code" | "receipt"> & {
    readonly endedAt?: string;
    readonly made: readonly RecordedCall[];
  };

/** The latest first. */
export async function readRuns(projectDir: string, limit: number, homeDir?: string): Promise<RunSummary[]> {
  const read = async (journal: JournalReader) => (await journal.listRuns({ limit })).map(toSummary);
  return readJournal(projectDir, read, homeDir);
}

export async function readRun(projectDir: string, runId: string, homeDir?: string): Promise<RunDetails> {
  const run = await readJournal(projectDir, (journal) => journal.getRun(runId), homeDir);
  if (run === undefined) throw noRun(`There is no run ${JSON.stringify(toExcerpt(runId, 40))} here`);
  const { principal, client, language, code, receipt, endedAt, calls } = run;
  return {
    ...toSummary({ ...run, calls: calls.length }),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    principal,
    client,
    language,
    code,
    ...(receipt !== undefined && { receipt }),
    made: calls,
  };
}

/** Throws unless some process had the run, and ended it. */
export async function cancelRun(projectDir: string, runId: string): Promise<void> {
  const name = JSON.stringify(toExcerpt(runId, 40));
  if (!isRunId(runId)) throw noRun(`${name} is no id of a run`);
  await readJournal(projectDir, async (journal, state) => {
    const run = await journal.getRun(runId);
    if (run !== undefined && (run.status === "done" || run.status === "failed" || run.status === "lost"))
      throw noRun(`The run ${name} has ended already`);
    if (!(await markCancelled(state, runId))) throw noRun(`No process runs ${name} here`);
  });
}

function toSummary({ id, status, kind, session, startedAt, calls }: RecordedRun): RunSummary {
  return {
    runId: id,
    status,
    session,
    startedAt: new Date(startedAt).toISOString(),
    calls,
    ...(kind !== undefined && { kind }),
  };
}

function noRun(message: string): KeyholeError {
  return new KeyholeError("usage", message, { hint: "Take an id from the list of runs" });
}
