import { mapTexts } from "../text/map-texts.ts";
import { createPace } from "../text/slices.ts";
import type { RawToolList } from "./connection.ts";
import type { Taken } from "./large/intake.ts";
import { measureJson } from "./measure-json.ts";

const MAX_PAGES = 200;
const MAX_TOOLS = 5_000;
/** The 3,457 tools of 537 real servers together have 3 million. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** A page of the list. Tools of a large one are texts, to be parsed one by one. */
export type ToolPage = {
  readonly tools?: readonly unknown[];
  readonly texts?: readonly string[];
  readonly next?: string;
  readonly warnings?: readonly string[];
};

export function toPage(large: Taken | undefined, raw: unknown): ToolPage {
  if (large?.kind === "tools") return { ...large, tools: undefined, texts: large.tools };
  return readResult(raw);
}

/**
 * Reads `tools/list` to its end, or as far as is reasonable: what came before a page that breaks the rules stays usable.
 */
export async function listAllTools(
  readPage: (cursor: string | undefined) => Promise<ToolPage>,
  deadlineMs: number,
  redact: (text: string) => string = (text) => text,
): Promise<RawToolList> {
  const tools: unknown[] = [];
  const warnings: string[] = [];
  const seen = new Set<string>();
  const pace = createPace();
  let characters = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const { tools: whole, texts, next, warnings: noted = [] } = await readPage(cursor);
    const items = texts ?? whole;
    warnings.push(...noted);
    if (!items) warnings.push(`Page ${page} of the tool list has no "tools" array`);
    for (const listed of items ?? []) {
      const turn = pace();
      if (turn) await turn;
      const item: unknown = withoutSecrets(texts === undefined ? listed : JSON.parse(String(listed)), redact);
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

/** Servers put values of their environment into defaults and descriptions, which are stored and shown. */
function withoutSecrets(item: unknown, redact: (text: string) => string): unknown {
  const text = JSON.stringify(item) ?? "null";
  // Most have none, and one text is gone through faster than many.
  return redact(text) === text ? item : mapTexts(item, redact);
}

function readResult(result: unknown): ToolPage {
  if (typeof result !== "object" || result === null) return {};
  const tools = "tools" in result && Array.isArray(result.tools) ? result.tools : undefined;
  const next =
    "nextCursor" in result && typeof result.nextCursor === "string" ? result.nextCursor : undefined;
  return { tools, next: next === "" ? undefined : next };
}
