import type { RawToolList } from "./connection.ts";

const MAX_PAGES = 200;
const MAX_TOOLS = 20_000;

/**
 * Reads `tools/list` to its end, or as far as is reasonable: what came before a page that breaks the rules stays usable.
 */
export async function listAllTools(
  readPage: (cursor: string | undefined) => Promise<unknown>,
): Promise<RawToolList> {
  const tools: unknown[] = [];
  const warnings: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const result = await readPage(cursor);
    const { items, next } = readResult(result);
    if (!items) warnings.push(`Page ${page} of the tool list has no "tools" array`);
    for (const item of items ?? []) tools.push(item);
    if (next === undefined) return { tools, warnings };
    if (seen.has(next)) {
      warnings.push(`The tool list repeats itself: page ${page} points back to an earlier page`);
      return { tools, warnings };
    }
    if (page >= MAX_PAGES || tools.length >= MAX_TOOLS) {
      warnings.push(`The tool list does not end: stopped after ${page} pages with ${tools.length} tools`);
      return { tools: tools.slice(0, MAX_TOOLS), warnings };
    }
    seen.add(next);
    cursor = next;
  }
}

function readResult(result: unknown): { items?: readonly unknown[]; next?: string } {
  if (typeof result !== "object" || result === null) return {};
  const items = "tools" in result && Array.isArray(result.tools) ? result.tools : undefined;
  const next =
    "nextCursor" in result && typeof result.nextCursor === "string" ? result.nextCursor : undefined;
  return { items, next: next === "" ? undefined : next };
}
