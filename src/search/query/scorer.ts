import type { Postings } from "../index/postings.ts";
import type { Query, Want } from "./query.ts";

export type Scored = {
  /** What the words of the query are worth to each document. */
  readonly scores: Float64Array;
  /** How surely the query says each term. */
  readonly said: ReadonlyMap<number, number>;
  /** Which share of each document's name it says. */
  readonly covered: Float64Array;
};

/** Scores all documents of an index by the words of a query, from which each kind of document goes on. */
export function createScorer({
  rarityOf,
  eachWorth,
  eachNameShare,
}: Pick<Postings, "rarityOf" | "eachWorth" | "eachNameShare">) {
  /** What a word of the query is worth to each document; all zero between two words. */
  let best = new Float64Array(0);

  /** Of the terms that may stand for a word, the one that is worth most to a document counts. */
  function addWant(scores: Float64Array, { weight, alternatives }: Want): void {
    const touched: number[] = [];
    for (const { term, weight: share } of alternatives) {
      const gain = weight * share * rarityOf(term);
      eachWorth(term, (at, worth) => {
        const before = best[at] ?? 0;
        if (before === 0) touched.push(at);
        if (gain * worth > before) best[at] = gain * worth;
      });
    }
    for (const at of touched) {
      scores[at] = (scores[at] ?? 0) + (best[at] ?? 0);
      best[at] = 0;
    }
  }

  function toCoverage(said: ReadonlyMap<number, number>, documents: number): Float64Array {
    const covered = new Float64Array(documents);
    for (const [term, sureness] of said) {
      eachNameShare(term, (at, share) => {
        covered[at] = (covered[at] ?? 0) + sureness * share;
      });
    }
    return covered;
  }

  return (query: Query, documents: number): Scored => {
    if (best.length < documents) best = new Float64Array(documents);
    const scores = new Float64Array(documents);
    for (const want of query.wants) addWant(scores, want);
    const said = toSaid(query);
    return { scores, said, covered: toCoverage(said, documents) };
  };
}

function toSaid({ wants }: Query): Map<number, number> {
  const said = new Map<number, number>();
  for (const { weight, alternatives } of wants) {
    for (const { words, weight: share } of alternatives)
      for (const word of words) said.set(word, Math.max(said.get(word) ?? 0, Math.min(1, weight) * share));
  }
  return said;
}
