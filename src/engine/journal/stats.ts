import type { Database } from "../../store/database/sqlite.ts";
import { isRecord } from "../../text/is-record.ts";

export type Stats = {
  readonly runs: number;
  readonly failed: number;
  readonly calls: number;
  readonly tokens: {
    readonly seen: number;
    readonly kept: number;
    readonly direct: number;
    readonly savedPercent: number;
  };
  readonly runMs: Quantiles;
  readonly tools: readonly ToolStats[];
};

export type Quantiles = { readonly p50: number; readonly p95: number };

export type ToolStats = {
  readonly server: string;
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  readonly ms: Quantiles;
};

/** Before anything was written down. */
export const NO_STATS: Stats = {
  runs: 0,
  failed: 0,
  calls: 0,
  tokens: { seen: 0, kept: 0, direct: 0, savedPercent: 0 },
  runMs: { p50: 0, p95: 0 },
  tools: [],
};

type Receipt = Readonly<Record<string, unknown>>;
type EndedRun = { readonly session: string; readonly receipt: Receipt };

/** All that was written down of runs that have ended, added up. */
export async function collectStats(db: Database): Promise<Stats> {
  const [[runs, failed] = []] = db.all(
    "SELECT count(*), count(CASE WHEN status <> 'done' THEN 1 END) FROM runs WHERE status IN ('done', 'failed', 'lost')",
  );
  const ended = db.all("SELECT session, receipt FROM runs WHERE receipt IS NOT NULL").map(toEndedRun);
  const sum = (key: string) => ended.reduce((total, { receipt }) => total + numberAt(receipt, key), 0);
  const [seen, kept] = [sum("seenTokens"), sum("keptTokens")];
  const direct = sum("directTokens") - sum("catalogTokens") + catalogsOnce(ended);
  const tools = await readTools(db);
  return {
    runs: Number(runs),
    failed: Number(failed),
    calls: tools.reduce((total, { calls }) => total + calls, 0),
    tokens: {
      seen,
      kept,
      direct,
      savedPercent: direct === 0 ? 0 : Math.round((1 - seen / direct) * 1000) / 10,
    },
    runMs: toQuantiles(ended.map(({ receipt }) => totalMs(receipt))),
    tools,
  };
}

/** A place in the order of a tool's times stands for its quantile. */
const TOOLS = `
SELECT server, tool, calls, sum(ok = 0),
  max(CASE WHEN place = min(calls - 1, calls * 50 / 100) THEN ms END),
  max(CASE WHEN place = min(calls - 1, calls * 95 / 100) THEN ms END)
FROM (
  SELECT server, tool, ok, ms,
    row_number() OVER (PARTITION BY server, tool ORDER BY ms) - 1 AS place,
    count(*) OVER (PARTITION BY server, tool) AS calls
  FROM calls WHERE ok IS NOT NULL
)
GROUP BY server, tool ORDER BY calls DESC, server, tool`;

async function readTools(db: Database): Promise<ToolStats[]> {
  const rows = await db.allInBackground(TOOLS);
  return rows.map(([server, tool, calls, failed, p50, p95]) => ({
    server: String(server),
    tool: String(tool),
    calls: Number(calls),
    failed: Number(failed),
    ms: { p50: round(Number(p50)), p95: round(Number(p95)) },
  }));
}

function toEndedRun([session, receipt]: unknown[]): EndedRun {
  const parsed: unknown = JSON.parse(String(receipt));
  return { session: String(session), receipt: isRecord(parsed) ? parsed : {} };
}

/** The direct way shows the catalogue once in each session, not for each run. */
function catalogsOnce(runs: readonly EndedRun[]): number {
  const bySession = new Map<string, number>();
  for (const { session, receipt } of runs) {
    bySession.set(session, Math.max(bySession.get(session) ?? 0, numberAt(receipt, "catalogTokens")));
  }
  return [...bySession.values()].reduce((total, tokens) => total + tokens, 0);
}

function totalMs(receipt: Receipt): number {
  const phases = receipt["phasesMs"];
  if (typeof phases !== "object" || phases === null) return 0;
  return Object.values(phases).reduce((total: number, ms) => total + (typeof ms === "number" ? ms : 0), 0);
}

function numberAt(receipt: Receipt, key: string): number {
  const value = receipt[key];
  return typeof value === "number" ? value : 0;
}

function toQuantiles(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
