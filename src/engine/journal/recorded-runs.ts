import { UNDER_WAY } from "../../store/database/migrations.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { isRecord } from "../../text/is-record.ts";
import { isGone } from "./process-identity.ts";

/**
 * A run as it was written down. `queued`: its turn has not come; `waiting`: it was answered before its end, and goes on;
 * `lost`: its process ended before it did.
 */
export type RecordedRun = {
  readonly id: string;
  readonly session: string;
  readonly principal: string;
  readonly client: { readonly name: string; readonly version?: string };
  readonly workspace: string;
  readonly language: string;
  readonly status: RecordedStatus;
  /** Of its failure. */
  readonly kind?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly calls: number;
};

const STATUSES = ["queued", "running", "done", "failed", "waiting", "lost"] as const;
export type RecordedStatus = (typeof STATUSES)[number];

export type WholeRun = Omit<RecordedRun, "calls"> & {
  /** The beginning of a very long program. */
  readonly code: string;
  readonly codeBytes: number;
  /** Of a run that ended; as an earlier version may have written it. */
  readonly receipt?: Readonly<Record<string, unknown>>;
  readonly calls: readonly RecordedCall[];
};

/** Hashes are SHA-256 over the text, in hex; empty where there was none to hash. */
export type RecordedCall = {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly startedAt: number;
  readonly argumentsHash: string;
  readonly argumentsBytes: number;
  /** What follows is missing of a call that has not ended. */
  readonly ms?: number;
  readonly ok?: boolean;
  readonly code?: string;
  readonly resultHash?: string;
  readonly resultBytes?: number;
};

export type RunQuery = {
  /** Newest first, at most so many (default 50). */
  readonly limit?: number;
  readonly session?: string;
  readonly principal?: string;
};

const DEFAULT_LIMIT = 50;
/** Of one run; a program can make very many. */
const MAX_CALLS = 10_000;
const ABOUT =
  "runs.id, session, principal, client, workspace, language, status, kind, started_at, ended_at, machine, pid, started, seen_at";
/** One that only waited for a person is written down each time that it did. */
const WAS_MADE = "code IS NOT 'waiting'";
const RUNS = "runs LEFT JOIN processes ON processes.id = runs.process";

export function listRuns(
  db: Database,
  { limit = DEFAULT_LIMIT, session, principal }: RunQuery,
): RecordedRun[] {
  const count = `(SELECT count(*) FROM calls WHERE run = runs.id AND ${WAS_MADE})`;
  const rows = db.all(
    `SELECT ${ABOUT}, ${count} FROM ${RUNS} WHERE (?1 IS NULL OR session = ?1) AND (?2 IS NULL OR principal = ?2) ORDER BY number DESC LIMIT ?3`,
    [session ?? null, principal ?? null, limit],
  );
  return rows.map((row) => ({ ...toRun(row), calls: Number(row[14]) }));
}

export function getRun(db: Database, id: string): WholeRun | undefined {
  const [row] = db.all(`SELECT ${ABOUT}, code, code_bytes, receipt FROM ${RUNS} WHERE runs.id = ?`, [id]);
  if (row === undefined) return undefined;
  const receipt: unknown = typeof row[16] === "string" ? JSON.parse(row[16]) : undefined;
  const calls = db.all(
    `SELECT id, server, tool, started_at, arguments_hash, arguments_bytes, ms, ok, code, result_hash, result_bytes FROM calls WHERE run = ? AND ${WAS_MADE} ORDER BY number LIMIT ?`,
    [id, MAX_CALLS],
  );
  return {
    ...toRun(row),
    code: String(row[14]),
    codeBytes: Number(row[15]),
    ...(isRecord(receipt) && { receipt }),
    calls: calls.map(toCall),
  };
}

/**
 * How many calls are written down of it; nothing where it can't be had. Of a run that ended as waiting nobody's process tells
 * anything.
 */
export function claimRun(db: Database, id: string, process: string): number | undefined {
  markLost(db);
  const changes = db.run(
    "UPDATE runs SET process = ?, status = 'queued', ended_at = NULL WHERE id = ? AND (status = 'lost' OR (status = 'waiting' AND ended_at IS NOT NULL))",
    [process, id],
  );
  if (changes === 0) return undefined;
  db.run("UPDATE replay_runs SET begun = begun + 1 WHERE run = ?", [id]);
  return Number(db.all("SELECT coalesce(max(number) + 1, 0) FROM calls WHERE run = ?", [id])[0]?.[0]);
}

/** Whether somebody goes on with it in this moment: it was left before, and was taken up again. */
export function isTakenUp(db: Database, id: string): boolean {
  const status = getRun(db, id)?.status;
  if (status !== "queued" && status !== "running") return false;
  return db.all("SELECT 1 FROM replay_runs WHERE run = ? AND begun > 1", [id]).length > 0;
}

/** Says of runs whose process is gone that they will not end. */
export function markLost(db: Database): void {
  for (const process of findGone(db))
    db.run(`UPDATE runs SET status = 'lost' WHERE process = ? AND ended_at IS NULL AND ${UNDER_WAY}`, [
      process,
    ]);
}

/** Of how many runs that can be said. */
export function countGone(db: Database): number {
  const count = `SELECT count(*) FROM runs WHERE process = ? AND ended_at IS NULL AND ${UNDER_WAY}`;
  return findGone(db).reduce((total, process) => total + Number(db.all(count, [process])[0]?.[0]), 0);
}

function findGone(db: Database): string[] {
  const underWay = db.all(
    `SELECT DISTINCT processes.id, machine, pid, started, seen_at FROM runs JOIN processes ON processes.id = runs.process WHERE ended_at IS NULL AND ${UNDER_WAY}`,
  );
  return underWay.filter((row) => isProcessGone(row.slice(1))).map(([process]) => String(process));
}

function isUnderWay(status: RecordedStatus): boolean {
  return status === "queued" || status === "running" || status === "waiting";
}

function isProcessGone([machine, pid, started, seenAt]: readonly unknown[]): boolean {
  const process = { id: "", machine: String(machine), pid: Number(pid), started: String(started) };
  return isGone(process, Number(seenAt), Date.now());
}

function toRun(row: readonly unknown[]): Omit<RecordedRun, "calls"> {
  const [id, session, principal, client, workspace, language, written, kind, startedAt, endedAt, ...process] =
    row;
  const status = STATUSES.find((known) => known === written) ?? "failed";
  return {
    id: String(id),
    session: String(session),
    principal: String(principal),
    client: toClient(client),
    workspace: String(workspace),
    language: String(language),
    status: isUnderWay(status) && endedAt === null && isProcessGone(process) ? "lost" : status,
    ...(typeof kind === "string" && { kind }),
    startedAt: Number(startedAt),
    ...(typeof endedAt === "number" && { endedAt }),
  };
}

function toClient(text: unknown): RecordedRun["client"] {
  const client: unknown = JSON.parse(String(text));
  if (!isRecord(client)) return { name: "" };
  const { name, version } = client;
  return { name: typeof name === "string" ? name : "", ...(typeof version === "string" && { version }) };
}

function toCall(row: readonly unknown[]): RecordedCall {
  const [id, server, tool, startedAt, argumentsHash, argumentsBytes, ms, ok, code, resultHash, resultBytes] =
    row;
  return {
    id: String(id),
    server: String(server),
    tool: String(tool),
    startedAt: Number(startedAt),
    argumentsHash: toHex(argumentsHash),
    argumentsBytes: Number(argumentsBytes),
    ...(typeof ok === "number" && { ok: ok === 1 }),
    ...(typeof ms === "number" && { ms }),
    ...(typeof code === "string" && { code }),
    ...(typeof resultBytes === "number" && { resultHash: toHex(resultHash), resultBytes }),
  };
}

function toHex(hash: unknown): string {
  return hash instanceof Uint8Array ? Buffer.from(hash).toString("hex") : "";
}
