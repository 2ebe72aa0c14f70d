import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { createSandbox } from "../src/sandbox/create-sandbox.ts";
import type { Sandbox } from "../src/sandbox/sandbox.ts";
import type { BenchOptions, BenchReport, BenchSuite } from "./suite.ts";

const MODULES = [
  ...["path", "os", "timers", "perf_hooks", "process", "fs", "buffer", "events", "querystring"],
  ...["string_decoder", "assert", "readline", "url", "util", "zlib", "stream", "crypto"],
];
/** Long enough for a process to be in the pool again; for the second, to have loaded Deno's Node layer ahead, too. */
const WAITS = { "at once": 150, "has waited": 1_700 } as const;
const ROUNDS = 7;

export const modulesSuite: BenchSuite = {
  name: "modules",
  about: "what a module of Node's adds to a run that uses it, beside a run that uses none",
  run,
};

async function run({ progress }: BenchOptions): Promise<BenchReport> {
  const sandbox = createSandbox({ poolSize: 1 });
  const names = [undefined, ...MODULES];
  const medians = new Map<string | undefined, number[]>(names.map((name) => [name, []]));
  try {
    for (const [state, waitMs] of Object.entries(WAITS)) {
      progress(state);
      const times = new Map<string | undefined, number[]>(names.map((name) => [name, []]));
      // In turns, so that what the machine does meanwhile is shared by all.
      for (let round = 0; round < ROUNDS; round++) {
        for (const name of names) {
          await delay(waitMs);
          times.get(name)?.push(await timeOf(sandbox, name));
        }
      }
      for (const name of names) medians.get(name)?.push(toMedian(times.get(name) ?? []));
    }
  } finally {
    await sandbox.close();
  }
  const none = medians.get(undefined) ?? [];
  const rows = MODULES.map((name) => [
    name,
    ...(medians.get(name) ?? []).map((median, at) => round(median - (none[at] ?? 0))),
  ]);
  return {
    tables: [
      {
        title: "Milliseconds more than a run without modules (medians)",
        columns: ["module", ...Object.keys(WAITS)],
        rows: [["none: the whole run", ...none.map(round)], ...rows],
      },
    ],
    notes: [`${ROUNDS} runs each, in a pool of one process; differences below one millisecond are noise`],
    misses: [],
  };
}

async function timeOf(sandbox: Sandbox, name: string | undefined): Promise<number> {
  const code = name === undefined ? "return 1" : `return typeof __keyhole.modules["${name}"]`;
  const start = performance.now();
  const outcome = await sandbox.run(
    { code, servers: [], ...(name === undefined ? {} : { modules: [name] }) },
    { callTool: async () => undefined },
  );
  const ms = performance.now() - start;
  if (!outcome.ok) throw new Error(outcome.error.message);
  if (name !== undefined && outcome.value === "undefined") throw new Error(`"${name}" was not loaded`);
  return ms;
}

function toMedian(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
