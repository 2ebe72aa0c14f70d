import type { TokenUse } from "../../audit/event.ts";
import type { Meter, MeteredRun } from "../../audit/metering/meter.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { isRecord } from "../../text/is-record.ts";
import { CALLED, MADE_CALL } from "./stats.ts";

/** Milliseconds since 1970; `to` itself is not in it. */
export type JournalSpan = { readonly from?: number | undefined; readonly to?: number | undefined };

export type MeterInput = Pick<Meter, "addRun" | "addCall">;

/** Rows are read by their runs' numbers: so many at a time. */
const RUNS_A_STEP = 1_000;
const RUNS_WITH_CALLS_A_STEP = 100;

/**
 * Tells a meter of the runs and calls in a journal, in steps on another thread; how many runs there were, and how many have not
 * ended. Tokens of single calls are not written down there, nor models.
 */
export async function meterJournal(
  db: Database,
  meter: MeterInput,
  span: JournalSpan,
): Promise<{ readonly runs: number; readonly underWay: number }> {
  let runs = 0;
  let underWay = 0;
  for await (const row of inSteps(db, RUNS_A_STEP, (range) => toRunsQuery(range, span))) {
    const [id, session, principal, status, receipt, at] = row;
    const known = STATUSES[String(status)];
    if (known === undefined) {
      underWay++;
      continue;
    }
    runs++;
    const whose = { id: String(id), at: Number(at), session: String(session), principal: String(principal) };
    meter.addRun({ ...whose, status: known, usage: toReceiptUsage(receipt) });
  }
  for await (const row of inSteps(db, RUNS_WITH_CALLS_A_STEP, (range) => toCallsQuery(range, span))) {
    const [session, principal, server, tool, ok, ms, at] = row;
    meter.addCall({
      at: Number(at),
      session: String(session),
      principal: String(principal),
      server: String(server),
      tool: String(tool),
      ok: Number(ok) === 1,
      ms: Number(ms ?? 0),
    });
  }
  return { runs, underWay };
}

async function* inSteps(
  db: Database,
  step: number,
  toQuery: (range: string) => string,
): AsyncGenerator<readonly unknown[]> {
  const [[first, last] = []] = await db.allInBackground("SELECT min(number), max(number) FROM runs");
  if (typeof first !== "number" || typeof last !== "number") return;
  for (let from = first; from <= last; from += step)
    yield* await db.allInBackground(toQuery(`runs.number >= ${from} AND runs.number < ${from + step}`));
}

const STATUSES: Readonly<Record<string, MeteredRun["status"] | undefined>> = Object.assign(
  Object.create(null),
  { done: "done", failed: "failed", lost: "failed", waiting: "waiting" },
);

function toRunsQuery(range: string, span: JournalSpan): string {
  return `SELECT id, session, principal, status, receipt, coalesce(ended_at, started_at)
FROM runs WHERE ${range} AND ${toCondition("started_at", span)} ORDER BY number`;
}

function toCallsQuery(range: string, span: JournalSpan): string {
  return `SELECT session, principal, ${CALLED}, ok, ms, calls.started_at
FROM runs JOIN calls ON calls.run = runs.id
WHERE ${range} AND ${MADE_CALL} AND ${toCondition("runs.started_at", span)}`;
}

function toCondition(column: string, { from, to }: JournalSpan): string {
  const parts = [
    ...(from === undefined ? [] : [`${column} >= ${Math.ceil(from)}`]),
    ...(to === undefined ? [] : [`${column} < ${Math.ceil(to)}`]),
  ];
  return parts.length === 0 ? "1" : parts.join(" AND ");
}

/** An earlier version, or a file from elsewhere, may have had anything in its receipts. */
function toReceiptUsage(receipt: unknown): TokenUse | undefined {
  if (typeof receipt !== "string") return undefined;
  let read: unknown;
  try {
    read = JSON.parse(receipt);
  } catch {
    return undefined;
  }
  if (!isRecord(read)) return undefined;
  const known = read;
  const numberAt = (key: string) => {
    const value = known[key];
    return typeof value === "number" && value >= 0 && value <= 1e12 ? value : undefined;
  };
  const codeTokens = numberAt("codeTokens");
  return {
    seenTokens: numberAt("seenTokens") ?? 0,
    ...(codeTokens !== undefined && { codeTokens }),
    keptTokens: numberAt("keptTokens") ?? 0,
    directTokens: numberAt("directTokens") ?? 0,
    catalogTokens: numberAt("catalogTokens") ?? 0,
  };
}
