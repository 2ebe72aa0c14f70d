import { nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import type { ProgramFacts } from "../../../policy/program-facts.ts";
import { findFacts } from "../../facts/find-facts.ts";
import type { PathValue } from "../../facts/values.ts";
import type { LanguageNames } from "../../facts/watched.ts";
import type { ParsedPython } from "../parse-python.ts";
import { createPythonNames } from "./names.ts";
import { toPythonTree } from "./to-tree.ts";
import { PYTHON_WATCHED } from "./watched.ts";

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
    if (server?.kind === "one") return server.value.tools.map(({ identifiers }) => identifiers.python);
    return watchedIn(names.module(module, undefined));
  };
  const { parts } = toPythonTree(text, tree, namesIn);
  return findFacts({ source, tree: { parts, cutAt: gapAt }, servers, names });
}

/** What of a module is looked at: of `from os import *` that is enough. */
function watchedIn({ root, members }: PathValue): string[] {
  const first = members[0] ?? "";
  const watched = root === "module" ? (PYTHON_WATCHED.module.get(first) ?? new Map()) : new Map();
  const start = `${members.join(".")}.`;
  const found = [...watched.keys()].flatMap((name) => {
    const [member = ""] = name.startsWith(start) ? name.slice(start.length).split(".") : [];
    return member === "" || member === "*" ? [] : [member];
  });
  return [...new Set(found)];
}
