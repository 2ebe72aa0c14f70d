import type { PiiFinding } from "../../finding.ts";
import { foldWord } from "../keys/key-words.ts";
import { findEmbeddedNames } from "../names/embedded-names.ts";
import type { KnownNames } from "../names/known-names.ts";
import type { JsonFinding } from "./json-finding.ts";
import { type JsonPlace, leafPath } from "./place.ts";

/** A text or key to look at again when all names are known. */
export type IdCandidate = {
  readonly text: string;
  readonly place: JsonPlace;
  readonly step: string | number;
  readonly key: string | undefined;
  readonly in: "key" | "text";
  /** Which of the walk's findings are in it already. */
  readonly first: number;
  readonly last: number;
};

/** Adds the identifiers with names that became known anywhere in the value. */
export function findIds(
  candidates: readonly IdCandidate[],
  names: KnownNames,
  findings: JsonFinding[],
): void {
  for (const { text, place, step, key, in: where, first, last } of candidates) {
    for (const found of [...findEmbeddedNames(text, names, key), ...findWholeName(text, names)]) {
      if (!isTaken(findings, first, last, found))
        findings.push({ ...found, path: leafPath(place, step), in: where });
    }
  }
}

/** A text that is nothing but a known name, under a key that says nothing of it. */
function findWholeName(text: string, names: KnownNames): PiiFinding[] {
  if (!couldBeKnown(text) || !FULL_NAME.test(text)) return [];
  const words = text.split(" ").map((word) => foldWord(word).replace(/['’]/g, ""));
  const [first = "", second = ""] = words;
  const last = words.at(-1) ?? "";
  const isKnown = names.words.has(first) && names.whole.has(first + second) && names.whole.has(first + last);
  return isKnown ? [{ class: "NAME", start: 0, end: text.length, rule: "known-name", confidence: 0.9 }] : [];
}

/** Begins with a capital, and has words. */
export function couldBeKnown(text: string): boolean {
  const code = text.charCodeAt(0);
  return (
    ((code >= 65 && code <= 90) || code > 127) &&
    text.length <= MAX_NAME &&
    text.length > 4 &&
    text.includes(" ")
  );
}

function isTaken(
  findings: readonly JsonFinding[],
  first: number,
  last: number,
  { start, end }: { start: number; end: number },
): boolean {
  for (let index = first; index < last; index++) {
    const other = findings[index];
    if (other !== undefined && other.start < end && start < other.end) return true;
  }
  return false;
}

/** Whether two words could be run together or joined in a text: letters on both sides of a mark, or large after small. */
export function couldHoldId(text: string): boolean {
  let letters = 0;
  let joined = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code >= 97 && code <= 122) || code > 127) {
      letters++;
      if (letters > LONG_WORD || (joined && letters > 1)) return true;
    } else if (code >= 65 && code <= 90) {
      if (letters > 0) joined = true;
      letters++;
    } else if ((code >= 48 && code <= 57) || code === 64) {
      if (letters > 3) return true;
      letters = 0;
    } else {
      joined = letters > 0 && (code === 45 || code === 46 || code === 95);
      letters = 0;
    }
  }
  return false;
}

const LONG_WORD = 7;
const MAX_NAME = 60;
/** Two to four words. */
const FULL_NAME = /^[\p{L}\p{M}'’-]+(?: [\p{L}\p{M}'’-]+){1,3}$/u;
