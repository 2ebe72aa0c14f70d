import { nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import type { ProgramFacts } from "../../../policy/program-facts.ts";
import { findFacts } from "../../facts/find-facts.ts";
import type { LanguageNames } from "../../facts/watched.ts";
import type { ParsedPython } from "../parse-python.ts";
import { createPythonNames } from "./names.ts";
import { toPythonTree } from "./to-tree.ts";

const known = new WeakMap<readonly ServerRecord[], LanguageNames>();

/** What a program in Python does. */
export function toPythonFacts(
  source: string,
  { text, tree, gapAt }: ParsedPython,
  servers: readonly ServerRecord[],
): ProgramFacts {
  const names = known.get(servers) ?? createPythonNames(servers);
  known.set(servers, names);
  const namesIn = (module: string) => {
    const [folder, spelling = "", ...rest] = module.split(".");
    const server =
      folder === "servers" && rest.length === 0 ? nameIndexOf(servers).server(spelling) : undefined;
    return server?.kind === "one" ? server.value.tools.map(({ identifiers }) => identifiers.python) : [];
  };
  const { parts } = toPythonTree(text, tree, namesIn);
  return findFacts({ source, tree: { parts, cutAt: gapAt }, servers, names });
}
