import { ownValue } from "../text/own-value.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { ToolDefinition } from "./tool.ts";

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
      // The names in it are the server's words.
      const paths = differencesOf(earlier, tool, MAX_PATHS).map(({ path }) => toExcerpt(path));
      changes.push({ tool: tool.name, kind: "changed", noticedAt, stoodSince: earlier.since, paths });
    } else changes.push({ tool: tool.name, kind: "added", noticedAt });
    return { ...tool, since: noticedAt };
  });
  for (const { name, since } of known.values())
    changes.push({ tool: name, kind: "removed", noticedAt, stoodSince: since });
  return { tools, changes };
}

/** What a server says of a tool, in the order in which people look at it. */
export type SaidOfTool = Pick<
  ToolDefinition,
  "name" | "title" | "description" | "annotations" | "declared" | "inputSchema" | "outputSchema"
>;

export function toSaid(tool: SaidOfTool): SaidOfTool {
  const { name, title, description, annotations, declared, inputSchema, outputSchema } = tool;
  return { name, title, description, annotations, declared, inputSchema, outputSchema };
}

export type Difference = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** The deepest places in which two definitions differ, in one pass. (Schemas are bounded in depth, so recursion is too.) */
export function differencesOf(a: SaidOfTool, b: SaidOfTool, most: number): Difference[] {
  const found: Difference[] = [];
  const walk = (before: unknown, after: unknown, path: readonly string[]): void => {
    if (found.length >= most || before === after) return;
    if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
      found.push({ path: path.join("."), before, after });
      return;
    }
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      walk(ownValue(before, key), ownValue(after, key), [...path, key]);
    }
  };
  walk(toSaid(a), toSaid(b), []);
  return found;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
