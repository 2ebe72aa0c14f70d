import { nameIndexOf } from "../../../catalog/name-index.ts";
import { isReservedInPrograms } from "../../../catalog/names.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import type { UsedServers } from "../../language.ts";
import { toMentions } from "../../reading/mentions.ts";

/**
 * Reads it off the prepared code, in which each import has become `globalThis.<server>`. Each server becomes a global in
 * the sandbox, and with hundreds of servers making them all would take longer than most programs run.
 */
export function toUsedServers(code: string, servers: readonly ServerRecord[]): UsedServers {
  const names = nameIndexOf(servers);
  const { words, quoted } = toMentions(code);
  const isOpen = ["eval", "Function"].some((word) => words.has(word)) || COMPUTED.test(code);
  const used = new Set<string>();
  const aliases = new Map<string, string>();
  for (const spelling of [...words, ...quoted]) {
    if (isReservedInPrograms(spelling)) continue;
    const meant = names.server(spelling);
    if (meant.kind === "none") continue;
    if (meant.kind === "one") {
      used.add(meant.value.name);
      const { typescript } = meant.value.identifiers;
      if (spelling !== typescript) aliases.set(spelling, typescript);
      // Its calls fail, with the names that it could have meant.
    } else aliases.set(spelling, spelling);
  }
  if (isOpen) {
    for (const { name, identifiers } of servers) {
      used.add(name);
      for (const spelling of [name, identifiers.python]) {
        const isFree = spelling !== identifiers.typescript && !isReservedInPrograms(spelling);
        if (isFree && !aliases.has(spelling)) aliases.set(spelling, identifiers.typescript);
      }
    }
  }
  return { servers: [...used], aliases: [...aliases], isOpen };
}

/** The global object used other than by a name written out: `globalThis[name]`, `const { github } = globalThis`. */
const COMPUTED =
  /(?<![\p{ID_Continue}$.])(?:globalThis|global|self)(?![\p{ID_Continue}$])(?!\s*\??\.\s*[\p{ID_Start}_$]|\[(?:"[^"\\]*"|'[^'\\]*'|`[^`\\$]*`)\])|__keyhole\.servers/u;
