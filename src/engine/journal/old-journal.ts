import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../store/database/sqlite.ts";
import { StoreError } from "../../store/database/store-error.ts";
import { whenFree } from "../../store/database/when-free.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { isRecord } from "../../text/is-record.ts";
import type { RunCall } from "../engine.ts";

/** A line of the file in which earlier versions kept what their runs called and cost. */
type OldEntry = {
  readonly at: number;
  readonly runId: string;
  readonly session: string;
  readonly ok: boolean;
  readonly kind: string | null;
  readonly calls: readonly RunCall[];
  readonly receipt: Readonly<Record<string, unknown>>;
};

export const OLD_FILE = "runs.jsonl";
const MAX_BYTES = 8 * 1024 * 1024;
/** No line of ours is shorter; a file from elsewhere can have millions that are. */
const MIN_LINE = 40;
const MAX_TEXT = 200;
/** Rows of one transaction, about. */
const BATCH = 500;
/** Of one run. A file from elsewhere can have all it holds in one. */
const MAX_CALLS = 1_000;

const ADD_RUN =
  "INSERT INTO runs (id, process, session, principal, client, workspace, language, code, code_bytes, started_at, ended_at, status, kind, receipt) VALUES (?, '', ?, 'local', '{\"name\":\"\"}', '', 'typescript', '', 0, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING";
const ADD_CALL = "INSERT INTO calls VALUES (?, ?, '', ?, ?, x'', 0, ?, ?, ?, NULL, NULL, NULL)";

/**
 * Takes over what earlier versions wrote down, once; then their file goes, also one that can't be read. A run that is known
 * already is passed over. Nobody vouches for the file: what it tells of calls makes no tool come first in a search.
 */
export async function importOldJournal(
  db: Database,
  state: Pick<StateDir, "readTail" | "inFolder">,
): Promise<void> {
  try {
    await addAll(db, parseOldEntries(await state.readTail(OLD_FILE, MAX_BYTES), Date.now()));
  } catch (error) {
    // Another time it may do. What can't be taken over by its own fault must not keep the journal from opening.
    if (error instanceof StoreError && error.fault !== "other") throw error;
  }
  if (db.path === "") return;
  await state.inFolder([], { make: false }, (folder) =>
    rm(join(folder.path, OLD_FILE), { force: true, recursive: true }).catch(() => {}),
  );
}

async function addAll(db: Database, entries: readonly OldEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; ) {
    const batch = takeBatch(entries, from);
    await whenFree(() => db.transaction(() => addEntries(db, batch)));
    from += batch.length;
    await nextTurn();
  }
}

function takeBatch(entries: readonly OldEntry[], from: number): OldEntry[] {
  const batch: OldEntry[] = [];
  for (let rows = 0, at = from; rows < BATCH; at++) {
    const entry = entries[at];
    if (entry === undefined) break;
    batch.push(entry);
    rows += 1 + entry.calls.length;
  }
  return batch;
}

/** The file may have come with a repository: what is nested too deeply to be written is left out. */
function toText(receipt: OldEntry["receipt"]): string {
  try {
    return JSON.stringify(receipt);
  } catch {
    return "{}";
  }
}

function addEntries(db: Database, entries: readonly OldEntry[]): void {
  for (const { at, runId, session, ok, kind, calls, receipt } of entries) {
    const outcome = [at, at, ok ? "done" : "failed", kind, toText(receipt)];
    if (db.run(ADD_RUN, [runId, session, ...outcome]) === 0) continue;
    for (const [number, call] of calls.entries()) {
      const [server, tool] = [call.server.slice(0, MAX_TEXT), call.tool.slice(0, MAX_TEXT)];
      db.run(ADD_CALL, [runId, number, server, tool, at, call.ms, call.ok ? 1 : 0]);
    }
  }
}

/** A kill can have cut the last line short; it is passed over, as is whatever a file from elsewhere has in it. */
export function parseOldEntries(text: string, now: number): OldEntry[] {
  const entries: OldEntry[] = [];
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf("\n", from);
    const end = found === -1 ? text.length : found;
    const entry = end - from < MIN_LINE ? undefined : parseEntry(text.slice(from, end), now);
    if (entry !== undefined) entries.push(entry);
    from = end + 1;
  }
  return entries;
}

function parseEntry(line: string, now: number): OldEntry | undefined {
  try {
    return toEntry(JSON.parse(line), now);
  } catch {
    return undefined;
  }
}

function toEntry(value: unknown, now: number): OldEntry | undefined {
  if (!isRecord(value)) return undefined;
  const { at, runId, session, ok, kind, calls, receipt } = value;
  if (typeof runId !== "string" || !Array.isArray(calls) || !isRecord(receipt)) return undefined;
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  return {
    // A file from elsewhere can say anything; what lies ahead would never grow old.
    at: Number.isFinite(time) && time > 0 ? Math.min(time, now) : now,
    runId: runId.slice(0, MAX_TEXT),
    session: typeof session === "string" ? session.slice(0, MAX_TEXT) : "",
    ok: ok === true,
    kind: typeof kind === "string" ? kind.slice(0, MAX_TEXT) : null,
    calls: calls.slice(0, MAX_CALLS).filter(isCall),
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
    Number.isFinite(ms) &&
    typeof ok === "boolean"
  );
}
