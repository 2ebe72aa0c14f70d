import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { AuditPart } from "../audit.ts";
import { loadBuilt } from "../load-built.ts";
import { toPercentile, toRounded } from "./log-folder.ts";

const ROUNDS = 150;
const CALLS = 100;
const TARGET_RUN_MS = 0.3;
const TARGET_CALL_US = 30;
/** A run leaves its place in the pool empty: agents think longer than it takes to fill it. */
const REFILL_MS = 60;

type Kind = { readonly what: string; readonly calls: number; code(n: number): string };

const KINDS: readonly Kind[] = [
  { what: "a run", calls: 0, code: (n) => `return ${n}` },
  ...(["get", "add"] as const).flatMap((verb): Kind[] => {
    const server = verb === "get" ? "things" : "more";
    const call = (at: string) => `${server}.${verb}0({ value: String(${at}) })`;
    const kind = verb === "get" ? "read" : "write";
    return [
      {
        what: `a call that ${kind}s, in a row`,
        calls: CALLS,
        code: (n) => `for (let at = 0; at < ${CALLS}; at++) await ${call(`${n} + at`)};`,
      },
      {
        what: `a call that ${kind}s, all at once`,
        calls: CALLS,
        code: (n) => `await Promise.all(Array.from({ length: ${CALLS} }, (_, at) => ${call(`${n} + at`)}));`,
      },
    ];
  }),
];

/** Two engines in one process, with the log and without, in turns: what the log adds to the time until a run is answered. */
export const measureOverhead: AuditPart = async ({ scale, progress, distDir }) => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-bench-")));
  const engines = {
    on: await openEngineIn(dir, distDir, true),
    off: await openEngineIn(dir, distDir, false),
  };
  const misses: string[] = [];
  const rows: (readonly (string | number)[])[] = [];
  try {
    for (const { what, calls, code } of KINDS) {
      progress(`overhead: ${what}`);
      const times: { on: number[]; off: number[] } = { on: [], off: [] };
      const busy: { on: number[]; off: number[] } = { on: [], off: [] };
      const rounds = Math.max(5, Math.ceil((ROUNDS * scale) / (calls > 0 ? 4 : 1)));
      for (let round = -3; round < rounds; round++) {
        // The second of two meets other conditions than the first.
        for (const side of round % 2 === 0 ? (["on", "off"] as const) : (["off", "on"] as const)) {
          await delay(REFILL_MS);
          const before = hostThreadMs();
          const ms = await engines[side].time(code(round));
          if (round < 0) continue;
          times[side].push(ms);
          busy[side].push(hostThreadMs() - before);
        }
      }
      const unit = calls === 0 ? "ms" : "µs";
      const toEach = (ms: number) => (calls === 0 ? ms : (ms * 1_000) / calls);
      const each = toEach(medianOfPairs(times));
      const worked = `${toRounded(toEach(medianOfPairs(busy)))} ${unit}`;
      const target = calls === 0 ? TARGET_RUN_MS : TARGET_CALL_US;
      const p50s = [times.off, times.on].map((one) => toRounded(toPercentile(one, 0.5)));
      rows.push([what, rounds, ...p50s, `${toRounded(each)} ${unit}`, worked, `${target} ${unit}`]);
      if (each > target) misses.push(`${what}: ${toRounded(each)} ${unit} more, target ${target}`);
    }
  } finally {
    await engines.on.close();
    await engines.off.close();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
  return {
    tables: [
      {
        title: `What the log adds, runs of ${CALLS} calls (ms for the run, p50; median of the differences of pairs)`,
        columns: ["", "pairs", "without", "with", "added, each", "of the host thread", "target"],
        rows,
      },
    ],
    notes: [
      "overhead: the host thread's own work is what differs least on a machine that does other things, too",
    ],
    misses,
  };
};

function medianOfPairs({ on, off }: { on: readonly number[]; off: readonly number[] }): number {
  return toPercentile(
    on.map((value, at) => value - (off[at] ?? 0)),
    0.5,
  );
}

/** What this thread has worked, whatever else the machine does; nothing where the system does not tell. */
function hostThreadMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

async function openEngineIn(base: string, distDir: string, auditLogging: boolean) {
  const { createEngine, openProject, createSession } = await loadBuilt(distDir);
  const dir = join(base, auditLogging ? "on" : "off");
  await mkdir(dir);
  const server = (verb: string) => ({
    command: process.execPath,
    args: [resolve("test/fixtures/servers/good.js"), verb, "1"],
  });
  const config = {
    auditLogging,
    securityLevel: "low",
    permissions: { rules: [{ tool: "*", decision: "allow" }] },
  };
  await writeFile(
    join(dir, ".mcp.json"),
    JSON.stringify({ mcpServers: { things: server("get"), more: server("add") } }),
  );
  await writeFile(join(dir, "keyhole.config.json"), JSON.stringify(config));
  const project = await openProject({ dir, homeDir: join(base, "home"), trust: true });
  await project.catalog.read();
  const engine = createEngine(project, { poolSize: 2, checkTypes: false });
  const session = createSession({ client: { name: "bench" } });
  return {
    async time(code: string): Promise<number> {
      const start = performance.now();
      const result = await engine.run({ session, code });
      const ms = performance.now() - start;
      if (result.status !== "done") throw new Error(JSON.stringify(result));
      return ms;
    },
    async close() {
      await engine.close();
      await project.close();
    },
  };
}
