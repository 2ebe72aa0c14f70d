import type { JsonSchema } from "./tool.ts";

/** Real schemas stay far below both: the deepest of 3,459 measured has 16 levels, the largest 8 KB. */
const MAX_DEPTH = 100;
const MAX_CHARACTERS = 512 * 1024;

export type BoundedSchema = { readonly schema: JsonSchema } | { readonly problem: string };

/** Accepts a schema from a server only if it can be walked and printed without harm. */
export function boundSchema(value: unknown): BoundedSchema {
  if (typeof value !== "boolean" && !isSchemaObject(value))
    return { problem: `is ${describe(value)} instead of a schema` };
  const problem = measure(value);
  return problem === undefined ? { schema: value } : { problem };
}

/** With a list of its own instead of recursion: the depth of what it measures is the attack. */
function measure(root: unknown): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  let characters = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
    characters += typeof value === "string" ? value.length + 2 : 4;
    if (typeof value === "object" && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        characters += key.length + 4;
        open.push({ value: child, depth: depth + 1 });
        if (characters > MAX_CHARACTERS || open.length > MAX_CHARACTERS)
          return `is larger than ${MAX_CHARACTERS / 1024} KB`;
      }
    }
    if (characters > MAX_CHARACTERS) return `is larger than ${MAX_CHARACTERS / 1024} KB`;
  }
  return undefined;
}

function isSchemaObject(value: unknown): value is { readonly [keyword: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "missing";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
