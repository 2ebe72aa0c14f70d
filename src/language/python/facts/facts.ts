import { nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import type { ProgramFacts } from "../../../policy/program-facts.ts";
import { findFacts } from "../../facts/find-facts.ts";
import type { Node, ProgramTree } from "../../facts/program-tree.ts";
import type { PathValue } from "../../facts/values.ts";
import type { LanguageNames } from "../../facts/watched.ts";
import type { PythonBinding, PythonBindings } from "../check/bindings.ts";
import type { ParsedPython } from "../parse-python.ts";
import { toImported } from "../skills/imports.ts";
import { NO_SKILLS, type PythonSkills } from "../skills/load-python-skills.ts";
import { SKILLS_PACKAGE } from "../skills/module-names.ts";
import type { PythonModule } from "../skills/python-module.ts";
import { createPythonNames } from "./names.ts";
import { type Imported, toPythonTree } from "./to-tree.ts";
import { toWholeSkill } from "./tree-expressions.ts";
import { PYTHON_WATCHED } from "./watched.ts";

const known = new WeakMap<readonly ServerRecord[], LanguageNames>();
const trees = new WeakMap<
  PythonModule,
  { readonly servers: readonly ServerRecord[]; readonly tree: ProgramTree }
>();

export type PythonFactsInput = {
  readonly skills: Pick<PythonSkills, "modules" | "skillOf">;
  readonly bindings: Pick<PythonBindings, "of">;
  /** The text is a skill's. */
  readonly isSkill: boolean;
};

/** What a program in Python does, and what its skills do. */
export function toPythonFacts(
  source: string,
  parsed: ParsedPython,
  servers: readonly ServerRecord[],
  { skills: { modules, skillOf }, bindings, isSkill: isOwn }: PythonFactsInput = WITHOUT_SKILLS,
): ProgramFacts {
  const names = known.get(servers) ?? createPythonNames(servers);
  known.set(servers, names);
  const toTree = (text: ParsedPython, { of }: Pick<PythonBindings, "of">, isSkill: boolean): ProgramTree => {
    const skillIn: Imported["skillIn"] = (module, name) => {
      if (modules.length === 0) return undefined;
      const own = toImported({ module, ...(name !== undefined && { name }) }, isSkill);
      const skill = own && skillOf(own.skill)?.name;
      return skill === undefined ? undefined : { ...own, skill };
    };
    const { parts } = toPythonTree(text.text, text.tree, {
      namesIn: (module) => skillOf(skillIn(module, "*")?.skill ?? "")?.starred ?? namesIn(module),
      skillIn,
      skillOf: (name, spelling) =>
        modules.length > 0 && of(name).some(isPackage) ? skillOf(spelling)?.name : undefined,
    });
    const whole = modules.map(
      ({ name }): Node => ({
        ...{ kind: "import", at: 0, specifier: SKILLS_PACKAGE, skill: name },
        entries: [{ imported: undefined, local: toWholeSkill(name) }],
      }),
    );
    return { parts: [...whole, ...parts], cutAt: text.gapAt };
  };
  const skills = modules.map((module) => {
    const kept = trees.get(module);
    const tree = kept?.servers === servers ? kept.tree : toTree(module.parsed, module.bindings, true);
    trees.set(module, { servers, tree });
    return { name: module.name, source: module.source, tree };
  });
  return findFacts({ source, tree: toTree(parsed, bindings, isOwn), skills, servers, names });

  function namesIn(module: string): string[] {
    const [folder, spelling = "", ...rest] = module.split(".");
    const server =
      folder === "servers" && rest.length === 0 ? nameIndexOf(servers).server(spelling) : undefined;
    if (server?.kind === "one") return server.value.tools.map(({ identifiers }) => identifiers.python);
    return watchedIn(names.module(module, undefined));
  }
}

const WITHOUT_SKILLS: PythonFactsInput = { skills: NO_SKILLS, bindings: { of: () => [] }, isSkill: false };

/** `import skills`, `import skills.open_issues` */
function isPackage(binding: PythonBinding): boolean {
  return binding.kind === "import" && binding.name === undefined && binding.module === SKILLS_PACKAGE;
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
