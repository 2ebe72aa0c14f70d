import { observe } from "../test/hostile/attack.ts";
import { PROGRAM_CASES } from "../test/hostile/cases/programs.ts";
import { fixture, LOCAL_TOKEN, startGateway } from "../test/hostile/gateway.ts";
import { type Observation, slowest } from "../test/hostile/judge.ts";
import { toMegabytes } from "../test/hostile/net.ts";
import type { BenchOptions, BenchReport, BenchTable } from "./suite.ts";

const MAX_GROWTH_MB = 600;
const MAX_WAIT_MS = 1_000;
const TIMES_UNDISTURBED = 20;

/** The attacks that were once found to work, by the names of their cases. */
const PROOFS: readonly string[] = [
  "mistakes: let;",
  "mistakes: static;",
  "mistakes: super;",
  "mistakes: export ",
  "repeated: an identifier of 400 KB",
  "repeated: an identifier with underscores",
  "calls: 10,000 unknown tools of a large server",
  "searches: 10,000 at once",
  "imports: 26,000 imports of 3,000 tools",
  "values: two emits of 15 MB",
  "values: two programs with empty objects in calls at once",
  "values: two programs with empty objects in emits",
];
const SERVER_PROOFS = ["objects-126", "objects-30", "text-126"];

/** Each on a fresh host: how long others waited at most, and how far the host's memory rose. */
export async function measureProofs(
  options: BenchOptions,
): Promise<{ table: BenchTable } & Pick<BenchReport, "misses">> {
  const attacks = [
    ...PROOFS.map((name) => {
      const found = PROGRAM_CASES.find((candidate) => candidate.name === name);
      if (found === undefined) throw new Error(`There is no case "${name}"`);
      return { name, code: found.code(), copies: found.copies ?? 1 };
    }),
    ...SERVER_PROOFS.map((kind) => ({
      name: `server: ${kind}`,
      code: `return typeof (await hostile.attack({ kind: "${kind}" }));`,
      copies: 1,
    })),
  ];
  const rows: { name: string; seen: Observation }[] = [];
  for (const { name, code, copies } of attacks) {
    options.progress(name);
    rows.push({ name, seen: await measure(options, code, copies) });
  }
  const table = {
    title: "Each known attack on a fresh host",
    columns: ["attack", "undisturbed p50", "slowest honest answer", "host +MB", "host", "attacker got"],
    rows: rows.map(({ name, seen }) => [
      name,
      seen.undisturbedMs,
      slowest(seen.honest),
      toMegabytes(seen.grownBytes),
      fateOf(seen),
      [...new Set(seen.answers.map((answer) => (answer.came ? answer.kind : `none: ${answer.why}`)))].join(
        ", ",
      ),
    ]),
  };
  return { table, misses: rows.flatMap(({ name, seen }) => toMisses(name, seen)) };
}

async function measure(options: BenchOptions, code: string, copies: number): Promise<Observation> {
  const gateway = await startGateway({
    dist: options.distDir,
    servers: {
      big: fixture("test/fixtures/servers/good.js", "big", "3000"),
      hostile: fixture("test/hostile/servers/hostile.js"),
    },
  });
  try {
    const attack = { withinMs: 150_000 };
    return await observe(
      gateway,
      (attacker) => Promise.all(Array.from({ length: copies }, () => attacker.run(code, attack))),
      { token: LOCAL_TOKEN, capMs: 160_000 },
    );
  } finally {
    await gateway.end();
  }
}

function fateOf({ isAlive, fallen }: Observation): string {
  return fallen ?? (isAlive ? "alive" : "died");
}

function toMisses(name: string, seen: Observation): string[] {
  if (!seen.isAlive) return [`${name}: ${fateOf(seen)}`];
  const [waited, allowed, grown] = [
    slowest(seen.honest),
    Math.max(MAX_WAIT_MS, TIMES_UNDISTURBED * seen.undisturbedMs),
    toMegabytes(seen.grownBytes),
  ];
  return [
    ...(waited > allowed ? [`${name}: another session waited ${waited} ms`] : []),
    ...(grown > MAX_GROWTH_MB ? [`${name}: ${grown} MB`] : []),
  ];
}
