import type { JsonSchema } from "../../../catalog/tool.ts";
import { isRecord } from "../../../text/is-record.ts";

/** Values in a schema. The largest of real ones have some hundreds; one with more is not read whole to be shown. */
const MAX_VALUES = 4_000;
const MAX_CHARACTERS = 400_000;
/** Of a larger one so much is read: `properties`, what is under each, and one level more. */
const MAX_KEPT = 1_000;
const MAX_DEPTH = 4;
const MAX_KEPT_TEXT = 1_000;
const DEFINITIONS = new Set(["$defs", "definitions"]);

/** The schema itself, or the upper part of one that is too large; what is left out may be anything. */
export function toReadable(schema: JsonSchema): JsonSchema {
  const left = { values: MAX_VALUES, characters: MAX_CHARACTERS };
  return isWithin(schema, left) ? schema : toUpperPart(schema);
}

type Left = { values: number; characters: number };

function isWithin(root: unknown, left: Left): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (--left.values < 0 || left.characters < 0) return false;
    if (typeof value === "string") left.characters -= value.length;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, part] of Object.entries(value)) {
      left.characters -= key.length;
      open.push(part);
    }
  }
  return left.characters >= 0;
}

function toUpperPart(schema: JsonSchema): JsonSchema {
  let left = MAX_KEPT;

  function keep(value: unknown, depth: number): unknown {
    if (typeof value === "string") return value.slice(0, MAX_KEPT_TEXT);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const kept = depth > MAX_DEPTH ? [] : toKept(value);
      // No alternatives at all would mean that nothing fits.
      return kept.length === 0 ? undefined : kept.map((part) => keep(part, depth + 1));
    }
    if (depth > MAX_DEPTH || Object.hasOwn(value, "$ref")) return {};
    const entries = Object.entries(value).filter(([key]) => depth > 0 || !DEFINITIONS.has(key));
    const kept = toKept(entries).map(([key, part]) => [key, keep(part, depth + 1)] as const);
    return Object.fromEntries(kept.filter(([, part]) => part !== undefined));
  }

  function toKept<Part>(parts: readonly Part[]): readonly Part[] {
    const kept = parts.slice(0, left);
    left -= kept.length;
    return kept;
  }

  const upper = keep(schema, 0);
  return isRecord(upper) ? upper : {};
}
