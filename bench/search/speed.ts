import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ServerRecord } from "../../src/catalog/tool.ts";
import { createToolIndex } from "../../src/search/query/rank.ts";
import { loadEvalServers } from "../eval-tools.ts";
import type { BenchTable } from "../suite.ts";
import type { Dataset } from "./data.ts";

const MANY_TOOLS = 20_000;
const RUNS = 5;
const MOST = { p50: 2, p95: 5, index: 500 };

export async function measureSpeed(dataDir: string, datasets: readonly Dataset[]) {
  const { servers } = await loadEvalServers(dataDir);
  const queries = [...new Set(datasets.flatMap((set) => set.queries.map(({ query }) => query)))];
  const all = measureIndex(servers, queries);
  const many = measureIndex(repeat(servers, MANY_TOOLS), queries);
  const misses = [
    ...(all.p50 > MOST.p50 ? [`query p50 ${all.p50} ms, target ${MOST.p50} ms`] : []),
    ...(all.p95 > MOST.p95 ? [`query p95 ${all.p95} ms, target ${MOST.p95} ms`] : []),
    ...(all.cold > MOST.index ? [`index ${all.cold} ms, target ${MOST.index} ms`] : []),
  ];
  const table: BenchTable = {
    title: `Time in ms, over ${queries.length} queries; memory in MB`,
    columns: [
      "tools",
      "index cold",
      "index warm",
      "one server changed",
      "query p50",
      "query p95",
      "query max",
      "100 KB query",
      "heap",
    ],
    rows: [all, many].map((one) => [
      one.tools,
      one.cold,
      one.warm,
      one.changed,
      one.p50,
      one.p95,
      one.max,
      one.long,
      one.megabytes,
    ]),
  };
  return { tables: [table], notes: [], misses };
}

function measureIndex(servers: readonly ServerRecord[], queries: readonly string[]) {
  const before = usedBytes();
  const cold = timeOf(() => createToolIndex(servers));
  const index = createToolIndex(servers);
  const bytes = usedBytes() - before;
  const warm = median(
    Array.from({ length: RUNS }, () => timeOf(() => createToolIndex(servers.map(refresh)))),
  );
  const changed = median(
    Array.from({ length: RUNS }, (_, at) =>
      timeOf(() =>
        createToolIndex(servers.map((server, other) => (other === at ? refresh(server) : server))),
      ),
    ),
  );
  const times = queries.map((query) => timeOf(() => index.rank(query))).sort((a, b) => a - b);
  const long = timeOf(() => index.rank("find the weather and merge pull requests, ".repeat(2_500)));
  return {
    tools: servers.reduce((sum, { tools }) => sum + tools.length, 0),
    cold: round(cold),
    warm: round(warm),
    changed: round(changed),
    p50: round(times[times.length >> 1] ?? 0),
    p95: round(times[Math.floor(times.length * 0.95)] ?? 0),
    max: round(times.at(-1) ?? 0),
    long: round(long),
    megabytes: round(bytes / 2 ** 20),
  };
}

/** The same server with a list of tools that was not seen before: its words are read again. */
function refresh(server: ServerRecord): ServerRecord {
  return { ...server, tools: [...server.tools] };
}

function repeat(servers: readonly ServerRecord[], tools: number): ServerRecord[] {
  const found: ServerRecord[] = [];
  for (let count = 0, round = 0; count < tools; round++) {
    for (const server of servers) {
      found.push({ ...refresh(server), name: `${server.name}-${round}` });
      count += server.tools.length;
    }
  }
  return found;
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  // What only weak references hold is gone after the second time.
  for (let time = 0; time < 2; time++) if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}
