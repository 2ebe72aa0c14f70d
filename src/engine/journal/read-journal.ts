import { homedir } from "node:os";
import { toKeyholeError } from "../../errors.ts";
import { openToRead } from "../../store/database/read-database.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";
import { openStateDir, type StateDir } from "../../store/state-dir.ts";
import { userDir } from "../project.ts";
import type { Journal } from "./journal.ts";
import { type JournalSpan, type MeterInput, meterJournal } from "./metered-runs.ts";
import { createPopularity, type Popularity, readToolCalls, type ToolCalls } from "./popularity.ts";
import { getRun, listRuns } from "./recorded-runs.ts";
import { collectStats, NO_STATS } from "./stats.ts";

export type JournalReader = Pick<Journal, "stats" | "listRuns" | "getRun"> & {
  /** Tells a meter of what is in it. */
  meter(meter: MeterInput, span: JournalSpan): ReturnType<typeof meterJournal>;
};

/**
 * Reads what the runs in a project left behind; nothing is started or changed for it, and its configuration is not read. It is
 * opened when something is asked of it: that fails where the journal is none of ours.
 */
export async function readJournal<T>(
  projectDir: string,
  read: (journal: JournalReader) => Promise<T>,
  homeDir = homedir(),
): Promise<T> {
  const state = await openStateDir(projectDir, userDir({ homeDir, env: process.env }));
  const db = await openToRead(state);
  const ask = async <Answer>(query: (db: Database) => Answer, nothing: Answer) =>
    db === undefined ? nothing : whenFree(() => query(db));
  const journal: JournalReader = {
    stats: async () => (db === undefined ? NO_STATS : collectStats(db)),
    listRuns: (query = {}) => ask((from) => listRuns(from, query), []),
    meter: async (meter, span) =>
      db === undefined ? { runs: 0, underWay: 0 } : meterJournal(db, meter, span),
    getRun: (id) => ask((from) => getRun(from, id), undefined),
  };
  try {
    return await read(journal);
  } finally {
    await db?.close();
  }
}

/** How often tools were called, for a search that is made without an engine. */
export function readPopularity(state: StateDir, onNotice: (text: string) => void): Popularity {
  return createPopularity(() =>
    readAllCalls(state).catch((error: unknown) => {
      onNotice(`How often each tool was called is not known: ${toKeyholeError(error).message}`);
      return [];
    }),
  );
}

async function readAllCalls(state: StateDir): Promise<ToolCalls> {
  const db = await openToRead(state);
  if (db === undefined) return [];
  try {
    return await whenFree(() => readToolCalls(db));
  } finally {
    await db.close();
  }
}
