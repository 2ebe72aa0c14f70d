/** A stretch of text and what it is said to be. */
export type Span = { readonly kind: string; readonly start: number; readonly end: number };

export type Score = {
  readonly gold: number;
  readonly found: number;
  /** Gold that a found span of its kind meets, and found spans that meet gold of theirs. */
  readonly recalled: number;
  readonly right: number;
};

export type Match = "overlap" | "exact";

export const EMPTY: Score = { gold: 0, found: 0, recalled: 0, right: 0 };

/** The spans of one text, compared; by kind. */
export function compareSpans(
  gold: readonly Span[],
  found: readonly Span[],
  match: Match,
): Map<string, Score> {
  const scores = new Map<string, Score>();
  const meets = (one: Span, other: Span) =>
    one.kind === other.kind &&
    (match === "exact"
      ? one.start === other.start && one.end === other.end
      : one.start < other.end && other.start < one.end);
  const add = (kind: string, score: Partial<Score>) => {
    const known = scores.get(kind) ?? EMPTY;
    scores.set(kind, addScores(known, { ...EMPTY, ...score }));
  };
  for (const span of gold)
    add(span.kind, { gold: 1, recalled: found.some((one) => meets(span, one)) ? 1 : 0 });
  for (const span of found) add(span.kind, { found: 1, right: gold.some((one) => meets(span, one)) ? 1 : 0 });
  return scores;
}

export function addScores(one: Score, other: Score): Score {
  return {
    gold: one.gold + other.gold,
    found: one.found + other.found,
    recalled: one.recalled + other.recalled,
    right: one.right + other.right,
  };
}

export function toRates({ gold, found, recalled, right }: Score): {
  precision: number;
  recall: number;
  f1: number;
} {
  const precision = found === 0 ? 1 : right / found;
  const recall = gold === 0 ? 1 : recalled / gold;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1 };
}
