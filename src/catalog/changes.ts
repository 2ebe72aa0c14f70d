import { ownValue } from "../text/own-value.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { ToolDefinition } from "./read-tools.ts";

/** A difference between what a server said of a tool before and what it says now. */
export type ToolChange = {
  readonly tool: string;
  readonly kind: "added" | "removed" | "changed";
  /** When it was noticed, and since when the earlier definition had stood (ISO 8601). */
  readonly noticedAt: string;
  readonly stoodSince?: string;
  /** What differs, as paths into the definition: `inputSchema.properties.path.description`. */
  readonly paths?: readonly string[];
};

export type DatedDefinition = ToolDefinition & { readonly since: string };

const MAX_PATHS = 8;

/** Compares two readings of a server's tools, and dates each definition by when it was first seen. */
export function compareTools(
  before: readonly DatedDefinition[],
  now: readonly ToolDefinition[],
  noticedAt: string,
): { tools: DatedDefinition[]; changes: ToolChange[] } {
  const known = new Map(before.map((tool) => [tool.name, tool]));
  const changes: ToolChange[] = [];
  const tools = now.map((tool) => {
    const earlier = known.get(tool.name);
    known.delete(tool.name);
    if (earlier?.hash === tool.hash) return { ...tool, since: earlier.since };
    if (earlier) {
      const paths = differingPaths(visible(earlier), visible(tool));
      changes.push({ tool: tool.name, kind: "changed", noticedAt, stoodSince: earlier.since, paths });
    } else changes.push({ tool: tool.name, kind: "added", noticedAt });
    return { ...tool, since: noticedAt };
  });
  for (const { name, since } of known.values())
    changes.push({ tool: name, kind: "removed", noticedAt, stoodSince: since });
  return { tools, changes };
}

function visible(tool: ToolDefinition): unknown {
  const { title, description, inputSchema, outputSchema, annotations, declared } = tool;
  return { title, description, inputSchema, outputSchema, annotations, declared };
}

/** The deepest places in which two values differ, in one pass. (Schemas are bounded in depth, so recursion is too.) */
function differingPaths(a: unknown, b: unknown): string[] {
  const paths: string[] = [];
  const walk = (left: unknown, right: unknown, path: readonly string[]): void => {
    if (paths.length >= MAX_PATHS || left === right) return;
    if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right)) {
      // The names in it are the server's words.
      paths.push(toExcerpt(path.join(".")));
      return;
    }
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      walk(ownValue(left, key), ownValue(right, key), [...path, key]);
    }
  };
  walk(a, b, []);
  return paths;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
