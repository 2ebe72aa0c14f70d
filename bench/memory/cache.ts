import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import type { CatalogEntry } from "../../src/catalog/entry.ts";
import type { ToolRecord } from "../../src/catalog/tool.ts";
import { type CallCache, createCache } from "../../src/engine/call/cache.ts";
import { type CallResult, type NextStage, toCall } from "../../src/engine/call/call.ts";
import { createSession } from "../../src/session.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { createResultCache } from "../../src/workspace/result-cache/result-cache.ts";
import { loadBuilt } from "../load-built.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";

const CALLS = 4_000;
const WARM_UP = 500;
const KEYS = 200;
const TARGET_STAGE_US = 50;
const PROGRAM_CALLS = 1_000;
const ROUNDS = 7;

/** Results of calls that are used again: the stage alone, whole calls beside those that are sent, and how many are hits. */
export async function measureCache({ distDir, progress }: BenchOptions): Promise<BenchReport> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  try {
    progress("the stage of the cache");
    const stage = [];
    for (const bytes of [200, 2_000, 20_000])
      stage.push({ bytes, ...(await measureStage(join(dir, `s${bytes}`), bytes)) });
    progress("whole calls");
    const whole = await measureWhole(dir, distDir);
    const [least] = stage;
    const us = least?.hit.p50 ?? Number.POSITIVE_INFINITY;
    return {
      tables: [
        {
          title: "The stage of the cache (µs a call)",
          columns: ["result (bytes)", "answered p50", "p95", "kept p50", "not cached p50", "target"],
          rows: stage.map(({ bytes, hit, miss, pass }) => [
            bytes,
            round(hit.p50),
            round(hit.p95),
            round(miss.p50),
            round(pass.p50),
            TARGET_STAGE_US,
          ]),
        },
        {
          title: `Whole calls of a program, ${PROGRAM_CALLS} one after the other (µs a call)`,
          columns: ["", "p50", "hits (%)"],
          rows: whole.map(({ name, us: time, hits }) => [name, round(time), round(hits)]),
        },
      ],
      notes: [
        "A result that is kept for the first time is written before an equal call is answered, not before its own",
      ],
      misses: us > TARGET_STAGE_US ? [`a cached call: ${round(us)} µs, target ${TARGET_STAGE_US} µs`] : [],
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const tool: ToolRecord = {
  name: "get_note",
  server: "board",
  identifiers: { typescript: "getNote", python: "get_note" },
  description: "",
  inputSchema: { type: "object" },
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  trusted: true,
  hash: "0".repeat(64),
  since: "2026-01-01T00:00:00Z",
  warnings: [],
};
const server: CatalogEntry = {
  name: "board",
  identifiers: { typescript: "board", python: "board" },
  folder: "board",
  status: "ready",
  fingerprint: "0".repeat(32),
  warnings: [],
  changes: [],
};
const session = createSession({ client: { name: "bench" } });
const run = {
  id: "r_0",
  startCall: () => ({ end: () => 0, fail: () => 0 }),
  logOnce: () => {},
};

async function measureStage(dir: string, bytes: number) {
  await mkdir(dir, { recursive: true });
  const state = await openStateDir(dir, join(dir, "..", "key"));
  const results = createResultCache({ state, key: async () => Buffer.alloc(32, 1) });
  const cache: CallCache = { results, planOf: () => ({ kind: "keep", ttlMs: 600_000 }), isOn: true };
  const stage = createCache(cache);
  const passing = createCache({ ...cache, planOf: () => ({ kind: "pass" }) });
  const rows = {
    rows: Array.from({ length: Math.ceil(bytes / 40) }, (_, id) => ({ id, name: `order ${id}` })),
  };
  const content = [{ type: "text", text: JSON.stringify(rows) }];
  const next: NextStage = async ({ id }): Promise<CallResult> => ({
    value: rows,
    content,
    from: { server: "board", tool: "get_note", callId: id },
  });
  const call = (key: number) =>
    toCall({
      run,
      session,
      server,
      tool,
      args: { id: String(key), limit: 20 },
      signal: new AbortController().signal,
    });
  const time = async (count: number, make: (n: number) => Promise<CallResult>) => {
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      const start = performance.now();
      await make(n);
      times.push((performance.now() - start) * 1_000);
    }
    return toQuantiles(times);
  };
  try {
    await results.open();
    const miss = await time(KEYS, (n) => stage(call(n), next));
    await time(WARM_UP, (n) => stage(call(n % KEYS), next));
    const hit = await time(CALLS, (n) => stage(call(n % KEYS), next));
    const pass = await time(CALLS, (n) => passing(call(n % KEYS), next));
    return { hit, miss, pass };
  } finally {
    await results.close();
  }
}

/** The server is a program of its own, over a pipe: the nearest that one can be. */
async function measureWhole(dir: string, distDir: string) {
  const board = { command: process.execPath, args: [resolve("test/fixtures/servers/board.js"), dir] };
  const rule = { server: "board", tool: "get_*", ttlMs: 600_000 };
  const ways = [
    { name: "sent, without a cache", cache: { enabled: false, rules: [rule] }, keys: 50 },
    { name: "sent, no rule for the tool", cache: {}, keys: 50 },
    { name: "each one new, and kept", cache: { rules: [rule] }, keys: PROGRAM_CALLS * ROUNDS },
    { name: "50 different ones", cache: { rules: [rule] }, keys: 50 },
  ];
  const found = [];
  for (const [at, { name, cache, keys }] of ways.entries()) {
    const project = join(dir, `p${at}`);
    await mkdir(project);
    await writeFile(join(project, "keyhole.config.json"), JSON.stringify({ servers: { board }, cache }));
    found.push({ name, ...(await measureProgram(project, distDir, keys)) });
  }
  return found;
}

async function measureProgram(dir: string, distDir: string, keys: number) {
  const { openProject, createEngine, createSession: toSession } = await loadBuilt(distDir);
  const project = await openProject({ dir, homeDir: join(dir, "home"), trust: true });
  await project.catalog.read();
  const engine = createEngine(project, { poolSize: 0 });
  const own = toSession({ client: { name: "bench" } });
  const times: number[] = [];
  let [hits, calls] = [0, 0];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const code = `const start = performance.now();
for (let n = 0; n < ${PROGRAM_CALLS}; n++) await board.getNote({ id: String((${round * PROGRAM_CALLS} + n) % ${keys}) });
return (performance.now() - start) / ${PROGRAM_CALLS} * 1000`;
      const result = await engine.run({ code, session: own });
      if (!result.ok) throw new Error(result.text);
      times.push(Number(result.result));
      calls += result.calls.length;
      hits += result.calls.filter((call) => call.cached).length;
    }
  } finally {
    await engine.close();
    await project.close();
  }
  return { us: toQuantiles(times).p50, hits: (hits / calls) * 100 };
}

function toQuantiles(times: readonly number[]): { readonly p50: number; readonly p95: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
