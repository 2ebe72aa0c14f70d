import { setTimeout as wait } from "node:timers/promises";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import type { Host, RunOutcome, Sandbox } from "../../src/sandbox/sandbox.ts";
import type { MeasuredLanguage } from "./languages.ts";
import type { Place } from "./places.ts";

const COLD_RUNS = 10;
const POOLED_RUNS = 20;
const SUSTAINED_MS = 8_000;
const AT_ONCE = 2;
/** Longer than a process takes to be ready behind its first word. */
const SETTLE_MS = 1_200;
const MB = 1024 * 1024;

export type TierFigures = {
  readonly floorMs: number;
  readonly coldMs: number;
  readonly coldBestMs: number;
  readonly pooledMs: number;
  readonly pooledBestMs: number;
  readonly pooledWorstMs: number;
  readonly roundTripMs: number;
  readonly callsMs: number;
  readonly loopMs: number;
  readonly memoryMb: number;
  readonly perSecond: number;
};

const host: Host = { callTool: async (_server, _tool, args) => args };

export async function measureTier(place: Place, language: MeasuredLanguage): Promise<TierFigures> {
  const { guest, small, calls, loop } = language;
  const floor = place.floors[language.name];
  const run = (sandbox: Sandbox, code: string) => sandbox.run({ code, servers: ["s"] }, host);
  const open = (poolSize: number) =>
    createSandbox({ tier: place.tier, tiers: place.tiers, guest, poolSize, limits: { cores: 1 } });

  const cold = await within(open(0), async (sandbox) => {
    // Whatever is found out once is not what a program waits for.
    await run(sandbox, small);
    const times: number[] = [];
    const floors: number[] = [];
    // By turns: what else goes on on the machine is the same for both.
    for (let count = 0; count < COLD_RUNS; count++) {
      if (floor) floors.push(await time(floor.once));
      times.push(await time(async () => expectValue(await run(sandbox, small))));
    }
    const callsMs = Number(expectValue(await run(sandbox, calls)));
    const loopMs = Number(expectValue(await run(sandbox, loop)));
    const { used } = await run(sandbox, calls);
    return { times, floors, callsMs, loopMs, memoryMb: (used.memoryBytes ?? 0) / MB };
  });
  const pooled = await within(open(1), async (sandbox) => {
    const times: number[] = [];
    for (let count = 0; count < POOLED_RUNS; count++) {
      // As it is while a model thinks.
      await sandbox.warm();
      await wait(SETTLE_MS);
      times.push(await time(async () => expectValue(await run(sandbox, small))));
    }
    return times;
  });
  const perSecond = await within(open(AT_ONCE), async (sandbox) => {
    let done = 0;
    const begin = performance.now();
    const lane = async () => {
      for (; performance.now() - begin < SUSTAINED_MS; done++) expectValue(await run(sandbox, small));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return (done * 1000) / (performance.now() - begin);
  });
  return {
    floorMs: quantile(cold.floors, 0.5),
    coldMs: quantile(cold.times, 0.5),
    coldBestMs: Math.min(...cold.times),
    pooledMs: quantile(pooled, 0.5),
    pooledBestMs: Math.min(...pooled),
    pooledWorstMs: quantile(pooled, 0.95),
    roundTripMs: cold.callsMs / 1000,
    callsMs: cold.callsMs,
    loopMs: cold.loopMs,
    memoryMb: cold.memoryMb,
    perSecond,
  };
}

async function within<T>(sandbox: Sandbox, measure: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  try {
    return await measure(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function expectValue(outcome: RunOutcome): unknown {
  if (outcome.ok) return outcome.value;
  throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
}

function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
