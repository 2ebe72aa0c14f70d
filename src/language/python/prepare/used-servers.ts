import { nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import type { UsedServers } from "../../language.ts";
import { toMentions } from "../../reading/mentions.ts";
import { PYTHON_BUILTINS, PYTHON_GLOBALS } from "../builtins.ts";

/** With these a program can put a name together and look it up. */
const OPENING =
  "eval exec globals locals vars getattr importlib import_module __import__ builtins __builtins__ compile sys __dict__".split(
    " ",
  );
/** `servers` other than with a name behind it: `servers[name]`, `dir(servers)`. */
const COMPUTED =
  /(?<![\p{ID_Continue}.])servers(?!\s*\.\s*[\p{ID_Start}_]|[\p{ID_Continue}]|\s+import\s+[\p{ID_Start}_(])/u;

/** The servers that a program can mean, by their names in Python. */
export function toPythonServers(text: string, servers: readonly ServerRecord[]): UsedServers {
  const names = nameIndexOf(servers);
  // Python takes letters for others that look alike.
  const { words, quoted } = toMentions(text.normalize("NFKC"));
  const isOpen = OPENING.some((word) => words.has(word)) || COMPUTED.test(text);
  const used = new Set<string>();
  const aliases = new Map<string, string>();
  for (const spelling of [...words, ...quoted]) {
    if (PYTHON_BUILTINS.has(spelling)) continue;
    const meant = names.server(spelling);
    // A server that is called as something of ours is both; what is only spelled alike is ours.
    const isOwn = meant.kind === "one" && meant.value.identifiers.python === spelling;
    if (PYTHON_GLOBALS.has(spelling) && !isOwn) continue;
    if (meant.kind === "one") {
      used.add(meant.value.name);
      const { python } = meant.value.identifiers;
      if (spelling !== python) aliases.set(spelling, python);
      // Its calls fail, with the names that it could have meant.
    } else if (meant.kind === "many") aliases.set(spelling, spelling);
  }
  if (isOpen) for (const { name } of servers) used.add(name);
  return { servers: [...used], aliases: [...aliases], isOpen };
}
