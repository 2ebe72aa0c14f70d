import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { toProgramServers } from "../src/engine/run/program-servers.ts";
import { TYPESCRIPT_LANGUAGE } from "../src/language/typescript/typescript.ts";
import { createSandbox } from "../src/sandbox/create-sandbox.ts";
import { createPrograms } from "./check/generated.ts";
import { loadEvalServers } from "./eval-tools.ts";
import type { BenchOptions, BenchReport } from "./suite.ts";

const RUNS = 60;
const TARGET_MS = 14;
/** A run leaves its place in the pool empty; this is long enough to fill it, and short beside an agent's thinking. */
const REFILL_MS = 120;

/** From code to result with the type check: programs never seen before, against the whole catalogue, tools answered in the host. */
export async function measureCheckedRun({ dataDir }: BenchOptions): Promise<BenchReport> {
  const { servers } = await loadEvalServers(dataDir);
  const programs = createPrograms(servers);
  const readers = TYPESCRIPT_LANGUAGE.createReaders({ servers: () => servers, stays: true });
  const sandbox = createSandbox({ poolSize: 2 });
  const byName = new Map(servers.map((record) => [record.name, record]));
  const host = { callTool: async () => ({ items: [{ id: 1, name: "a", size: 1e6 }] }) };
  const times: number[] = [];
  try {
    for (let seed = 0; seed < RUNS + 5; seed++) {
      await delay(REFILL_MS);
      const source = programs.right(seed);
      const start = performance.now();
      const read = await readers.read(source, { types: true });
      if (!read.ok || read.skipped !== undefined) throw new Error(JSON.stringify(read));
      const outcome = await sandbox.run(
        { code: read.code, ...toProgramServers(read.uses, (name) => byName.get(name), "typescript") },
        host,
      );
      if (!outcome.ok) throw new Error(outcome.error.message);
      // The first few start the processes.
      if (seed >= 5) times.push(performance.now() - start);
    }
  } finally {
    readers.close();
    await sandbox.close();
  }
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round((sorted[Math.floor(sorted.length * share)] ?? Number.NaN) * 100) / 100;
  const [p50, p95] = [at(0.5), at(0.95)];
  return {
    tables: [
      {
        title: `55 lines, 6 calls, pooled, with the type check, never seen before, ${servers.length} servers (ms)`,
        columns: ["p50", "p95", "target p50"],
        rows: [[p50, p95, TARGET_MS]],
      },
    ],
    notes: [],
    misses: p50 > TARGET_MS ? [`with the type check: ${p50} ms, target ${TARGET_MS} ms`] : [],
  };
}
