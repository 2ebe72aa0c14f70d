import { editDistance } from "./edit-distance.ts";

/** Longer ones are nobody's slip of the finger. */
const MAX_COMPARED = 200;
const MAX_FOLDED = 64;

/** The known name that was most likely meant, or undefined when none is close: a third of the letters may differ. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED) return undefined;
  const same = sameName(name, known);
  if (same !== undefined) return same;
  const folded = foldSpelling(name);
  let nearest: string | undefined;
  let mostSlips = Math.max(1, Math.floor(folded.length / 3));
  for (const candidate of known) {
    const slips = editDistance(folded, foldSpelling(candidate), mostSlips);
    if (slips > mostSlips) continue;
    nearest = candidate;
    // Only a nearer one is better.
    mostSlips = slips - 1;
  }
  return nearest;
}

/** The known name that differs in nothing but case, hyphens and underscores. */
export function sameName(name: string, known: readonly string[]): string | undefined {
  const folded = foldSpelling(name);
  return known.find((candidate) => foldSpelling(candidate) === folded);
}

/** `max_execution_time` is `maxExecutionTime`. */
export function foldSpelling(name: string): string {
  return name
    .slice(0, MAX_FOLDED)
    .toLowerCase()
    .replace(/[-_\s]/g, "");
}
