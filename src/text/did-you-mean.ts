import { nearestName } from "./nearest-name.ts";

const MAX_NEAR = 3;
const MAX_CANDIDATES = 10;

/** The names that were most likely meant, best first: near in spelling, or sharing words (`listIssues`, `issuesList`). */
export function nearNames(name: string, known: readonly string[]): string[] {
  const nearest = nearestName(name, known);
  const words = new Set(toWords(name));
  const scored = known
    .filter((candidate) => candidate !== nearest)
    .map((candidate) => ({ candidate, score: overlap(words, toWords(candidate)) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || a.candidate.length - b.candidate.length);
  const others = scored.map(({ candidate }) => candidate);
  return (nearest === undefined ? others : [nearest, ...others]).slice(0, MAX_NEAR);
}

export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const names = nearNames(name, known).map((near) => `'${near}'`);
  return names.length === 0 ? undefined : `Did you mean ${names.join(" or ")}?`;
}

/** For a spelling that several names share. */
export function couldMean(candidates: readonly string[]): string {
  const names = candidates.slice(0, MAX_CANDIDATES).map((name) => `'${name}'`);
  const rest = candidates.length > names.length ? ", …" : "";
  return `It could mean ${names.join(" or ")}${rest}: write the one you mean`;
}

function toWords(name: string): string[] {
  const words = name.slice(0, 200).split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
  // Plurals count as the same word.
  return words.map((word) => word.toLowerCase().replace(/s$/, "")).filter((word) => word !== "");
}

function overlap(words: ReadonlySet<string>, others: readonly string[]): number {
  const shared = new Set(others.filter((word) => words.has(word))).size;
  return shared / Math.max(words.size, new Set(others).size, 1);
}
