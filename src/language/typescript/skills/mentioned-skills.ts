import { findNodeUse } from "../explain/node-use.ts";
import type { Parsed } from "../prepare/oxc.ts";
import { skillSpelling } from "../prepare/specifier.ts";

/** An import of a skill, by the spelling that the text has for it. */
export type MentionedSkill = { readonly spelling: string; readonly at: number };

/** All skills that a text imports, in the order in which they run. */
export function findMentionedSkills(source: string, parsed: Parsed, isSkill: boolean): MentionedSkill[] {
  // A specifier with escapes finds no skill, and is refused.
  if (!isSkill && !source.includes("skills")) return [];
  const { module } = parsed;
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest ?? [])),
  ];
  const statements = named.map(({ value, start }) => ({ specifier: value, at: start }));
  const calls = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const [, , specifier] = LITERAL.exec(source.slice(start, end)) ?? [];
    return specifier === undefined ? [] : [{ specifier, at: start }];
  });
  const use = findNodeUse(source, parsed);
  const all = [...statements, ...use.importEquals, ...use.requires, ...calls];
  return all
    .sort((a, b) => a.at - b.at)
    .flatMap(({ specifier, at }) => {
      const spelling = skillSpelling(specifier, isSkill);
      return spelling === undefined ? [] : [{ spelling, at }];
    });
}

/** A plain string literal. */
export const LITERAL = /^(["'`])([^"'`\\$\n\r]*)\1$/;
