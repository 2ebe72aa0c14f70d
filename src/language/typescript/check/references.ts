import { findTool, nameIndexOf, toolKeys } from "../../../catalog/name-index.ts";
import { isReservedInPrograms } from "../../../catalog/names.ts";
import type { ServerRecord, ToolRecord } from "../../../catalog/tool.ts";
import { findTypeOwner, toTypeScriptTypeNames } from "../../../codegen/typescript/typescript-wrapper.ts";
import { type Mentions, toFoldedWords, toMentions } from "../../reading/mentions.ts";

/** The servers that a program mentions, each with those of its tools that it mentions. */
export type References = ReadonlyMap<ServerRecord, ReadonlySet<ToolRecord>>;

/** How a program spells them where it does not write the name that is shown. */
export type Aliases = {
  readonly servers: ReadonlyMap<ServerRecord, ReadonlySet<string>>;
  readonly tools: ReadonlyMap<ToolRecord, ReadonlySet<string>>;
  /** In `callMCPTool`. */
  readonly calls: ReadonlyMap<ToolRecord, ReadonlySet<string>>;
};

/** Nobody writes one name in more ways. */
const MAX_SPELLINGS = 20;

/**
 * Finds them by their names alone, wherever these stand: too many do no harm, and no alias, destructuring or string is
 * missed. A catalogue may have thousands of tools; a program is checked against the few it can mean.
 */
export function toReferences(
  text: string,
  servers: readonly ServerRecord[],
): { readonly references: References; readonly aliases: Aliases } {
  const mentions = toMentions(text);
  const names = nameIndexOf(servers);
  const found = new Map<ServerRecord, Set<ToolRecord>>();
  const aliases = {
    servers: new Map<ServerRecord, Set<string>>(),
    tools: new Map<ToolRecord, Set<string>>(),
    calls: new Map<ToolRecord, Set<string>>(),
  };
  for (const word of mentions.words) {
    const meant = isReservedInPrograms(word) ? undefined : names.server(word);
    if (meant?.kind !== "one") continue;
    if (!found.has(meant.value)) found.set(meant.value, new Set());
    if (word !== meant.value.identifiers.typescript) add(aliases.servers, meant.value, word);
  }
  const folded = toFoldedWords(mentions);
  for (const [server, tools] of found) {
    for (const [tool, spelling] of mentionedTools(server, mentions, folded)) {
      tools.add(tool);
      if (spelling !== undefined && spelling !== tool.identifiers.typescript)
        add(aliases.tools, tool, spelling);
    }
  }
  for (const quoted of mentions.words.has("callMCPTool") ? mentions.quoted : []) {
    const meant = names.tool(quoted);
    if (meant.kind !== "one") continue;
    const { server, tool } = meant.value;
    found.set(server, (found.get(server) ?? new Set()).add(tool));
    if (quoted !== `${server.name}__${tool.name}`) add(aliases.calls, tool, quoted);
  }
  return { references: found, aliases };
}

/** The tools with their spellings; without one, a tool of which only a type is mentioned. Goes over the shorter of both. */
function* mentionedTools(
  server: ServerRecord,
  { words }: Mentions,
  folded: ReadonlyMap<string, readonly string[]>,
): Generator<readonly [ToolRecord, string | undefined]> {
  if (words.size <= server.tools.length) {
    for (const word of words) {
      const meant = findTool(server, word);
      if (meant.kind === "one") yield [meant.value, word];
      const owner = findTypeOwner(server, word);
      if (owner !== undefined) yield [owner, undefined];
    }
    return;
  }
  for (const tool of server.tools) {
    for (const key of toolKeys(tool, server)) {
      for (const word of (folded.get(key) ?? []).slice(0, MAX_SPELLINGS)) {
        const meant = findTool(server, word);
        if (meant.kind === "one" && meant.value === tool) yield [tool, word];
      }
    }
    const { input, response } = toTypeScriptTypeNames(tool, server);
    if (words.has(input) || words.has(response)) yield [tool, undefined];
  }
}

function add<T>(map: Map<T, Set<string>>, key: T, spelling: string): void {
  const spellings = map.get(key) ?? new Set();
  if (spellings.size < MAX_SPELLINGS) map.set(key, spellings.add(spelling));
}
