import type { PiiFinding, Surroundings } from "./finding.ts";
import { findInProse } from "./prose/prose.ts";
import { findInJson } from "./structure/json/find-in-json.ts";
import { couldHoldId } from "./structure/json/ids.ts";
import type { JsonFinding, TextFinding } from "./structure/json/json-finding.ts";
import { findEmbeddedNames } from "./structure/names/embedded-names.ts";
import type { KnownNames } from "./structure/names/known-names.ts";
import { findNamedByMail, findSenders } from "./structure/names/senders.ts";
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
  /** The text is a literal of a program: a name can be all of it. */
  readonly isLiteral?: boolean;
};

/** Names take a sentence around them, or a key that says so; of two words nobody can tell. */
const LEAST_WORDS = 4;
/** A field with fewer words is a title or the name of a thing, more often than a sentence about somebody. */
const SENTENCE_WORDS = 8;
/** In such a field a name needs more than a word that could be one: a full name, a title before it, a greeting. */
const LEAST_IN_TITLE = 0.7;

/** Where small letters and capitals tell nothing, a word needs more, and a few letters are none: most that could be a name are not. */
const LEAST_WITHOUT_CASE = 0.6;
const LEAST_LETTERS = 6;
/** A text that somebody wrote by itself, as in a program: what looks like a full name is one. */
const LEAST_ALONE = 0.75;

/** Every personal value in a value of JSON. */
export function detectInJson(value: unknown, options: DetectOptions): JsonFinding[] {
  return findInJson(value, { ...options, findText: detectInField });
}

/** Every personal value in a text, in order; none lies over another. */
export function detectInText(text: string, options: DetectOptions): readonly TextFinding[] {
  const { region, names, isLiteral } = options;
  const structured = findInStructuredText(text, { findText: detectInField, region, names });
  const found = withoutOverlaps([
    ...findValues(text, { region }),
    ...findSenders(text),
    ...findNamedByMail(text),
  ]);
  const isShort = countWords(text, LEAST_WORDS) < LEAST_WORDS;
  const named = isShort ? (isLiteral ? findFullName(text, found) : []) : findNamed(text, found);
  const ids = names.whole.size > 0 && couldHoldId(text) ? findEmbeddedNames(text, names, undefined) : [];
  return withoutOverlaps([...structured, ...found, ...named, ...ids]);
}

/** What shows itself in a field or cell: by its form, or in a sentence. */
function detectInField(text: string, surroundings: Surroundings): readonly PiiFinding[] {
  const values = findValues(text, surroundings);
  const found = text.includes("@")
    ? withoutOverlaps([...values, ...findSenders(text), ...findNamedByMail(text)])
    : values;
  const words = countWords(text, SENTENCE_WORDS);
  if (words < LEAST_WORDS) return found;
  const named = findNamed(text, found);
  if (named.length === 0) return found;
  const isTitle = words < SENTENCE_WORDS && !text.includes("\n");
  return [...found, ...(isTitle ? named.filter(({ confidence }) => confidence >= LEAST_IN_TITLE) : named)];
}

/** `"Nadia Haddad"`: all of a text. */
function findFullName(text: string, found: readonly PiiFinding[]): PiiFinding[] {
  return findNamed(text, found).filter(
    ({ class: name, start, end, confidence }) =>
      name === "NAME" && confidence >= LEAST_ALONE && start === 0 && end === text.length,
  );
}

function findNamed(text: string, found: readonly PiiFinding[]): PiiFinding[] {
  return findInProse(text, { found }).filter(
    (finding) => finding.class !== "NAME" || hasCase(text, finding) || isSureWithoutCase(text, finding),
  );
}

function hasCase(text: string, { start, end }: PiiFinding): boolean {
  const written = text.slice(start, end);
  return written !== written.toLowerCase() && written !== written.toUpperCase();
}

function isSureWithoutCase(text: string, { start, end, rule, confidence }: PiiFinding): boolean {
  if (confidence < LEAST_WITHOUT_CASE) return false;
  const isListed = rule === "full-name" || rule === "named-again";
  return !isListed || text.slice(start, end).replaceAll(" ", "").length >= LEAST_LETTERS;
}

/** How many words there are between spaces, as far as it matters. */
function countWords(text: string, most: number): number {
  let words = 1;
  for (let at = text.indexOf(" "); at !== -1 && words < most; at = text.indexOf(" ", at + 1)) words++;
  return words;
}
