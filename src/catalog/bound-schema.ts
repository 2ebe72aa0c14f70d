import { measureJson } from "../mcp/measure-json.ts";
import { isRecord } from "../text/is-record.ts";
import type { JsonSchema } from "./tool.ts";

/** Real schemas stay far below both: the deepest of 3,459 measured has 16 levels, the largest 8 KB. */
const MAX_DEPTH = 100;
const MAX_CHARACTERS = 512 * 1024;

export type BoundedSchema = { readonly schema: JsonSchema } | { readonly problem: string };

/** Accepts a schema from a server only if it can be walked and printed without harm. */
export function boundSchema(value: unknown): BoundedSchema {
  if (typeof value !== "boolean" && !isRecord(value))
    return { problem: `is ${describe(value)} instead of a schema` };
  const problem = findProblem(value);
  return problem === undefined ? { schema: value } : { problem };
}

function findProblem(schema: unknown): string | undefined {
  const { characters, depth } = measureJson(schema, MAX_CHARACTERS);
  if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
  return characters > MAX_CHARACTERS ? `is larger than ${MAX_CHARACTERS / 1024} KB` : undefined;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "missing";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
