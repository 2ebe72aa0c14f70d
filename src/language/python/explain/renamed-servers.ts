import { findTool, nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import { PYTHON_BUILTINS, PYTHON_GLOBALS } from "../builtins.ts";
import type { PythonBindings } from "../check/bindings.ts";

const MAX_HINTS = 3;
/** `word.member` */
const USE =
  /(?<![\p{ID_Continue}.])([\p{ID_Start}_][\p{ID_Continue}]*)\s*\.\s*([\p{ID_Start}_][\p{ID_Continue}]*)/gu;

/**
 * What to write where a failed program means a server by a name that is something else in it: a word of Python's, or a module
 * that it imports, as `import time` hides the server "time".
 */
export function toHiddenHint(
  text: string,
  bindings: PythonBindings,
  servers: readonly ServerRecord[],
): string | undefined {
  const index = nameIndexOf(servers);
  const hints = new Map<ServerRecord, string>();
  for (const [, word = "", member = ""] of text.matchAll(USE)) {
    const meant = index.server(word);
    if (meant.kind !== "one" || hints.has(meant.value) || hints.size >= MAX_HINTS) continue;
    const { name, identifiers } = meant.value;
    const tool = findTool(meant.value, member);
    if (tool.kind !== "one") continue;
    const call = `${tool.value.identifiers.python}(…)`;
    const isModule = bindings
      .of(word)
      .some((one) => one.kind === "import" && !one.module.startsWith("servers"));
    if (isModule)
      hints.set(
        meant.value,
        `"${word}" is a module that the program imports: for the server "${name}" write from servers import ${identifiers.python} as ${identifiers.python}_server, then ${identifiers.python}_server.${call}`,
      );
    else if ((PYTHON_BUILTINS.has(word) || PYTHON_GLOBALS.has(word)) && word !== identifiers.python)
      hints.set(
        meant.value,
        `The server "${name}" is ${identifiers.python} in programs: write ${identifiers.python}.${call} to call its tool`,
      );
  }
  return hints.size === 0 ? undefined : [...hints.values()].join("; ");
}
