import type { PiiClass } from "../../pii-classes.ts";
import { applyPlaces } from "../conceal/apply-findings.ts";
import { type FindingPlace, placeFindings } from "../conceal/place-findings.ts";
import { type DetectOptions, detectInJson } from "../detect/detect.ts";
import { detectEncoded } from "../detect/encoded.ts";
import { LEAST_CONFIDENCE } from "../detect/finding.ts";
import type { JsonFinding } from "../detect/structure/json/json-finding.ts";
import { learnName, noNames } from "../detect/structure/names/known-names.ts";
import type { FoundValue, LargeScanOptions } from "./scan-messages.ts";

export type ValueScan = {
  readonly found: readonly FoundValue[];
  readonly isCut: boolean;
  /** The value with a text for each that was found, and `[CLASS]` for those that were too many. */
  rewrite(replacements: readonly string[]): unknown;
};

const MAX_NAMES = 10_000;

/** Looks at a whole value. It runs in a thread of its own. */
export function scanValue(value: unknown, options: LargeScanOptions): ValueScan {
  const detection = toDetection(options);
  const places = placeFindings(value, detect(value, options, detection));
  const { found, indexes, isCut } = collect(places, options.maxValues);
  // These have no place of their own; what is known is found in base64 as it is elsewhere.
  for (const one of detectEncoded(value, detection))
    if (found.length < options.maxValues && options.classes.includes(one.class)) found.push(one);
  return {
    found,
    isCut,
    rewrite: (replacements) =>
      applyPlaces(
        value,
        places,
        (finding, written) => {
          const index = indexes.get(finding.class)?.get(finding.value ?? written);
          return index === undefined ? `[${finding.class}]` : replacements[index];
        },
        { escape: options.escapes !== false, bareWords: options.bareWords === true },
      ),
  };
}

function toDetection({ region, schema, names }: LargeScanOptions): DetectOptions {
  const known = noNames();
  for (const name of names.slice(0, MAX_NAMES)) learnName(known, name);
  return { region, schema, names: known };
}

function detect(value: unknown, { classes }: LargeScanOptions, detection: DetectOptions): JsonFinding[] {
  const wanted = new Set(classes);
  return detectInJson(value, detection).filter(
    ({ class: kind, confidence }) => wanted.has(kind) && confidence >= LEAST_CONFIDENCE,
  );
}

/** Each value once, as it was first met. */
function collect(places: readonly FindingPlace[], maxValues: number) {
  const found: FoundValue[] = [];
  const indexes = new Map<PiiClass, Map<string, number>>();
  const records = new Map<string, number>();
  let isCut = false;
  for (const place of places)
    for (const finding of place.findings) {
      const { class: name, start, end } = finding;
      const value = finding.value ?? place.text.slice(start, end);
      const known = indexes.get(name) ?? new Map<string, number>();
      if (known.has(value)) continue;
      if (found.length >= maxValues) {
        isCut = true;
        continue;
      }
      indexes.set(name, known.set(value, found.length));
      const together = isWhole(place, finding) ? toRecord(records, place) : undefined;
      found.push({ class: name, value, ...(together === undefined ? {} : { together }) });
    }
  return { found, indexes, isCut };
}

/** What is only a part of a text, as in a letter or a table, may be of anybody. */
function isWhole({ text, isMember }: FindingPlace, { start, end, in: where }: JsonFinding): boolean {
  return isMember && where !== "key" && end - start >= text.trim().length;
}

function toRecord(records: Map<string, number>, { path }: FindingPlace): number {
  const record = path.slice(0, path.lastIndexOf("/"));
  const known = records.get(record) ?? records.size;
  records.set(record, known);
  return known;
}
