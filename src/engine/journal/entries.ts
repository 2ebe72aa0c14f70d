import { hash } from "node:crypto";
import { isInventedCode } from "../../audit/metering/metered-events.ts";
import type { Database } from "../../store/database/sqlite.ts";
import type { EndedCall, EndedRun, StartedCall, TakenRun } from "../recorder.ts";
import type { ProcessIdentity } from "./process-identity.ts";

/** What is told of a run or a call, until all of it is written down. */
type Kept = {
  /** It waits to be written; with it goes all that is known of it by then. */
  isQueued: boolean;
  /** Where there is a row of it. */
  writtenIn: Database | undefined;
};

export type RunEntry = Kept & {
  readonly kind: "run";
  readonly run: Omit<TakenRun, "code">;
  readonly process: string;
  readonly codeBytes: number;
  code: string;
  status: "queued" | "running" | "waiting" | "done" | "failed";
  end?: { readonly at: number; readonly kind: string | undefined; readonly receipt: string };
  /** Calls so far. */
  calls: number;
};

/** Its arguments and results are not held: they are hashed as they come. */
export type CallEntry = Kept & {
  readonly kind: "call";
  readonly run: string;
  readonly number: number;
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly argumentsHash: Uint8Array;
  readonly argumentsBytes: number;
  readonly startedAt: number;
  /** What others than the local user call makes no tool popular: nobody learns from that what they do. */
  readonly isLocal: boolean;
  end?: CallEnd;
};

type CallEnd = Pick<EndedCall, "ok" | "code" | "resultBytes" | "ms" | "isCached"> & {
  readonly resultHash: Uint8Array | null;
};

type ProcessEntry = { readonly kind: "process"; readonly process: ProcessIdentity; readonly at: number };

export type Entry = ProcessEntry | RunEntry | CallEntry;

/** Names come from programs, also of tools that do not exist. */
const MAX_NAME = 200;
/** Of a longer program the beginning is kept. */
const MAX_CODE = 256 * 1024;

export function toRunEntry({ code, ...run }: TakenRun, process: string, calls = 0): RunEntry {
  return {
    kind: "run",
    run,
    process,
    code: toKeptCode(code),
    codeBytes: Buffer.byteLength(code),
    status: "queued",
    calls,
    isQueued: false,
    writtenIn: undefined,
  };
}

/** Copied: a part of a string keeps all of it in memory. */
function toKeptCode(code: string): string {
  return code.length <= MAX_CODE ? code : Buffer.from(code.slice(0, MAX_CODE), "utf16le").toString("utf16le");
}

export function toRunEnd({ kind, receipt, risk, ledger, endedAt }: EndedRun): NonNullable<RunEntry["end"]> {
  const kept = JSON.stringify(
    risk || ledger ? { ...receipt, ...(risk && { risk }), ...(ledger && { ledger }) } : receipt,
  );
  return { at: Math.round(endedAt), kind, receipt: kept };
}

export function toCallEntry(call: StartedCall, number: number, isLocal: boolean): CallEntry {
  const { id, runId, argumentsText, startedAt } = call;
  return {
    kind: "call",
    run: runId,
    number,
    id,
    server: call.server.slice(0, MAX_NAME),
    tool: call.tool.slice(0, MAX_NAME),
    argumentsHash: toHash(argumentsText),
    argumentsBytes: Buffer.byteLength(argumentsText),
    startedAt: Math.round(startedAt),
    isLocal,
    isQueued: false,
    writtenIn: undefined,
  };
}

export function toCallEnd({ ok, code, resultText, resultBytes, ms, isCached }: EndedCall): CallEnd {
  const resultHash = resultText === undefined ? null : toHash(resultText);
  return { ok, code, resultBytes, ms: Math.round(ms * 100) / 100, resultHash, isCached };
}

/** By way of hex, which takes a third of the time. */
function toHash(text: string): Uint8Array {
  return Buffer.from(hash("sha256", text, "hex"), "hex");
}

const ADD_PROCESS =
  "INSERT INTO processes VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at";
/** What failed to be written can be there all the same, and more is known of it by the time it is written again. */
const ADD_RUN =
  "INSERT INTO runs (id, process, session, principal, client, workspace, language, code, code_bytes, started_at, status, ended_at, kind, receipt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET process = excluded.process, status = excluded.status, ended_at = excluded.ended_at, kind = excluded.kind, receipt = excluded.receipt WHERE status NOT IN ('done', 'failed')";
const CHANGE_RUN =
  "UPDATE runs SET status = ?, ended_at = ?, kind = ?, receipt = ? WHERE id = ? AND status NOT IN ('done', 'failed')";
/** One statement for several calls: it is the statements that cost. */
const CALLS_AT_ONCE = 10;
const CALL = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const OR_END_CALL =
  "ON CONFLICT (run, number) DO UPDATE SET ms = excluded.ms, ok = excluded.ok, code = excluded.code, result_hash = excluded.result_hash, result_bytes = excluded.result_bytes WHERE ok IS NULL";
const ADD_CALL = `INSERT INTO calls VALUES ${CALL} ${OR_END_CALL}`;
const ADD_CALLS = `INSERT INTO calls VALUES ${Array(CALLS_AT_ONCE).fill(CALL)} ${OR_END_CALL}`;
const END_CALL =
  "UPDATE calls SET ms = ?, ok = ?, code = ?, result_hash = ?, result_bytes = ? WHERE run = ? AND number = ? AND ok IS NULL";
const ADD_CACHED = "INSERT OR REPLACE INTO cached_calls VALUES (?, ?, ?)";
const COUNT =
  "INSERT INTO tool_calls VALUES (?, ?, ?, ?) ON CONFLICT (server, tool) DO UPDATE SET ok = ok + excluded.ok, failed = failed + excluded.failed";

/** To be called in a transaction. Each statement can be done twice without harm. */
export function writeEntries(db: Database, entries: readonly Entry[]): void {
  const counts = createToolCounts();
  const newCalls: CallEntry[] = [];
  for (const entry of entries) {
    if (entry.kind === "process") writeProcess(db, entry);
    else if (entry.kind === "run") writeRun(db, entry);
    else if (entry.writtenIn === db) endCall(db, entry, counts);
    else newCalls.push(entry);
  }
  addCalls(db, newCalls, counts);
  for (const entry of entries) if (entry.kind === "call") noteCached(db, entry);
  counts.write(db);
}

/** To be called in the moment in which they are written: what is told of them from then on is an entry anew. */
export function markWritten(db: Database, entries: readonly Entry[]): void {
  for (const entry of entries) {
    if (entry.kind === "process") continue;
    entry.isQueued = false;
    entry.writtenIn = db;
    if (entry.kind === "run") entry.code = "";
  }
}

function writeProcess(db: Database, { process, at }: ProcessEntry): void {
  const { id, machine, pid, started } = process;
  db.run(ADD_PROCESS, [id, machine, pid, started, at]);
}

function writeRun(db: Database, { run, process, code, codeBytes, status, end, writtenIn }: RunEntry): void {
  const state = [status, end?.at ?? null, end?.kind ?? null, end?.receipt ?? null];
  if (writtenIn === db) {
    db.run(CHANGE_RUN, [...state, run.id]);
    return;
  }
  const { id: session, principal, client, workspace } = run.session;
  const about = [session, principal, JSON.stringify(client), workspace, run.language];
  db.run(ADD_RUN, [run.id, process, ...about, code, codeBytes, Math.round(run.takenAt), ...state]);
}

function addCalls(db: Database, calls: readonly CallEntry[], counts: ToolCounts): void {
  for (let from = 0; from < calls.length; ) {
    const isMany = calls.length - from >= CALLS_AT_ONCE;
    const some = calls.slice(from, from + (isMany ? CALLS_AT_ONCE : 1));
    const changes = db.run(isMany ? ADD_CALLS : ADD_CALL, some.flatMap(toCallValues));
    // Those that were there already were counted with it.
    if (changes === some.length) for (const call of some) count(counts, call);
    from += some.length;
  }
}

function toCallValues(call: CallEntry) {
  const { run, number, id, server, tool, argumentsHash, argumentsBytes, startedAt, end } = call;
  const start = [run, number, id, server, tool, argumentsHash, argumentsBytes, startedAt];
  return [...start, ...toEndValues(end)];
}

/** Of few calls there is anything to say. */
function noteCached(db: Database, { run, number, end }: CallEntry): void {
  if (end?.isCached !== undefined) db.run(ADD_CACHED, [run, number, end.isCached ? 1 : 0]);
}

function endCall(db: Database, call: CallEntry, counts: ToolCounts): void {
  const changes = db.run(END_CALL, [...toEndValues(call.end), call.run, call.number]);
  if (changes > 0) count(counts, call);
}

/** Names that a program made up are not counted: what is counted is kept for good. */
function count(counts: ToolCounts, { server, tool, isLocal, end }: CallEntry): void {
  if (end !== undefined && isLocal && !isInventedCode(end.code)) counts.add(server, tool, end.ok);
}

function toEndValues(end: CallEnd | undefined) {
  if (end === undefined) return [null, null, null, null, null];
  return [end.ms, end.ok ? 1 : 0, end.code ?? null, end.resultHash, Math.round(end.resultBytes)];
}

type ToolCounts = {
  add(server: string, tool: string, ok: boolean): void;
  write(db: Database): void;
};

/** One statement for each tool, however often it was called. */
function createToolCounts(): ToolCounts {
  const counts = new Map<string, { server: string; tool: string; ok: number; failed: number }>();
  return {
    add(server, tool, ok) {
      const key = `${server}\n${tool}`;
      const known = counts.get(key) ?? { server, tool, ok: 0, failed: 0 };
      if (ok) known.ok++;
      else known.failed++;
      counts.set(key, known);
    },
    write(db) {
      for (const { server, tool, ok, failed } of counts.values()) db.run(COUNT, [server, tool, ok, failed]);
    },
  };
}
