import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createLearner } from "../../src/catalog/observed/learner.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import type { BenchTable } from "../suite.ts";

const TARGET_LARGE_MS = 2;
const TARGET_SMALL_US = 25;

/** What learning adds to a call, on the host's one thread; the file is written later. */
export async function measureCost(): Promise<{ table: BenchTable; misses: string[] }> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  try {
    const learner = createLearner(await openStateDir(dir));
    const time = (tool: string, times: number, value: (n: number) => unknown) => {
      const key = { server: "bench", tool, hash: "", version: undefined };
      const values = Array.from({ length: times }, (_, n) => value(n));
      const spent = values.map((one) => {
        const start = performance.now();
        learner.observe(key, one);
        learner.contradictionsOf(key);
        return performance.now() - start;
      });
      const sorted = spent.sort((a, b) => a - b);
      return { p50: sorted[Math.floor(times / 2)] ?? 0, p95: sorted[Math.floor(times * 0.95)] ?? 0 };
    };
    const small = time("small", 1_000, (n) => ({ server: "good", echoed: { value: String(n) } }));
    const list = time("list", 300, (n) => Array.from({ length: 100 }, (_, at) => toRow(n * 100 + at)));
    const large = time("large", 20, (n) => toLarge(n));
    const text = time("text", 20, () => "x".repeat(9 * 1024 * 1024));
    const map = time("map", 10, () => toWideMap());
    const start = performance.now();
    await learner.flush();
    const written = performance.now() - start;
    const micro = (ms: number) => Math.round(ms * 10_000) / 10;
    const rows = [
      ["a small result (50 characters)", micro(small.p50), micro(small.p95)],
      ["100 rows of 8 fields (17 KB)", micro(list.p50), micro(list.p95)],
      ["50,000 rows (9 MB)", micro(large.p50), micro(large.p95)],
      ["one text of 9 MB", micro(text.p50), micro(text.p95)],
      ["one map of 100,000 keys (9 MB)", micro(map.p50), micro(map.p95)],
      ["writing all of it, once", micro(written), micro(written)],
    ];
    const misses: string[] = [];
    if (large.p50 > TARGET_LARGE_MS) misses.push(`9 MB take ${large.p50} ms, target ${TARGET_LARGE_MS}`);
    if (small.p50 * 1000 > TARGET_SMALL_US) misses.push(`a small result takes ${small.p50 * 1000} µs`);
    return { table: { title: "Cost of learning (µs)", columns: ["result", "p50", "p95"], rows }, misses };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function toRow(n: number) {
  return {
    id: n,
    name: `item ${n}`,
    status: ["open", "closed", "held"][n % 3],
    price: n / 4,
    tags: ["a", "b"],
    owner: { login: `user${n % 7}`, type: "User" },
    created_at: "2024-05-06T07:08:09Z",
    parent: null,
  };
}

function toLarge(n: number): unknown {
  return { total: 50_000, rows: Array.from({ length: 50_000 }, (_, at) => toRow(n + at)) };
}

function toWideMap(): unknown {
  return Object.fromEntries(
    Array.from({ length: 100_000 }, (_, n) => [`${n}-x`, { id: n, text: "y".repeat(60) }]),
  );
}
