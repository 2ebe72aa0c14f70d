import { findTool } from "../../../catalog/name-index.ts";
import { isReservedInPrograms } from "../../../catalog/names.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";

/**
 * What to write where a failed program means a server by a name that is something else in programs: `fs.readFile(…)` of a
 * server "fs", `1password.getItem(…)`. Nothing where it can't have meant one.
 */
export function toRenamedHint(source: string, servers: readonly ServerRecord[]): string | undefined {
  const renamed = toRenamed(servers);
  if (renamed.size === 0) return undefined;
  const meant = new Map<ServerRecord, string>();
  for (const [, word = "", member] of source.matchAll(USE)) {
    const server = renamed.get(word);
    // `fetch({ url })` may mean the tool `fetch` of the server `fetch`.
    const tool = server && findTool(server, member ?? word);
    if (!server || tool?.kind !== "one" || meant.has(server)) continue;
    meant.set(server, `${server.identifiers.typescript}.${tool.value.identifiers.typescript}(…)`);
  }
  const hints = [...meant].map(([{ name, identifiers }, call]) => {
    return `The server "${name}" is ${identifiers.typescript} in programs: write ${call} to call its tool`;
  });
  return hints.length === 0 ? undefined : hints.slice(0, MAX_HINTS).join("; ");
}

const MAX_HINTS = 3;
/** `word.member` and `word(`. */
const USE =
  /(?<![\p{ID_Continue}$.])([\p{ID_Continue}$]+)\s*(?:\??\.\s*([\p{ID_Start}_$][\p{ID_Continue}$]*)|\()/gu;

function toRenamed(servers: readonly ServerRecord[]): ReadonlyMap<string, ServerRecord> {
  const renamed = new Map<string, ServerRecord>();
  for (const server of servers) {
    const { typescript } = server.identifiers;
    for (const word of [server.name, typescript.replace(/_$/, ""), typescript.replace(/^_/, "")]) {
      const isOther = word !== typescript && (isReservedInPrograms(word) || /^\d/.test(word));
      if (isOther) renamed.set(word, server);
    }
  }
  return renamed;
}
