import { INVENTED_CODES, INVENTED_TOOL } from "../../audit/metering/metered-events.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { OWN_SERVER } from "../call/record.ts";
import { countGone } from "./recorded-runs.ts";

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
  /** Of the calls whose results may be kept. */
  readonly cache: CacheStats;
  /** The most called first. */
  readonly tools: readonly ToolStats[];
  /** How many more there are. */
  readonly toolsLeftOut: number;
  /** Whose the runs were, the latest first. */
  readonly sessions: readonly SessionStats[];
  readonly sessionsLeftOut: number;
};

export type CacheStats = {
  readonly calls: number;
  /** Answered with what an equal call had returned. */
  readonly hits: number;
  readonly hitPercent: number;
};

export type Quantiles = { readonly p50: number; readonly p95: number };

export type ToolStats = {
  readonly server: string;
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  readonly ms: Quantiles;
};

export type SessionStats = {
  readonly session: string;
  readonly principal: string;
  readonly runs: number;
  readonly failed: number;
  readonly calls: number;
};

/** Before anything was written down. */
export const NO_STATS: Stats = {
  runs: 0,
  failed: 0,
  calls: 0,
  tokens: { seen: 0, kept: 0, direct: 0, savedPercent: 0 },
  runMs: { p50: 0, p95: 0 },
  cache: { calls: 0, hits: 0, hitPercent: 0 },
  tools: [],
  toolsLeftOut: 0,
  sessions: [],
  sessionsLeftOut: 0,
};

/** All that was written down of runs that have ended, added up: on another thread, for there can be much of it. */
export async function collectStats(db: Database): Promise<Stats> {
  const gone = countGone(db);
  const [[runs, failed] = []] = await db.allInBackground(RUNS);
  const [[seen, kept, withoutCatalogs, catalogs, p50, p95] = []] = await db.allInBackground(RECEIPTS);
  const [[calls] = []] = await db.allInBackground(`SELECT count(*) FROM calls WHERE ${MADE_CALL}`);
  const [[cacheable, hits] = []] = await db.allInBackground(CACHED);
  const tools = await db.allInBackground(TOOLS);
  const sessions = await db.allInBackground(SESSIONS);
  const direct = Number(withoutCatalogs) + Number(catalogs);
  return {
    runs: Number(runs) + gone,
    failed: Number(failed) + gone,
    calls: Number(calls),
    tokens: {
      seen: Number(seen),
      kept: Number(kept),
      direct,
      savedPercent: direct === 0 ? 0 : Math.round((1 - Number(seen) / direct) * 1000) / 10,
    },
    runMs: toQuantiles(p50, p95),
    cache: toCacheStats(Number(cacheable), Number(hits)),
    tools: tools.map(toTool),
    toolsLeftOut: Number(tools[0]?.[6] ?? 0) - tools.length,
    sessions: sessions.map(toSession),
    sessionsLeftOut: Number(sessions[0]?.[5] ?? 0) - sessions.length,
  };
}

const INVENTED = `coalesce(calls.code, '') IN (${INVENTED_CODES.map((code) => `'${code}'`).join(", ")})`;

/** One of a server's tool. One that waits for a person, or was denied, was not made; Keyhole's own tools, such as state, are no calls. */
export const MADE_CALL = `calls.server <> '${OWN_SERVER}' AND calls.ok IS NOT NULL AND coalesce(calls.code, '') NOT IN ('waiting', 'denied')`;
/** Names as they are, and one for all that programs made up. */
export const CALLED = (["server", "tool"] as const)
  .map((name) => `CASE WHEN ${INVENTED} THEN '${INVENTED_TOOL[name]}' ELSE calls.${name} END AS ${name}`)
  .join(", ");
const ENDED = "status IN ('done', 'failed', 'lost')";
const RUNS = `SELECT count(*), count(CASE WHEN status <> 'done' THEN 1 END) FROM runs WHERE ${ENDED}`;

const CACHED = "SELECT count(*), total(is_hit) FROM cached_calls";

/** An earlier version, or a file from elsewhere, may have had anything in its receipts; also numbers whose sum is none. */
const IN_REASON = "BETWEEN -1e12 AND 1e12";
const numberAt = (key: string) =>
  `CASE WHEN json_type(receipt, '$.${key}') IN ('integer', 'real') AND receipt ->> '$.${key}' ${IN_REASON} THEN receipt ->> '$.${key}' ELSE 0 END`;

/** The nearest rank, from 0, as reports have it (`audit/report/count/spread.ts`): of two, the median is the first. */
const toRank = (total: string, percent: number) => `max(0, (${total} * ${percent} + 99) / 100 - 1)`;

/**
 * The direct way shows the catalogue once in each session, not for each run. A place in the order of times stands for their
 * quantile.
 */
const RECEIPTS = `
WITH receipts AS MATERIALIZED (
  SELECT session, ${numberAt("seenTokens")} AS seen, ${numberAt("keptTokens")} AS kept,
    ${numberAt("directTokens")} AS direct, ${numberAt("catalogTokens")} AS catalog,
    (SELECT total(value) FROM json_each(receipt, '$.phasesMs') WHERE type IN ('integer', 'real') AND value ${IN_REASON}) AS ms
  FROM runs WHERE CASE WHEN json_valid(receipt) THEN json_type(receipt) = 'object' END
), places AS (
  SELECT ms, row_number() OVER (ORDER BY ms) - 1 AS place, count(*) OVER () AS runs FROM receipts
)
SELECT total(seen), total(kept), total(direct) - total(catalog),
  (SELECT total(catalog) FROM (SELECT max(catalog) AS catalog FROM receipts GROUP BY session)),
  (SELECT ms FROM places WHERE place = ${toRank("runs", 50)}),
  (SELECT ms FROM places WHERE place = ${toRank("runs", 95)})
FROM receipts`;

const MAX_TOOLS = 200;

const TOOLS = `
SELECT server, tool, calls, sum(ok = 0),
  max(CASE WHEN place = ${toRank("calls", 50)} THEN ms END),
  max(CASE WHEN place = ${toRank("calls", 95)} THEN ms END),
  count(*) OVER ()
FROM (
  SELECT server, tool, ok, ms,
    row_number() OVER (PARTITION BY server, tool ORDER BY ms) - 1 AS place,
    count(*) OVER (PARTITION BY server, tool) AS calls
  FROM (SELECT ${CALLED}, ok, ms FROM calls WHERE ${MADE_CALL})
)
GROUP BY server, tool ORDER BY calls DESC, server, tool LIMIT ${MAX_TOOLS}`;

const MAX_SESSIONS = 100;

const SESSIONS = `
SELECT session, principal, count(*), sum(status <> 'done'), sum(calls), count(*) OVER ()
FROM (
  SELECT number, session, principal, status,
    (SELECT count(*) FROM calls WHERE run = runs.id AND ${MADE_CALL}) AS calls
  FROM runs WHERE ${ENDED}
)
GROUP BY session, principal ORDER BY max(number) DESC LIMIT ${MAX_SESSIONS}`;

function toSession([session, principal, runs, failed, calls]: readonly unknown[]): SessionStats {
  return {
    session: String(session),
    principal: String(principal),
    runs: Number(runs),
    failed: Number(failed),
    calls: Number(calls),
  };
}

function toTool([server, tool, calls, failed, p50, p95]: readonly unknown[]): ToolStats {
  return {
    server: String(server),
    tool: String(tool),
    calls: Number(calls),
    failed: Number(failed),
    ms: toQuantiles(p50, p95),
  };
}

function toCacheStats(calls: number, hits: number): CacheStats {
  return { calls, hits, hitPercent: calls === 0 ? 0 : Math.round((hits / calls) * 1000) / 10 };
}

function toQuantiles(p50: unknown, p95: unknown): Quantiles {
  return { p50: round(Number(p50)), p95: round(Number(p95)) };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
