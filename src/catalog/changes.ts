import { toCanonicalJson } from "./canonical-json.ts";
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
      const paths = differingPaths(visible(earlier), visible(tool)).slice(0, MAX_PATHS);
      changes.push({ tool: tool.name, kind: "changed", noticedAt, stoodSince: earlier.since, paths });
    } else changes.push({ tool: tool.name, kind: "added", noticedAt });
    return { ...tool, since: noticedAt };
  });
  for (const { name, since } of known.values())
    changes.push({ tool: name, kind: "removed", noticedAt, stoodSince: since });
  return { tools, changes };
}

function visible({ title, description, inputSchema, outputSchema, annotations }: ToolDefinition): unknown {
  return { title, description, inputSchema, outputSchema, annotations };
}

/** The deepest places in which two values differ. (Schemas are bounded in depth, so recursion is too.) */
function differingPaths(a: unknown, b: unknown, path = ""): string[] {
  if (toCanonicalJson(a) === toCanonicalJson(b)) return [];
  if (!isObject(a) || !isObject(b)) return [path];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  const below: string[] = [];
  for (const key of keys) {
    below.push(...differingPaths(own(a, key), own(b, key), path === "" ? key : `${path}.${key}`));
    if (below.length >= MAX_PATHS) break;
  }
  return below;
}

function own(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
