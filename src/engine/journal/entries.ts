import { hash } from "node:crypto";
import type { Database } from "../../store/database/sqlite.ts";
import type { EndedCall, EndedRun, StartedCall, StartedRun } from "../recorder.ts";
import type { ProcessIdentity } from "./process-identity.ts";

/** What is told of a call until it is written down. Its arguments and results are not held: they are hashed as they come. */
export type CallEntry = {
  readonly run: string;
  readonly number: number;
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly argumentsHash: Uint8Array;
  readonly argumentsBytes: number;
  readonly startedAt: number;
  end?: CallEnd;
  isWritten: boolean;
};

type CallEnd = Pick<EndedCall, "ok" | "code" | "resultBytes" | "ms"> & {
  readonly resultHash: Uint8Array | null;
};

export type Entry =
  | { readonly kind: "process"; readonly process: ProcessIdentity; readonly at: number }
  | { readonly kind: "run"; readonly run: StartedRun; readonly process: string }
  | { readonly kind: "call"; readonly call: CallEntry }
  | { readonly kind: "callEnd"; readonly call: CallEntry }
  | { readonly kind: "runEnd"; readonly run: EndedRun };

/** Names come from programs, also of tools that do not exist. */
const MAX_NAME = 200;
/** Of a longer program the beginning is kept. */
const MAX_CODE = 256 * 1024;

export function toCallEntry(call: StartedCall, number: number): CallEntry {
  const { id, runId, argumentsText, startedAt } = call;
  return {
    run: runId,
    number,
    id,
    server: call.server.slice(0, MAX_NAME),
    tool: call.tool.slice(0, MAX_NAME),
    argumentsHash: toHash(argumentsText),
    argumentsBytes: Buffer.byteLength(argumentsText),
    startedAt: Math.round(startedAt),
    isWritten: false,
  };
}

export function toCallEnd({ ok, code, resultText, resultBytes, ms }: EndedCall): CallEnd {
  const resultHash = resultText === undefined ? null : toHash(resultText);
  return { ok, code, resultBytes, ms: Math.round(ms * 100) / 100, resultHash };
}

function toHash(text: string): Uint8Array {
  return hash("sha256", text, "buffer");
}

const ADD_PROCESS =
  "INSERT INTO processes VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at";
const ADD_RUN =
  "INSERT INTO runs (id, process, session, principal, client, workspace, language, code, code_bytes, started_at, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running') ON CONFLICT (id) DO NOTHING";
const ADD_CALL =
  "INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, number) DO NOTHING";
const END_CALL =
  "UPDATE calls SET ms = ?, ok = ?, code = ?, result_hash = ?, result_bytes = ? WHERE run = ? AND number = ? AND ok IS NULL";
const END_RUN =
  "UPDATE runs SET ended_at = ?, status = ?, kind = ?, receipt = ? WHERE id = ? AND status NOT IN ('done', 'failed')";
const COUNT =
  "INSERT INTO tool_calls VALUES (?, ?, ?, ?) ON CONFLICT (server, tool) DO UPDATE SET ok = ok + excluded.ok, failed = failed + excluded.failed";

/** To be called in a transaction. Each statement can be done twice without harm. */
export function writeEntries(db: Database, entries: readonly Entry[]): void {
  const counts = createToolCounts();
  for (const entry of entries) writeEntry(db, entry, counts);
  counts.write(db);
}

function writeEntry(db: Database, entry: Entry, counts: ToolCounts): void {
  if (entry.kind === "process") {
    const { id, machine, pid, started } = entry.process;
    db.run(ADD_PROCESS, [id, machine, pid, started, entry.at]);
  } else if (entry.kind === "run") {
    const { id, session, code, language, startedAt } = entry.run;
    const { id: sessionId, principal, client, workspace } = session;
    const kept = code.slice(0, MAX_CODE);
    const about = [sessionId, principal, JSON.stringify(client), workspace, language];
    db.run(ADD_RUN, [id, entry.process, ...about, kept, Buffer.byteLength(code), Math.round(startedAt)]);
  } else if (entry.kind === "call") {
    const { run, number, id, server, tool, argumentsHash, argumentsBytes, startedAt, end } = entry.call;
    const start = [run, number, id, server, tool, argumentsHash, argumentsBytes, startedAt];
    const changes = db.run(ADD_CALL, [...start, ...toEndValues(end)]);
    if (changes > 0) count(counts, entry.call);
  } else if (entry.kind === "callEnd") {
    const { run, number, end } = entry.call;
    const changes = db.run(END_CALL, [...toEndValues(end), run, number]);
    if (changes > 0) count(counts, entry.call);
  } else {
    const { id, status, kind, receipt, risk, endedAt } = entry.run;
    const kept = JSON.stringify(risk === undefined ? receipt : { ...receipt, risk });
    db.run(END_RUN, [Math.round(endedAt), status, kind ?? null, kept, id]);
  }
}

/** These names are a program's own inventions, and what is counted is kept for good. */
const INVENTED: ReadonlySet<string | undefined> = new Set(["tool_unknown", "server_unknown"]);

function count(counts: ToolCounts, { server, tool, end }: CallEntry): void {
  if (end !== undefined && !INVENTED.has(end.code)) counts.add(server, tool, end.ok);
}

function toEndValues(end: CallEnd | undefined) {
  if (end === undefined) return [null, null, null, null, null];
  return [end.ms, end.ok ? 1 : 0, end.code ?? null, end.resultHash, Math.round(end.resultBytes)];
}

export type ToolCounts = {
  add(server: string, tool: string, ok: boolean): void;
  write(db: Database): void;
};

/** One statement for each tool, however often it was called. */
export function createToolCounts(): ToolCounts {
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
