import type { LabelledQuery } from "./data.ts";

const MIN_LENGTH = 6;

/** The query with two letters of its longest word swapped. */
export function toMistyped({ query, relevant }: LabelledQuery): LabelledQuery {
  const words = query.match(/[A-Za-z]+/g) ?? [];
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), "");
  if (longest.length < MIN_LENGTH) return { query, relevant };
  const middle = longest.length >> 1;
  const swapped =
    longest.slice(0, middle) +
    longest.charAt(middle + 1) +
    longest.charAt(middle) +
    longest.slice(middle + 2);
  return { query: query.replace(longest, swapped), relevant };
}
