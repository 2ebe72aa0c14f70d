import { emptyLearned, learnFrom } from "../../src/catalog/observed/learned.ts";
import { settle } from "../../src/catalog/observed/settle.ts";
import { toResultSchema } from "../../src/catalog/observed/to-schema.ts";
import type { JsonSchema } from "../../src/catalog/tool.ts";
import { findMisfits } from "../../src/schema/misfits.ts";
import { parseOutputSchema } from "../../src/schema/parse-schema.ts";
import type { BenchOptions, BenchReport, BenchSuite } from "../suite.ts";
import { measureCheckCost } from "./check-cost.ts";
import { type Checked, countCompiling } from "./compile.ts";
import { measureCost } from "./cost.ts";
import { countFieldReads, type FieldReads, isSpecific } from "./field-reads.ts";
import { measurePersonal } from "./personal.ts";
import { loadLiveResults, loadRetailResults, type RecordedResults } from "./results.ts";

const TARGET_SHARE = 97;
const SHUFFLES = 20;

export const typesSuite: BenchSuite = {
  name: "types",
  about: "result types learned from half of the recorded calls of each tool, checked against the other half",
  run,
};

async function run({ dataDir, progress }: BenchOptions): Promise<BenchReport> {
  const sets = [await loadLiveResults(dataDir), await loadRetailResults(dataDir)];
  const rows: (string | number)[][] = [];
  const chance: (string | number)[][] = [];
  const misses: string[] = [];
  for (const set of sets) {
    progress(`${set.name}: the first half, then the second`);
    const learned = await measure(split(set), toLearned);
    rows.push([set.name, "learned", ...learned.row]);
    rows.push([set.name, "no learning", ...(await measure(split(set), () => true)).row]);
    if (learned.share < TARGET_SHARE) misses.push(`${set.name}: ${learned.share}%, target ${TARGET_SHARE}%`);
    progress(`${set.name}: ${SHUFFLES} halves by chance`);
    const shares = Array.from({ length: SHUFFLES }, (_, seed) => fitShare(split(set, seed + 1))).sort(
      (a, b) => a - b,
    );
    const mean = shares.reduce((sum, share) => sum + share, 0) / SHUFFLES;
    chance.push([set.name, round(mean), shares[0] ?? 0, shares.at(-1) ?? 0]);
    if (mean < TARGET_SHARE) misses.push(`${set.name}, by chance: ${round(mean)}%, target ${TARGET_SHARE}%`);
  }
  progress("personal data");
  const personal = await measurePersonal(dataDir);
  progress("cost");
  const cost = await measureCost();
  return {
    tables: [
      {
        title: "Types learned from the first half of each tool's calls, on the second half",
        columns: [
          "results",
          "type",
          "tools",
          "results checked",
          "type-check %",
          "fit the schema %",
          "structured, typed %",
          "field reads typed %",
          "typed reads right %",
        ],
        rows,
      },
      {
        title: `Halves by chance, ${SHUFFLES} times: results that fit (%)`,
        columns: ["results", "mean", "lowest", "highest"],
        rows: chance,
      },
      personal.table,
      cost.table,
      await measureCheckCost(dataDir),
    ],
    notes: [
      ...sets.map(({ note }) => note),
      "type-check: TypeScript, strict, takes the result as what the generated wrapper says; fit the schema: also whole numbers are told from others",
      "structured, typed: of the results that are objects or lists, those whose type is more than unknown or text. Tools with one result are left out",
    ],
    misses: [...misses, ...personal.misses, ...cost.misses],
  };
}

type Halves = ReadonlyMap<string, { readonly seen: readonly unknown[]; readonly held: readonly unknown[] }>;

function split({ tools }: RecordedResults, seed = 0): Halves {
  const halves = [...tools].filter(([, values]) => values.length > 1);
  return new Map(
    halves.map(([tool, values]) => {
      const ordered = seed === 0 ? values : shuffle(values, seed);
      const half = Math.floor(values.length / 2);
      return [tool, { seen: ordered.slice(0, half), held: ordered.slice(half) }];
    }),
  );
}

function toLearned(values: readonly unknown[], tool: string): JsonSchema {
  const learned = emptyLearned();
  for (const value of values) learnFrom(learned, value, tool);
  return toResultSchema(settle(learned.shape), learned.noResult);
}

async function measure(halves: Halves, toType: (seen: readonly unknown[], tool: string) => JsonSchema) {
  const checked: Checked[] = [...halves].map(([tool, { seen, held }]) => ({
    tool,
    schema: toType(seen, tool),
    values: held,
  }));
  const total = checked.reduce((sum, { values }) => sum + values.length, 0);
  const fields: FieldReads = { reads: 0, typed: 0, right: 0 };
  let structured = 0;
  let specific = 0;
  let fitting = 0;
  for (const { schema, values } of checked) {
    const { type } = parseOutputSchema(schema);
    for (const value of values) {
      if (findMisfits(value, type).length === 0) fitting++;
      countFieldReads(value, type, fields);
      if (typeof value !== "object") continue;
      structured++;
      if (isSpecific(type)) specific++;
    }
  }
  const share = percent(await countCompiling(checked), total);
  const row = [
    checked.length,
    total,
    share,
    percent(fitting, total),
    percent(specific, structured),
    percent(fields.typed, fields.reads),
    fields.typed === 0 ? 0 : percent(fields.right, fields.typed),
  ];
  return { share, row };
}

function fitShare(halves: Halves): number {
  let total = 0;
  let fitting = 0;
  for (const [tool, { seen, held }] of halves) {
    const { type } = parseOutputSchema(toLearned(seen, tool));
    total += held.length;
    fitting += held.filter((value) => findMisfits(value, type).length === 0).length;
  }
  return percent(fitting, total);
}

function percent(part: number, whole: number): number {
  return round((part / Math.max(1, whole)) * 100);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function shuffle<T>(values: readonly T[], seed: number): T[] {
  const shuffled = [...values];
  let state = seed * 2_654_435_761;
  for (let at = shuffled.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
  }
  return shuffled;
}
