import { type Around, type KeyVerdict, noBeside } from "../keys/key-verdict.ts";
import type { SchemaHint } from "./schema-hints.ts";

/** Where in a value a walk is: made for each list and object, not for each text. */
export type JsonPlace = {
  readonly up: JsonPlace | undefined;
  /** The key or index under which this stands. */
  readonly step: string | number;
  /** The nearest key; of a list's items, that of the list. */
  readonly key: string | undefined;
  /** What was decided of everything here. */
  readonly verdict: KeyVerdict | undefined;
  readonly around: Around;
  readonly hint: SchemaHint | undefined;
  readonly depth: number;
  path: string | undefined;
  above: readonly string[] | undefined;
};

const MOST_ABOVE = 6;

export function rootPlace(hint: SchemaHint | undefined): JsonPlace {
  const around: Around = { holder: undefined, parent: undefined, verdict: undefined, beside: noBeside() };
  const verdict = hint?.verdict;
  return { up: undefined, step: "", key: undefined, verdict, around, hint, depth: 1, path: "", above: [] };
}

export function itemPlace(
  list: JsonPlace,
  index: number,
  verdict: KeyVerdict | undefined,
  hint: SchemaHint | undefined,
): JsonPlace {
  const { key, around, depth } = list;
  return {
    up: list,
    step: index,
    key,
    verdict,
    around,
    hint,
    depth: depth + 1,
    path: undefined,
    above: undefined,
  };
}

export function childPlace(
  object: JsonPlace,
  key: string,
  around: Around,
  verdict: KeyVerdict | undefined,
  hint: SchemaHint | undefined,
): JsonPlace {
  const depth = object.depth + 1;
  return { up: object, step: key, key, verdict, around, hint, depth, path: undefined, above: undefined };
}

/** Around a value that is a text or number itself. */
export function outsidePlace(root: JsonPlace): JsonPlace {
  return { ...root, depth: 0 };
}

/** The path to a text, number or member at a place. */
export function leafPath(place: JsonPlace, step: string | number): string {
  return place.depth === 0 ? "" : joinPath(pathOf(place), step);
}

function pathOf(place: JsonPlace): string {
  if (place.path !== undefined) return place.path;
  const unknown: JsonPlace[] = [];
  let path = "";
  for (let at: JsonPlace | undefined = place; at !== undefined; at = at.up) {
    if (at.path !== undefined) {
      path = at.path;
      break;
    }
    unknown.push(at);
  }
  for (const at of unknown.reverse()) {
    path = joinPath(path, at.step);
    at.path = path;
  }
  return path;
}

export function joinPath(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}/${step}`;
  const isPlain = !step.includes("/") && !step.includes("~");
  return `${path}/${isPlain ? step : step.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The keys around this place, the outermost first; of many, the nearest. */
export function aboveOf(place: JsonPlace): readonly string[] {
  const unknown: JsonPlace[] = [];
  let above: readonly string[] = [];
  for (let at: JsonPlace | undefined = place; at !== undefined; at = at.up) {
    if (at.above !== undefined) {
      above = at.above;
      break;
    }
    unknown.push(at);
  }
  for (const at of unknown.reverse()) {
    if (typeof at.step === "string") above = [...above, at.step].slice(-MOST_ABOVE);
    at.above = above;
  }
  return above;
}
