import { createToolIndex } from "../../src/search/query/rank.ts";
import { WEIGHTS, type Weights } from "../../src/search/query/weights.ts";
import type { Dataset } from "./data.ts";
import { type Figures, toFigures, toMean } from "./measure.ts";
import { TARGETS } from "./targets.ts";

/**
 * The weights that are chosen anew. The values in use were chosen with all queries in view, so none of the settings has
 * them; the other weights and the features stay as they are, which no fold can undo.
 */
const TUNED: readonly (keyof Weights)[] = ["coverage", "synonym", "topic", "generic"];
const FACTORS = [0.5, 0.8, 1.25];
const FOLDS = 5;

/** For each data set, the figures of each of its queries. */
type Measured = ReadonlyMap<string, readonly Figures[]>;
type Part = (dataset: string, query: number) => boolean;

/** The figures of queries that had no part in choosing the weights: by folds, and by data sets left out. */
export function crossValidate(datasets: readonly Dataset[], progress: (message: string) => void) {
  const settings = toSettings();
  const measured = settings.map((weights, at) => {
    if (at % 20 === 0) progress(`${at} of ${settings.length} settings`);
    return measureAll(datasets, weights);
  });
  const families = [...new Set(datasets.map(({ name }) => toFamily(name)))];
  const folds = Array.from(
    { length: FOLDS },
    (_, fold): Part =>
      (_dataset, query) =>
        query % FOLDS === fold,
  );
  const left = families.map(
    (family): Part =>
      (dataset) =>
        toFamily(dataset) === family,
  );
  const spread = measured.map((one) => toObjective(one, () => true));
  return {
    folds: heldOut(measured, folds),
    datasets: heldOut(measured, left),
    notes: [
      `Cross-validation: ${TUNED.join(", ")} chosen among ${settings.length} settings; the mean of the targets' figures ` +
        `ranges from ${Math.min(...spread).toFixed(3)} to ${Math.max(...spread).toFixed(3)} over them`,
    ],
  };
}

/** Queries about the same tools are of one family: choosing by one of its sets would tell of the others. */
function toFamily(dataset: string): string {
  return /^\w+/.exec(dataset)?.[0] ?? dataset;
}

function toSettings(): Partial<Weights>[] {
  return TUNED.reduce<Partial<Weights>[]>(
    (settings, key) =>
      settings.flatMap((setting) => FACTORS.map((factor) => ({ ...setting, [key]: WEIGHTS[key] * factor }))),
    [{}],
  );
}

function measureAll(datasets: readonly Dataset[], weights: Partial<Weights>): Measured {
  return new Map(
    datasets.map(({ name, servers, queries }) => {
      const index = createToolIndex(servers, { weights });
      return [name, queries.map((query) => toFigures(query, index))];
    }),
  );
}

/** Each part is measured with the setting that does best on all the others. */
function heldOut(measured: readonly Measured[], parts: readonly Part[]): Map<string, Figures> {
  const found = new Map<string, Figures[]>();
  for (const isIn of parts) {
    const objectives = measured.map((one) => toObjective(one, (dataset, query) => !isIn(dataset, query)));
    const chosen = measured[objectives.indexOf(Math.max(...objectives))] ?? new Map();
    for (const [dataset, figures] of pick(chosen, isIn))
      found.set(dataset, [...(found.get(dataset) ?? []), ...figures]);
  }
  return new Map([...found].map(([dataset, figures]) => [dataset, toMean(figures)]));
}

function pick(measured: Measured, isIn: Part): Map<string, Figures[]> {
  return new Map(
    [...measured].map(([dataset, figures]) => [dataset, figures.filter((_, query) => isIn(dataset, query))]),
  );
}

/** The mean of the figures that have targets. */
function toObjective(measured: Measured, isIn: Part): number {
  const means = new Map([...pick(measured, isIn)].map(([dataset, figures]) => [dataset, figures]));
  const values = TARGETS.flatMap(({ dataset, figure }) => {
    const figures = means.get(dataset) ?? [];
    return figures.length === 0 ? [] : [toMean(figures)[figure]];
  });
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
