import type { KeyMeaning } from "../keys/key-meaning.ts";
import type { Around, Verdict } from "../keys/key-verdict.ts";
import type { Hint } from "./schema-hints.ts";

/** Where in a value a walk is: made for each list and object, not for each text. */
export type Place = {
  readonly up: Place | undefined;
  /** The key or index under which this stands. */
  readonly step: string | number;
  /** The nearest key; of a list's items, that of the list. */
  readonly key: string | undefined;
  readonly meaning: KeyMeaning | undefined;
  /** What was decided of everything here. */
  readonly verdict: Verdict | undefined;
  readonly around: Around;
  readonly hint: Hint | undefined;
  readonly depth: number;
  path: string | undefined;
  above: readonly string[] | undefined;
};

const MOST_ABOVE = 6;

export function pathOf(place: Place): string {
  if (place.path !== undefined) return place.path;
  const unknown: Place[] = [];
  let path = "";
  for (let at: Place | undefined = place; at !== undefined; at = at.up) {
    if (at.path !== undefined) {
      path = at.path;
      break;
    }
    unknown.push(at);
  }
  for (const at of unknown.reverse()) {
    path = at.up === undefined ? "" : joinPath(path, at.step);
    at.path = path;
  }
  return path;
}

export function joinPath(path: string, step: string | number): string {
  return `${path}/${typeof step === "number" ? step : step.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The keys around this place, the outermost first; of many, the nearest. */
export function aboveOf(place: Place): readonly string[] {
  if (place.above !== undefined) return place.above;
  const keys: string[] = [];
  for (let at: Place | undefined = place; at !== undefined && keys.length < MOST_ABOVE; at = at.up)
    if (typeof at.step === "string" && at.up !== undefined) keys.push(at.step);
  place.above = keys.reverse();
  return place.above;
}
