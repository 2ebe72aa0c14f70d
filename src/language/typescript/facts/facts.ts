import type { ServerRecord } from "../../../catalog/tool.ts";
import type { ProgramFacts } from "../../../policy/program-facts.ts";
import { findFacts, type SkillText } from "../../facts/find-facts.ts";
import type { LanguageNames } from "../../facts/watched.ts";
import type { Parsed } from "../prepare/oxc.ts";
import { skillSpelling } from "../prepare/specifier.ts";
import type { ImportedSkills } from "../skills/skill-module.ts";
import { createTypeScriptNames } from "./names.ts";
import { type TreeSkills, toTypeScriptTree } from "./to-tree.ts";

const known = new WeakMap<readonly ServerRecord[], LanguageNames>();

/** What it imports of skills, and these themselves, with what they import. */
export type FactSkills = { readonly all: readonly SkillText[]; readonly imports: ImportedSkills };

const NO_SKILLS: FactSkills = { all: [], imports: new Map() };

/** What a program in TypeScript does, and its skills, from the trees that were parsed to run them. */
export function toTypeScriptFacts(
  source: string,
  parsed: Parsed,
  servers: readonly ServerRecord[],
  { all, imports }: FactSkills = NO_SKILLS,
): ProgramFacts {
  const names = known.get(servers) ?? createTypeScriptNames(servers);
  known.set(servers, names);
  const tree = toTypeScriptTree(source, parsed, toTreeSkills(imports));
  return findFacts({ source, tree, skills: all, servers, names });
}

/** By the specifiers of one text. */
export function toTreeSkills(imports: ImportedSkills): TreeSkills {
  return {
    find(specifier) {
      const spelling = imports.size === 0 ? undefined : skillSpelling(specifier, true);
      return spelling === undefined ? undefined : imports.get(spelling);
    },
  };
}
