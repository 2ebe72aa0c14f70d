import type { ServerRecord } from "../../../catalog/tool.ts";
import type { ProgramFacts } from "../../../policy/program-facts.ts";
import { findFacts } from "../../facts/find-facts.ts";
import type { LanguageNames } from "../../facts/watched.ts";
import type { Parsed } from "../prepare/oxc.ts";
import { createTypeScriptNames } from "./names.ts";
import { toTypeScriptTree } from "./to-tree.ts";

const known = new WeakMap<readonly ServerRecord[], LanguageNames>();

/** What a program in TypeScript does, from the tree that was parsed to run it. */
export function toTypeScriptFacts(
  source: string,
  parsed: Parsed,
  servers: readonly ServerRecord[],
): ProgramFacts {
  const names = known.get(servers) ?? createTypeScriptNames(servers);
  known.set(servers, names);
  return findFacts({ source, tree: toTypeScriptTree(source, parsed), servers, names });
}
