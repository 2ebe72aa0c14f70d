import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BenchOptions, BenchReport } from "../../suite.ts";
import { MODES, type Mode, openPrivateFront, type PrivateFront } from "../front.ts";
import { type Flow, makeFlows, PRELUDE, toCode } from "./make-flow.ts";
import { findLeaks, type Leak } from "./visible.ts";

const FLOWS = 10_000;
const CONTROL_FLOWS = 250;
const FLOWS_IN_PROGRAM = 20;
const SEED = 20_261_116;
const MOST_SHOWN = 12;
const ENDINGS = [
  "return results;",
  "return { results };",
  "throw new Error(String(results.length > 0 ? JSON.stringify(results) : value));",
  "throw { reason: value, results };",
  "Promise.reject(new TypeError(value)); await new Promise((resolve) => setTimeout(resolve, 5));",
  "return value;",
];

type Counts = {
  flows: number;
  programs: number;
  failed: number;
  canaries: number;
  leaks: (Leak & { readonly code: string })[];
  /** Values that a tool got otherwise than the other one gave them. */
  changed: { readonly code: string; readonly sent: string; readonly got: string }[];
  handed: number;
  tokens: number;
  seconds: number;
};

/** Random data with values of every class, through random programs: what a client sees, and what a tool is handed. */
export async function measureFlows({ distDir, progress }: BenchOptions): Promise<BenchReport> {
  const flows = makeFlows(FLOWS, SEED);
  const runs: (readonly [string, Counts])[] = [];
  for (const mode of MODES) {
    progress(`Flows: ${FLOWS} in ${mode} mode`);
    runs.push([mode, await runFlows(distDir, mode, flows)]);
  }
  progress("Flows: the same without privacy, to see that the check can fail");
  const control = await runFlows(distDir, "off", flows.slice(0, CONTROL_FLOWS));
  const rows = [...runs, ["off, a part of them", control] as const].map(([mode, counts]) => [
    mode,
    counts.flows,
    counts.programs,
    counts.canaries,
    counts.leaks.length,
    counts.handed,
    counts.changed.length,
    counts.tokens,
    Number(counts.seconds.toFixed(1)),
  ]);
  return {
    tables: [
      {
        title: "Flows: values of every class through random programs",
        columns: [
          "mode",
          "flows",
          "programs",
          "values",
          "values seen",
          "handed to a tool",
          "of those changed",
          "tokens seen",
          "seconds",
        ],
        rows,
      },
    ],
    notes: runs.flatMap(([mode, { leaks, changed }]) => [
      ...leaks
        .slice(0, MOST_SHOWN)
        .map(
          ({ canary, form, around, code }) =>
            `seen, ${mode}: ${canary.class} ${form}: ${JSON.stringify(around)} by ${code}`,
        ),
      ...changed
        .slice(0, MOST_SHOWN)
        .map(({ code, sent, got }) => `changed, ${mode}: ${code}: ${sent} became ${got}`),
    ]),
    misses: [
      ...runs.flatMap(([mode, { leaks, changed, failed, handed, flows: made }]) => [
        ...(leaks.length > 0 ? [`flows, ${mode}: ${leaks.length} values seen`] : []),
        ...(changed.length > 0 ? [`flows, ${mode}: ${changed.length} arguments changed`] : []),
        ...(failed > 0 ? [`flows, ${mode}: ${failed} programs did not run to their end`] : []),
        ...(handed < made ? [`flows, ${mode}: ${made - handed} flows did not get to the tool`] : []),
      ]),
      ...(control.leaks.length === 0 ? ["flows: nothing is seen without privacy either"] : []),
    ],
  };
}

async function runFlows(distDir: string, mode: Mode, flows: readonly Flow[]): Promise<Counts> {
  const front = await openPrivateFront({
    distDir,
    mode,
    servers: (dir) => ({ drawers: ["drawers", join(dir, "drawers"), join(dir, "handed.jsonl")] }),
  });
  const counts: Counts = {
    flows: flows.length,
    programs: 0,
    failed: 0,
    canaries: 0,
    leaks: [],
    changed: [],
    handed: 0,
    tokens: 0,
    seconds: 0,
  };
  try {
    await mkdir(join(front.dir, "drawers"));
    for (const [number, { data }] of flows.entries())
      await writeFile(join(front.dir, "drawers", `${number}.json`), JSON.stringify(data));
    const start = performance.now();
    for (let from = 0; from < flows.length; from += FLOWS_IN_PROGRAM)
      await runProgram(front, flows, from, counts);
    counts.seconds = (performance.now() - start) / 1_000;
    await compareHanded(front.dir, flows, counts);
  } finally {
    await front.close();
  }
  return counts;
}

async function runProgram(
  front: PrivateFront,
  flows: readonly Flow[],
  from: number,
  counts: Counts,
): Promise<void> {
  const own = flows.slice(from, from + FLOWS_IN_PROGRAM);
  const ending = ENDINGS[(from / FLOWS_IN_PROGRAM) % ENDINGS.length] ?? "";
  const code = `${PRELUDE}let value: any;\n${own.map((flow, index) => toCode(flow, from + index)).join("")}console.log("got to the end");\n${ending}\n`;
  const answer = await front.run(code);
  counts.programs++;
  const seen = JSON.stringify(answer.visible);
  counts.tokens += seen.match(/\[[A-Z_]+_\d+\]/g)?.length ?? 0;
  if (!seen.includes("got to the end")) {
    counts.failed++;
    if (process.env["KEYHOLE_BENCH_DEBUG"]) console.error(answer.text.slice(0, 1_500), code);
  }
  for (const flow of own) {
    counts.canaries += flow.canaries.length;
    for (const leak of findLeaks(answer.visible, flow.canaries))
      counts.leaks.push({ ...leak, code: `${flow.steps.join(" ")} … ${ending}` });
  }
}

async function compareHanded(dir: string, flows: readonly Flow[], counts: Counts): Promise<void> {
  const lines = (await readFile(join(dir, "handed.jsonl"), "utf8")).split("\n").filter((line) => line !== "");
  for (const line of lines) {
    const { number, thing }: { number: number; thing: unknown } = JSON.parse(line);
    const flow = flows[number];
    if (flow === undefined) continue;
    counts.handed++;
    const sent = JSON.stringify(flow.handed.value);
    const got = JSON.stringify(thing);
    if (sent !== got) counts.changed.push({ code: flow.handed.code, sent, got });
  }
}
