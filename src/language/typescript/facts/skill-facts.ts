import type { SkillText } from "../../facts/find-facts.ts";
import type { Node } from "../../facts/program-tree.ts";
import { exportStatements, isFrom } from "../prepare/export-statements.ts";
import type { OpenedText } from "../prepare/prepare.ts";
import type { ImportedSkills, SkillModule } from "../skills/skill-module.ts";
import { toTreeSkills } from "./facts.ts";
import { exportedName, toTypeScriptTree } from "./to-tree.ts";

/** A skill as facts are found in it: its tree, and what its exports are called there. */
export function toFactSkill(
  { name, exports }: SkillModule,
  { source, text, parsed }: OpenedText,
  imports: ImportedSkills,
): SkillText {
  const tree = toTypeScriptTree(text, parsed, toTreeSkills(imports));
  const locals = toLocals(parsed);
  const offered = new Map(exports.map((one) => [one.name, locals.get(one.name) ?? exportedName(one.name)]));
  // Whoever imports it may do with what it has as with anything that is handed on.
  const items = [...offered.values()].map((local): Node => ({ kind: "name", at: 0, name: local }));
  const parts = [...tree.parts, { kind: "list", at: 0, items } as const];
  return { name, source, tree: { ...tree, parts }, exports: offered };
}

/** The names that exports have in their own text; what is passed on has none. */
function toLocals(parsed: OpenedText["parsed"]): ReadonlyMap<string, string> {
  const locals = new Map<string, string>();
  for (const statement of exportStatements(parsed)) {
    for (const entry of statement.entries) {
      if (isFrom(statement, entry)) continue;
      const { exportName, localName, importName, moduleRequest } = entry;
      const imported = moduleRequest === null ? undefined : localOf(importName.start, parsed);
      // The name of `export default name` may be a global: what it is stands where it is exported.
      const local = imported ?? (localName.kind === "Name" ? localName.name : undefined);
      const name = exportName.kind === "Default" ? "default" : (exportName.name ?? "");
      if (local !== null && local !== undefined) locals.set(name, local);
    }
  }
  return locals;
}

function localOf(start: number | null, { module }: OpenedText["parsed"]): string | undefined {
  const entries = module.staticImports.flatMap((statement) => statement.entries);
  return entries.find((one) => start === (one.importName.start ?? one.localName.start))?.localName.value;
}
