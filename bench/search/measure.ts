import type { Hit } from "../../src/search/query/rank.ts";
import type { Dataset, LabelledQuery } from "./data.ts";

export type Ranker = { rank(query: string): readonly Hit[] };

/** Means over queries: is the first one right, and which share of the right ones is among the first 5 and 10. */
export type Figures = { readonly hit1: number; readonly recall5: number; readonly recall10: number };

export function measure({ queries }: Pick<Dataset, "queries">, ranker: Ranker): Figures {
  return toMean(queries.map((query) => toFigures(query, ranker)));
}

export function toFigures({ query, relevant }: LabelledQuery, ranker: Ranker): Figures {
  const found = ranker
    .rank(query)
    .slice(0, 10)
    .map(({ server, tool }) => `${server.name}/${tool.name}`);
  const recall = (depth: number) => {
    const shown = found.slice(0, depth);
    return relevant.filter((label) => shown.includes(label)).length / relevant.length;
  };
  return { hit1: relevant.includes(found[0] ?? "") ? 1 : 0, recall5: recall(5), recall10: recall(10) };
}

export function toMean(figures: readonly Figures[]): Figures {
  const mean = (key: keyof Figures) =>
    figures.reduce((sum, one) => sum + one[key], 0) / Math.max(1, figures.length);
  return { hit1: mean("hit1"), recall5: mean("recall5"), recall10: mean("recall10") };
}
