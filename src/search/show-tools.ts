import { toCommentLine } from "../codegen/print/doc-text.ts";
import { toTypeScriptSignature } from "../codegen/print/signature.ts";
import type { Detail, FoundTool, SearchAnswer, SearchableServer } from "./answer.ts";
import { CHARACTERS_PER_TOKEN, toSentence } from "./lines.ts";
import type { Hit } from "./rank.ts";

export type Findings = {
  readonly query: string;
  readonly detail: Detail | undefined;
  readonly limit: number | undefined;
  readonly hits: readonly Hit[];
  /** Names close to the query, when nothing matches it. */
  readonly near: readonly string[];
  readonly servers: readonly SearchableServer[];
};

type Level = Detail | "default";

/** How many tools a level shows unless told, and the tokens it may take, whatever was asked for. */
const LEVELS: Record<Level, { readonly limit: number; readonly tokens: number }> = {
  name: { limit: 50, tokens: 4_000 },
  description: { limit: 20, tokens: 4_000 },
  full: { limit: 5, tokens: 4_000 },
  default: { limit: 5, tokens: 740 },
};
const MAX_DESCRIPTION = 160;
const MAX_QUOTED = 80;

export function toToolsAnswer(findings: Findings): SearchAnswer {
  const { hits, detail = "default" } = findings;
  if (hits.length === 0) return { text: toNothingFound(findings), total: 0, tools: [] };
  const { limit, tokens } = LEVELS[detail];
  const wanted = hits.slice(0, findings.limit ?? limit);
  const shown = wanted.map((hit) => show(hit, detail));
  const fitting = shown.slice(0, countFitting(shown, tokens * CHARACTERS_PER_TOKEN));
  const body =
    detail === "name" ? groupByServer(wanted.slice(0, fitting.length)) : joinTexts(fitting, detail);
  const text = [body, ...toMore(fitting.length, hits.length, detail)].join("\n");
  return { text, total: hits.length, tools: fitting.map(({ found }) => found) };
}

type Shown = { readonly found: FoundTool; readonly text: string };

function show({ server, tool }: Hit, level: Level): Shown {
  const name = `${server.identifier}.${tool.identifiers.typescript}`;
  const found: FoundTool = { server: server.name, tool: tool.name, function: name };
  if (level === "name") return { found, text: tool.identifiers.typescript };
  const description = toSentence(tool.description || (tool.title ?? ""), MAX_DESCRIPTION);
  if (level === "description")
    return { found: { ...found, description }, text: description === "" ? name : `${name}: ${description}` };
  const { code, isCut } = toTypeScriptSignature(tool, server, { compact: level === "default" });
  const comment = description === "" ? "" : `// ${toCommentLine(description)}\n`;
  const note = isCut && level === "default" ? ' // types cut; all of them: detail "full"' : "";
  return { found: { ...found, description, definition: code }, text: `${comment}${code}${note}` };
}

function joinTexts(shown: readonly Shown[], level: Level): string {
  return shown.map(({ text }) => text).join(level === "full" ? "\n\n" : "\n");
}

/** The first is always shown: an answer that shows nothing helps nobody. */
function countFitting(shown: readonly Shown[], characters: number): number {
  let used = 0;
  const over = shown.findIndex(({ text }) => {
    used += text.length + 1;
    return used > characters;
  });
  return over === -1 ? shown.length : Math.max(1, over);
}

/** Best server first, so that the order still says something. */
function groupByServer(hits: readonly Hit[]): string {
  const groups = new Map<string, string[]>();
  for (const { server, tool } of hits) {
    groups.set(server.identifier, [...(groups.get(server.identifier) ?? []), tool.identifiers.typescript]);
  }
  return [...groups].map(([server, names]) => `${server}: ${names.join(" ")}`).join("\n");
}

function toMore(shown: number, total: number, level: Level): string[] {
  if (shown >= total) return [];
  const how = level === "name" ? "a larger limit" : 'detail "name" lists them';
  return [`(${shown} of ${total} matches; more: ${how}, or a narrower query)`];
}

function toNothingFound({ query, near, servers }: Findings): string {
  const asked = JSON.stringify(toSentence(query, MAX_QUOTED));
  if (near.length > 0) return `No tool matches ${asked}. Near: ${near.join(", ")}`;
  const names = servers.map(({ identifier }) => identifier).slice(0, 40);
  const rest = servers.length > names.length ? ", …" : "";
  return `No tool matches ${asked}. Try other words, or one of the servers: ${names.join(", ")}${rest}`;
}
