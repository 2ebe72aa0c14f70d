import type { Finding, Surroundings } from "./finding.ts";
import { findInProse } from "./prose/prose.ts";
import { findInJson } from "./structure/json/find-in-json.ts";
import type { JsonFinding, TextFinding } from "./structure/json/json-finding.ts";
import type { KnownNames } from "./structure/names/known-names.ts";
import { findInStructuredText } from "./structure/text/find-in-structured-text.ts";
import { withoutOverlaps } from "./structure/text/overlaps.ts";
import { findValues } from "./values/values.ts";

export type DetectOptions = {
  /** Where numbers without a country are taken to be from (ISO 3166). */
  readonly region?: string | undefined;
  /** The names of the workspace so far. Those that are found are added. */
  readonly names: KnownNames;
  /** The JSON Schema of the value, as a hint. */
  readonly schema?: unknown;
};

/** Names take a sentence around them, or a key that says so; of two words nobody can tell. */
const LEAST_WORDS = 4;

/** Every personal value in a value of JSON. */
export function detectInJson(value: unknown, options: DetectOptions): JsonFinding[] {
  return findInJson(value, { ...options, findText: detectPlain });
}

/** Every personal value in a text, in order; none lies over another. */
export function detectInText(text: string, options: DetectOptions): readonly TextFinding[] {
  const { region, names } = options;
  const structured = findInStructuredText(text, { findText: detectPlain, region, names });
  const plain = detectPlain(text, { region });
  return withoutOverlaps([...structured, ...plain]);
}

/** What shows itself: by its form, or in a sentence. */
function detectPlain(text: string, surroundings: Surroundings): readonly Finding[] {
  const found = findValues(text, surroundings);
  if (!hasWords(text)) return found;
  const named = findInProse(text, { found });
  return named.length === 0 ? found : [...found, ...named];
}

/** Spaces between letters, some of which are large. */
function hasWords(text: string): boolean {
  let words = 0;
  for (let at = text.indexOf(" "); at !== -1 && words < LEAST_WORDS; at = text.indexOf(" ", at + 1)) words++;
  return words >= LEAST_WORDS - 1;
}
