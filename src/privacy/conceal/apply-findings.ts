import type { JsonFinding } from "../detect/structure/json/json-finding.ts";
import { escapeBareWords } from "../token-text/bare-words.ts";
import { placeTokens } from "../token-text/escape-tokens.ts";
import { type FindingPlace, placeFindings } from "./place-findings.ts";
import { addRename, type Renames, renameKeys } from "./rename-keys.ts";
import { type Copies, createCopies, createTrail, type TrailLevel } from "./trail.ts";
import { type ReplaceFinding, writeReplacements } from "./write-replacements.ts";

export type ApplyOptions = {
  /** Whether what looks like a token in the data gets its tilde; it does unless this is false. */
  readonly escape?: boolean;
  /** Whether a text in it that would be a token with brackets around it gets one, too. Keys do not: programs name them. */
  readonly bareWords?: boolean;
};

/**
 * A value of JSON with something else in the place of what was found in it. A number becomes a text; a key gets another name. What
 * is not changed is shared with the value, which stays as it is. All findings given count where they overlap: leave out what
 * is to be kept.
 */
export function applyFindings(
  value: unknown,
  findings: readonly JsonFinding[],
  replace: ReplaceFinding,
  options: ApplyOptions = {},
): unknown {
  return applyPlaces(value, placeFindings(value, findings), replace, options);
}

/** The same, of findings that have their places already. */
export function applyPlaces(
  value: unknown,
  places: readonly FindingPlace[],
  replace: ReplaceFinding,
  { escape: isEscaping = true, bareWords = false }: ApplyOptions = {},
): unknown {
  const copies = createCopies(value);
  const renames: Renames = new Map();
  const trail = createTrail(copies.holder);
  for (const place of places) {
    const text = writeReplacements(place, replace, isEscaping);
    if (text === undefined) continue;
    const { levels, step } = trail.goTo(place.path);
    const node = copies.own(levels);
    if (place.in === "key") addRename(renames, node, step, text);
    else Reflect.set(node, step, isEscaping ? new Written(bareWords ? escapeBareWords(text) : text) : text);
  }
  const escapeValue = bareWords ? (text: string) => escapeBareWords(escapeText(text)) : escapeText;
  if (isEscaping) escapeRest(copies, renames, escapeValue);
  for (const [node, names] of renames) renameKeys(node, names);
  return copies.holder[0];
}

/** A text that is as it shall be. */
class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Level = TrailLevel & { readonly keys: readonly string[] | undefined; next: number };

/** Every text and key that is not written yet. */
function escapeRest(copies: Copies, renames: Renames, escapeValue: (text: string) => string): void {
  const levels: Level[] = [{ node: copies.holder, step: "", keys: undefined, next: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { node, keys } = level;
    const size = keys?.length ?? (Array.isArray(node) ? node.length : 0);
    if (level.next >= size) {
      levels.pop();
      continue;
    }
    const index = level.next++;
    const key = keys?.[index];
    const step = key ?? index;
    if (key !== undefined) {
      const name = escapeText(key);
      if (name !== key) addRename(renames, copies.own(levels), key, name);
    }
    const part: unknown = Reflect.get(level.node, step);
    if (typeof part === "string") {
      const text = escapeValue(part);
      if (text !== part) Reflect.set(copies.own(levels), step, text);
    } else if (part instanceof Written) Reflect.set(copies.own(levels), step, part.text);
    else if (typeof part === "object" && part !== null)
      levels.push({ node: part, step, keys: Array.isArray(part) ? undefined : Object.keys(part), next: 0 });
  }
}

function escapeText(text: string): string {
  return placeTokens(text, []);
}
