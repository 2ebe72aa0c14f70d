import { KEPT_CLASSES } from "../../src/pii-classes.ts";
import type { JsonFinding } from "../../src/privacy/detect/structure/json/json-finding.ts";
import { joinPath } from "../../src/privacy/detect/structure/json/place.ts";
import { isRecord } from "../../src/text/is-record.ts";

const KEPT: ReadonlySet<string> = new Set(KEPT_CLASSES);
const LEAST_CONFIDENCE = 0.5;

export function isConcealed(finding: JsonFinding): boolean {
  return !KEPT.has(finding.class) && finding.confidence >= LEAST_CONFIDENCE;
}

/** A value with what was found in it replaced, by place alone: the same value elsewhere stays, as no vault knows it. */
export function concealFound(value: unknown, findings: readonly JsonFinding[]): unknown {
  const byPlace = new Map<string, JsonFinding[]>();
  for (const finding of findings.filter(isConcealed)) {
    const place = `${finding.in} ${finding.path}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), finding]);
  }
  return concealAt(value, "", byPlace);
}

/** Every text in a value, with its path. */
export function textsOf(value: unknown, path = ""): { path: string; text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsOf(item, joinPath(path, key)));
}

function concealAt(
  value: unknown,
  path: string,
  found: ReadonlyMap<string, readonly JsonFinding[]>,
): unknown {
  if (typeof value === "string") return replaceSpans(value, found.get(`text ${path}`));
  if (typeof value === "number") return found.has(`number ${path}`) ? "[NUMBER]" : value;
  if (Array.isArray(value)) return value.map((item, index) => concealAt(item, joinPath(path, index), found));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const inside = joinPath(path, key);
      return [replaceSpans(key, found.get(`key ${inside}`)), concealAt(item, inside, found)];
    }),
  );
}

function replaceSpans(text: string, findings: readonly JsonFinding[] | undefined): string {
  let replaced = "";
  let from = 0;
  for (const { class: name, start, end } of [...(findings ?? [])].sort((a, b) => a.start - b.start)) {
    if (start < from) continue;
    replaced += `${text.slice(from, start)}[${name}]`;
    from = end;
  }
  return replaced + text.slice(from);
}
