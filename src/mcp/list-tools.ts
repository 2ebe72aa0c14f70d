import type { RawToolList } from "./connection.ts";
import { measureJson } from "./measure-json.ts";

const MAX_PAGES = 200;
const MAX_TOOLS = 20_000;
/** The 3,457 tools of 537 real servers together have 3 million. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * Reads `tools/list` to its end, or as far as is reasonable: what came before a page that breaks the rules stays usable.
 */
export async function listAllTools(
  readPage: (cursor: string | undefined) => Promise<unknown>,
  deadlineMs: number,
): Promise<RawToolList> {
  const tools: unknown[] = [];
  const warnings: string[] = [];
  const seen = new Set<string>();
  let characters = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const { items, next } = readResult(await readPage(cursor));
    if (!items) warnings.push(`Page ${page} of the tool list has no "tools" array`);
    for (const item of items ?? []) {
      characters += measureJson(item, MAX_CHARACTERS).characters;
      if (characters > MAX_CHARACTERS || tools.length >= MAX_TOOLS) return stopped("is too large");
      tools.push(item);
    }
    if (next === undefined) return { tools, warnings };
    if (seen.has(next)) return stopped("repeats itself");
    if (page >= MAX_PAGES) return stopped("does not end");
    if (Date.now() >= deadlineMs) return stopped("takes too long");
    seen.add(next);
    cursor = next;

    function stopped(why: string): RawToolList {
      const text = `The tool list ${why}: stopped at page ${page} with ${tools.length} tools`;
      return { tools, warnings: [...warnings, text] };
    }
  }
}

function readResult(result: unknown): { items?: readonly unknown[]; next?: string } {
  if (typeof result !== "object" || result === null) return {};
  const items = "tools" in result && Array.isArray(result.tools) ? result.tools : undefined;
  const next =
    "nextCursor" in result && typeof result.nextCursor === "string" ? result.nextCursor : undefined;
  return { items, next: next === "" ? undefined : next };
}
