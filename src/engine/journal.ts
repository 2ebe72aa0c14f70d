import type { StateDir } from "../store/state-dir.ts";
import { isRecord } from "../text/is-record.ts";
import type { RunCall, RunResult } from "./engine.ts";

/** One line for each run: what it called, what it cost, how long it took. No code, no arguments, no results. */
export type JournalEntry = {
  readonly at: string;
  readonly runId: string;
  /** Runs that one model made in one go: the direct way would have shown it the catalogue once for all of them. */
  readonly session: string;
  readonly ok: boolean;
  readonly kind?: string;
  readonly calls: RunResult["calls"];
  /** As an earlier version may have written it. */
  readonly receipt: Readonly<Record<string, unknown>>;
};

export type RunFacts = Pick<RunResult, "runId" | "ok" | "calls" | "receipt"> & {
  readonly error?: { readonly kind: string } | undefined;
};

export type Journal = {
  add(session: string, facts: RunFacts): Promise<void>;
  read(): Promise<JournalEntry[]>;
};

const FILE = "runs.jsonl";
const MAX_BYTES = 8 * 1024 * 1024;
/** No line of ours is shorter; a file from elsewhere can have millions that are. */
const MIN_LINE = 40;

/**
 * A line is appended in one write, so a kill can cut the last one short but never another; a cut line is passed over, as
 * is whatever a file from elsewhere has in it. Of a file that is too long the end counts.
 */
export function createJournal(state: Pick<StateDir, "readTail" | "writeText" | "append">): Journal {
  async function read(): Promise<JournalEntry[]> {
    return toEntries(await state.readTail(FILE, MAX_BYTES));
  }

  return {
    read,
    async add(session, { runId, ok, error, calls, receipt }) {
      const at = new Date().toISOString();
      const entry: JournalEntry = { at, runId, session, ok, kind: error?.kind, calls, receipt };
      const before = await state.append(FILE, `${JSON.stringify(entry)}\n`);
      if (before === undefined || before <= MAX_BYTES) return;
      // The older half goes.
      const entries = await read();
      const kept = entries.slice(Math.floor(entries.length / 2));
      await state.writeText(FILE, kept.map((one) => `${JSON.stringify(one)}\n`).join(""));
    },
  };
}

function toEntries(text: string): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf("\n", from);
    const end = found === -1 ? text.length : found;
    const entry = end - from < MIN_LINE ? undefined : parseEntry(text.slice(from, end));
    if (entry !== undefined) entries.push(entry);
    from = end + 1;
  }
  return entries;
}

function parseEntry(line: string): JournalEntry | undefined {
  try {
    return toEntry(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function toEntry(value: unknown): JournalEntry | undefined {
  if (!isRecord(value)) return undefined;
  const { at, runId, session, ok, kind, calls, receipt } = value;
  if (typeof runId !== "string" || !Array.isArray(calls) || !isRecord(receipt)) return undefined;
  return {
    at: typeof at === "string" ? at : "",
    runId,
    session: typeof session === "string" ? session : "",
    ok: ok === true,
    ...(typeof kind === "string" ? { kind } : {}),
    calls: calls.filter(isCall),
    receipt,
  };
}

function isCall(value: unknown): value is RunCall {
  if (!isRecord(value)) return false;
  const { server, tool, ms, ok } = value;
  return (
    typeof server === "string" &&
    typeof tool === "string" &&
    typeof ms === "number" &&
    typeof ok === "boolean"
  );
}
