import type { PiiClass } from "../../pii-classes.ts";
import { detectInJson, detectInText } from "../../privacy/detect/detect.ts";
import type { JsonFinding } from "../../privacy/detect/structure/json/json-finding.ts";
import { noNames } from "../../privacy/detect/structure/names/known-names.ts";

/** What `keyhole privacy scan` tells of one value. */
export type ScanFinding = {
  readonly class: PiiClass;
  readonly value: string;
  /** JSON Pointer, in a file of JSON. */
  readonly path?: string;
  /** In UTF-16 units of the text, in any other. */
  readonly start?: number;
  readonly end?: number;
  readonly rule: string;
  readonly confidence: number;
};

export type TextScanJob = { readonly text: string; readonly region: string | undefined };

/** All that is found in a text, also what would be kept. */
export function scanText({ text, region }: TextScanJob): ScanFinding[] {
  const options = { names: noNames(), region };
  const data = parseStructure(text);
  if (data !== undefined)
    return detectInJson(data, options).map((finding) => ({
      class: finding.class,
      value: toFoundValue(data, finding),
      path: finding.path,
      rule: finding.rule,
      confidence: finding.confidence,
    }));
  return detectInText(text, options).map(({ class: kind, value, start, end, rule, confidence }) => ({
    class: kind,
    value: value ?? text.slice(start, end),
    start,
    end,
    rule,
    confidence,
  }));
}

/** A lone number or word is a text as any other. */
function parseStructure(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 1_000))) return undefined;
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null ? data : undefined;
  } catch {
    return undefined;
  }
}

function toFoundValue(data: object, { value, path, in: where, start, end }: JsonFinding): string {
  if (value !== undefined) return value;
  const steps = path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const holder = where === "key" ? (steps.at(-1) ?? "") : steps.reduce<unknown>(memberOf, data);
  return String(holder).slice(start, end);
}

function memberOf(value: unknown, step: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[step];
}
