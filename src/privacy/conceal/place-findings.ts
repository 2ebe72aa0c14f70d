import { KeyholeError } from "../../errors.ts";
import type { JsonFinding } from "../detect/structure/json/json-finding.ts";
import { withoutOverlaps } from "../detect/structure/text/overlaps.ts";
import { createTrail, leadsNowhere, readMember } from "./trail.ts";

/** What was found in one text, number or key of a value: in the order of the text, none over another. */
export type FindingPlace = {
  readonly path: string;
  readonly in: JsonFinding["in"];
  readonly text: string;
  readonly findings: readonly JsonFinding[];
  /** Whether it stands in an object, under a key. */
  readonly isMember: boolean;
};

/** Thousands of values under keys of thousands of letters: no data is like that, and each path is as long. */
const MAX_PATH_LETTERS = 256 * 1024 * 1024;

/** Findings by the places that they are in. */
export function placeFindings(value: unknown, findings: readonly JsonFinding[]): FindingPlace[] {
  refuseLongPaths(findings);
  const inValues = new Map<string, JsonFinding[]>();
  const inKeys = new Map<string, JsonFinding[]>();
  for (const finding of findings) {
    const places = finding.in === "key" ? inKeys : inValues;
    const others = places.get(finding.path);
    if (others === undefined) places.set(finding.path, [finding]);
    else others.push(finding);
  }
  const trail = createTrail([value]);
  const result: FindingPlace[] = [];
  for (const places of [inValues, inKeys])
    for (const [path, found] of places) {
      const where = found[0]?.in ?? "text";
      const { levels, step } = trail.goTo(path);
      const node = levels.at(-1)?.node ?? {};
      const text = where === "key" ? step : toText(readMember(node, step));
      const isMember = levels.length > 1 && !Array.isArray(node);
      result.push({ path, in: where, text, findings: resolve(found, path, where), isMember });
    }
  return result;
}

function refuseLongPaths(findings: readonly JsonFinding[]): void {
  let letters = 0;
  for (const { path } of findings) letters += path.length;
  if (letters <= MAX_PATH_LETTERS) return;
  const message =
    "Cannot conceal personal data: too much of it is nested too deep, or under keys that are too long";
  throw new KeyholeError("too_large", message, { hint: "Ask for less at once" });
}

function resolve(
  found: readonly JsonFinding[],
  path: string,
  where: JsonFinding["in"],
): readonly JsonFinding[] {
  if (found.length === 1) return found;
  return withoutOverlaps(found).map((finding) => ({ ...finding, path, in: where }));
}

function toText(leaf: unknown): string {
  if (typeof leaf === "string" || typeof leaf === "number") return String(leaf);
  throw leadsNowhere();
}
