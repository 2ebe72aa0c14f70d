import { createToolIndex } from "../src/search/query/rank.ts";
import { WEIGHTS, type Weights } from "../src/search/query/weights.ts";
import { compareNotes } from "./search/answer-notes.ts";
import { measureAnswers } from "./search/answer-tokens.ts";
import { createBm25 } from "./search/bm25.ts";
import { crossValidate } from "./search/cross-validate.ts";
import { type Dataset, loadDatasets } from "./search/data.ts";
import { FEATURES } from "./search/features.ts";
import { loadJoinedSteps } from "./search/joined-steps.ts";
import { type Figures, measure, type Ranker } from "./search/measure.ts";
import { measureSpeed } from "./search/speed.ts";
import { TARGETS, type Target } from "./search/targets.ts";
import { toMistyped } from "./search/typos.ts";
import type { BenchOptions, BenchReport, BenchSuite, BenchTable } from "./suite.ts";

export const searchSuite: BenchSuite = {
  name: "search",
  about:
    "search: the right tools among the first, beside BM25, each feature left out, cross-validated; time and tokens",
  run,
};

async function run(options: BenchOptions): Promise<BenchReport> {
  const datasets = await loadDatasets(options.dataDir);
  const ours = new Map(datasets.map((set) => [set.name, measure(set, createRanker(set))]));
  options.progress("each feature left out");
  const features = toFeatureTable(datasets);
  options.progress("cross-validation");
  const validated = crossValidate(datasets, options.progress);
  options.progress("time and memory");
  const speed = await measureSpeed(options.dataDir, datasets);
  options.progress("tokens of the answers");
  const answers = await measureAnswers(options);
  options.progress("notes of the answers");
  const steps = datasets.filter(({ name }) => name === "Live: steps");
  const joined = (await Promise.all(steps.map((set) => loadJoinedSteps(options.dataDir, set)))).flat();
  const withSchemas = datasets.filter(({ name }) => !name.startsWith("MetaTool"));
  const notes = await compareNotes([...withSchemas, ...joined.filter(({ name }) => name.endsWith(";"))]);
  const missed = TARGETS.filter((target) => figureOf(ours, target) < target.least);
  return {
    tables: [
      toFigureTable(datasets, ours),
      toTargetTable(ours, validated),
      toJoinedTable(joined),
      features,
      ...speed.tables,
      ...answers.tables,
      notes,
    ],
    notes: [...validated.notes, ...speed.notes],
    misses: [
      ...missed.map((target) => toMiss(target, figureOf(ours, target))),
      ...speed.misses,
      ...answers.misses,
    ],
  };
}

function createRanker({ servers }: Dataset, weights: Partial<Weights> = {}): Ranker {
  return createToolIndex(servers, { weights });
}

function toFigureTable(datasets: readonly Dataset[], ours: ReadonlyMap<string, Figures>): BenchTable {
  const rows = datasets.flatMap((set) => {
    const mistyped = { ...set, queries: set.queries.map(toMistyped) };
    return [
      toRow(set.name, "BM25", measure(set, createBm25(set.servers))),
      toRow("", "keyhole", ours.get(set.name)),
      toRow("", "keyhole, a typo in each query", measure(mistyped, createRanker(set))),
      toRow("", "the same, typos not mended", measure(mistyped, createRanker(set, { typo: 0 }))),
    ];
  });
  return {
    title:
      "Mean over queries: the first is right, and which share of the right ones is among the first 5 and 10",
    columns: ["queries", "ranking", "hit@1", "recall@5", "recall@10"],
    rows,
  };
}

/** Each step on its own, as before, beside steps that belong together. */
function toJoinedTable(joined: readonly Dataset[]): BenchTable {
  const alone = { together: 0, statedStep: WEIGHTS.clause, statedSure: WEIGHTS.sureClause };
  return {
    title: "Several steps in one query, joined in the ways of agents",
    columns: ["queries", "ranking", "hit@1", "recall@5", "recall@10"],
    rows: joined.flatMap((set) => [
      toRow(set.name, "steps as any sentences", measure(set, createRanker(set, alone))),
      toRow("", "keyhole", measure(set, createRanker(set))),
    ]),
  };
}

function toRow(name: string, ranking: string, figures: Figures | undefined): (string | number)[] {
  return [
    name,
    ranking,
    ...[figures?.hit1, figures?.recall5, figures?.recall10].map((value) => toShown(value)),
  ];
}

function toTargetTable(
  ours: ReadonlyMap<string, Figures>,
  { folds, datasets }: ReturnType<typeof crossValidate>,
): BenchTable {
  return {
    title: "Targets, and the same with the weights chosen on other queries",
    columns: ["figure", "target", "keyhole", "5 folds", "other data sets"],
    rows: TARGETS.map((target) => [
      `${target.dataset}: ${target.label}`,
      target.least,
      toShown(figureOf(ours, target)),
      toShown(figureOf(folds, target)),
      toShown(figureOf(datasets, target)),
    ]),
  };
}

/** What each feature is worth: the figures when it alone is left out. */
function toFeatureTable(datasets: readonly Dataset[]): BenchTable {
  const rows = FEATURES.map(([name, weights]) => {
    const figures = new Map(datasets.map((set) => [set.name, measure(set, createRanker(set, weights))]));
    const values = TARGETS.map((target) => figureOf(figures, target));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return [name, ...values.map(toShown), toShown(mean)];
  });
  return {
    title: "Each feature left out: the figures of the targets, in their order, and their mean",
    columns: ["left out", ...TARGETS.map((_, at) => String(at + 1)), "mean"],
    rows,
  };
}

function figureOf(figures: ReadonlyMap<string, Figures>, { dataset, figure }: Target): number {
  return figures.get(dataset)?.[figure] ?? 0;
}

function toShown(value: number | undefined): string {
  return (value ?? 0).toFixed(3);
}

function toMiss({ dataset, label, least }: Target, value: number): string {
  return `${dataset}: ${label} ${toShown(value)}, target ${least}`;
}
