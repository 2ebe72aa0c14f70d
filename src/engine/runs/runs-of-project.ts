import { KeyholeError } from "../../errors.ts";
import { isFailureKind } from "../../run-failure.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { type JournalReader, readJournal } from "../journal/read-journal.ts";
import type { RecordedCall, RecordedRun, WholeRun } from "../journal/recorded-runs.ts";
import type { RunSummary } from "./run-summary.ts";

/** Runs of all processes, for one that has none of its own: what is written down of them. */

export type RunDetails = RunSummary &
  Pick<WholeRun, "client" | "language" | "code" | "receipt"> & {
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
  const { client, language, code, receipt, endedAt, calls } = run;
  return {
    ...toSummary({ ...run, calls: calls.length }),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    client,
    language,
    code,
    ...(receipt !== undefined && { receipt }),
    made: calls,
  };
}

function toSummary({ id, status, kind, session, principal, startedAt, calls }: RecordedRun): RunSummary {
  return {
    runId: id,
    status,
    session,
    principal,
    startedAt: new Date(startedAt).toISOString(),
    calls,
    ...(kind !== undefined && isFailureKind(kind) && { kind }),
  };
}

export function noRun(message: string): KeyholeError {
  return new KeyholeError("usage", message, { hint: "Take an id from the list of runs" });
}
