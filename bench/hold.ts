import { attackAsCrowd, percentile, toMixedCode } from "../test/hostile/crowd.ts";
import { type Gateway, LOCAL_TOKEN, MALLORY_TOKEN, startGateway } from "../test/hostile/gateway.ts";
import type { Sample } from "../test/hostile/honest-session.ts";
import { toMegabytes } from "../test/hostile/net.ts";
import { measureProofs } from "./hold-proofs.ts";
import type { BenchOptions, BenchReport, BenchSuite, BenchTable } from "./suite.ts";

const SESSIONS = 10;
const PROGRAMS = 200;
const WALL_MS = 30_000;
const TIMES_UNDISTURBED = 3;
const UNDISTURBED_ROUNDS = 25;
/** Short, so that the attack is over in a few minutes; what it tells is the same. */
const CONFIG = { maxExecutionTime: 700 };
const PRINCIPALS = { http: { tokens: { mallory: "${MALLORY_TOKEN}" } } };

/** What others notice of hostile programs, and what they cost the host. `--dist` measures another build. */
export const holdSuite: BenchSuite = {
  name: "hold",
  about:
    "an honest session beside 200 hostile programs, and beside each known attack: its times, the host's memory",
  async run(options) {
    const crowds = await measureCrowds(options);
    const proofs = await measureProofs(options);
    return {
      tables: [crowds.table, proofs.table],
      notes: [
        "The honest session runs a small program with one call, and a search, again and again; times in ms",
        "A host over 3 GB is ended by the harness, so that the machine stays usable",
      ],
      misses: [...crowds.misses, ...proofs.misses],
    };
  },
};

type CrowdRow = {
  readonly who: string;
  readonly before: readonly Sample[];
  readonly during: readonly Sample[];
  readonly endings: string;
  readonly tookMs: number;
  readonly peakBytes: number;
  readonly fate: string;
};

async function measureCrowds(
  options: BenchOptions,
): Promise<{ table: BenchTable } & Pick<BenchReport, "misses">> {
  const rows = [
    await measureCrowd(options, "of the same token", LOCAL_TOKEN, CONFIG),
    await measureCrowd(options, "of another principal", MALLORY_TOKEN, { ...CONFIG, ...PRINCIPALS }),
  ];
  const table = {
    title: `${PROGRAMS} hostile programs at once from ${SESSIONS} sessions, and an honest session beside them`,
    columns: [
      "attackers",
      "what",
      "p50",
      "p95",
      "max",
      "answers",
      "refused",
      "took s",
      "host +MB",
      "host",
      "attackers got",
    ],
    rows: rows.flatMap(toRows),
  };
  return { table, misses: rows.flatMap(toMisses) };
}

async function measureCrowd(
  options: BenchOptions,
  who: string,
  token: string,
  config: Record<string, unknown>,
): Promise<CrowdRow> {
  options.progress(`${PROGRAMS} hostile programs ${who}`);
  let gateway: Gateway;
  try {
    gateway = await startGateway({ dist: options.distDir, config });
  } catch (error) {
    options.progress(String(error));
    return { who, before: [], during: [], endings: "", tookMs: 0, peakBytes: 0, fate: "not in this build" };
  }
  try {
    const startedAt = Date.now();
    await gateway.honest.answeredSince(startedAt, UNDISTURBED_ROUNDS, 60_000);
    const before = gateway.honest.between(startedAt, Date.now());
    gateway.forgetPeak();
    const crowd = { sessions: SESSIONS, programs: PROGRAMS, token, toCode: toMixedCode, withinMs: 240_000 };
    const { honest: during, answers, tookMs } = await attackAsCrowd(gateway, crowd);
    const counts = new Map<string, number>();
    for (const answer of answers) {
      const ending = answer.came ? answer.kind : "no answer";
      counts.set(ending, (counts.get(ending) ?? 0) + 1);
    }
    const endings = [...counts].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${count} ${kind}`);
    const fate = gateway.host.isAlive() ? "alive" : (gateway.host.fallen() ?? "died");
    return {
      who,
      before,
      during,
      endings: endings.join(", "),
      tookMs,
      peakBytes: gateway.peakAboveStart(),
      fate,
    };
  } finally {
    await gateway.end();
  }
}

const only = (samples: readonly Sample[], what: Sample["what"]) =>
  samples.filter((sample) => sample.what === what);
const refusedOf = (samples: readonly Sample[]) =>
  samples.filter(({ problem }) => problem !== undefined).length;
const times = (samples: readonly Sample[]) => [0.5, 0.95, 1].map((share) => percentile(samples, share));

function toRows({ who, before, during, endings, tookMs, peakBytes, fate }: CrowdRow): (string | number)[][] {
  return (["program", "search"] as const).flatMap((what) => [
    [
      who,
      `${what}, undisturbed`,
      ...times(only(before, what)),
      only(before, what).length,
      refusedOf(only(before, what)),
      "",
      "",
      "",
      "",
    ],
    [
      who,
      `${what}, disturbed`,
      ...times(only(during, what)),
      only(during, what).length,
      refusedOf(only(during, what)),
      Math.round(tookMs / 1000),
      toMegabytes(peakBytes),
      fate,
      endings,
    ],
  ]);
}

function toMisses({ who, before, during, fate }: CrowdRow): string[] {
  if (fate !== "alive") return [`${PROGRAMS} ${who}: ${fate}`];
  const [was, is] = [percentile(only(before, "program"), 0.5), percentile(only(during, "program"), 0.5)];
  const slowest = percentile(during, 1);
  return [
    ...(is > TIMES_UNDISTURBED * was ? [`${PROGRAMS} ${who}: p50 ${is} ms, undisturbed ${was} ms`] : []),
    ...(slowest > WALL_MS ? [`${PROGRAMS} ${who}: slowest ${slowest} ms`] : []),
    ...(refusedOf(during) > 0 ? [`${PROGRAMS} ${who}: ${refusedOf(during)} honest requests refused`] : []),
  ];
}
