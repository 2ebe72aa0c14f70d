import type { ModuleRecord } from "../prepare/oxc.ts";
import { skillSpelling } from "../prepare/specifier.ts";
import { type SyntaxNode, syntaxChild, textOf } from "../prepare/syntax-path.ts";
import type { SkillModule } from "../skills/skill-module.ts";

/** The function of a skill that the innermost call around a place calls, with the node that names it. */
export type CalledSkill = { readonly skill: string; readonly name: string; readonly callee: SyntaxNode };

/** Finds it by its name: as it was imported, or as one of what a skill has. */
export function calledSkill(
  path: readonly SyntaxNode[],
  module: ModuleRecord,
  skills: readonly SkillModule[],
): CalledSkill | undefined {
  if (skills.length === 0) return undefined;
  const call = path.findLast(({ type }) => type === "CallExpression" || type === "NewExpression");
  const callee = syntaxChild(call, "callee");
  if (callee === undefined) return undefined;
  const own = textOf(callee);
  const name = own ?? textOf(syntaxChild(callee, "property"));
  if (name === undefined) return undefined;
  const entries = module.staticImports
    .filter(({ moduleRequest }) => skillSpelling(moduleRequest.value, true) !== undefined)
    .flatMap((statement) => statement.entries);
  const imported = own === undefined ? undefined : entries.find(({ localName }) => localName.value === own);
  const meant = imported?.importName.kind === "Default" ? "default" : (imported?.importName.name ?? name);
  const skill = skills.find(({ exports }) => exports.some((one) => !one.isType && one.name === meant));
  return skill && { skill: skill.name, name, callee };
}
