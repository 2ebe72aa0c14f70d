import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BenchOptions, BenchReport } from "../suite.ts";
import { openPrivateFront, type PrivateFront } from "./front.ts";
import { plainRecord } from "./records.ts";

const ROUNDS = 40;
const MOST_SLOWER = 1.05;
const MODES = ["off", "egress", "boundary"] as const;
const SIZES = [4, 24];
/** What a run leaves empty is filled meanwhile; agents think longer. */
const PAUSE_MS = 40;

/** Runs whose results hold nothing personal, with and without looking for it, in turns. */
export async function measureUnconcerned({ distDir, progress }: BenchOptions): Promise<BenchReport> {
  const fronts = new Map<string, PrivateFront>();
  const rows: (string | number)[][] = [];
  const misses: string[] = [];
  try {
    for (const mode of MODES) fronts.set(mode, await open(distDir, mode));
    for (const [number, records] of SIZES.entries()) {
      const kilobytes = (JSON.stringify(recordsOf(records)).length / 1_000).toFixed(1);
      progress(`Runs with nothing personal in them, results of ${kilobytes} KB`);
      const times = await takeTurns(fronts, number);
      const without = median(times.get("off") ?? []);
      for (const mode of MODES) {
        const ms = median(times.get(mode) ?? []);
        rows.push([
          `6 calls of ${kilobytes} KB`,
          mode,
          Number(ms.toFixed(1)),
          Number((ms / without).toFixed(3)),
        ]);
        if (ms / without > MOST_SLOWER)
          misses.push(
            `nothing personal, ${kilobytes} KB, ${mode}: ${(ms / without).toFixed(3)} times as long`,
          );
      }
    }
  } finally {
    for (const front of fronts.values()) await front.close();
  }
  return {
    tables: [
      {
        title: "Runs whose results hold nothing personal, medians in turns",
        columns: ["program", "piiTokenization", "ms", "times"],
        rows,
      },
    ],
    notes: [
      `"off" looks for secrets all the same; what a build without privacy takes is measured beside another build`,
    ],
    misses,
  };
}

async function open(distDir: string, mode: (typeof MODES)[number]): Promise<PrivateFront> {
  const front = await openPrivateFront({
    distDir,
    mode,
    servers: (dir) => ({ drawers: ["drawers", join(dir, "drawers"), join(dir, "handed.jsonl")] }),
  });
  await mkdir(join(front.dir, "drawers"));
  for (const [number, records] of SIZES.entries())
    await writeFile(
      join(front.dir, "drawers", `${number}.json`),
      JSON.stringify({ items: recordsOf(records) }),
    );
  return front;
}

async function takeTurns(
  fronts: ReadonlyMap<string, PrivateFront>,
  number: number,
): Promise<Map<string, number[]>> {
  const times = new Map([...fronts.keys()].map((mode) => [mode, [] as number[]]));
  for (let round = -3; round < ROUNDS; round++)
    for (const [mode, front] of fronts) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const start = performance.now();
      const { isError, text } = await front.run(sixCalls(number, round));
      if (isError) throw new Error(text);
      if (round >= 0) times.get(mode)?.push(performance.now() - start);
    }
  return times;
}

function sixCalls(number: number, round: number): string {
  return `let open = 0;
for (let call = 0; call < 6; call++) {
  const { items } = (await drawers.openDrawer({ number: ${number} })) as any;
  open += items.filter((item: any) => item.status === "open").length;
}
console.log("round", ${round});
return { open };`;
}

function recordsOf(count: number) {
  return Array.from({ length: count }, (_, index) => plainRecord(index));
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
