import type { Hit } from "../query/rank.ts";
import type { SkillHit } from "./skill-index.ts";

/** A tool or a skill, in the order of an answer. */
export type Found = Hit | SkillHit;

/** What a skill's score counts beside a tool's: both are sums over the same words, of texts of different length. */
export const SKILL_SHARE = 0.8;

/**
 * Skills among tools, by what the words of the query are worth to them. The tools stay in their order, which need not be that
 * of the words: a skill stands before as many of them as are worth less.
 */
export function placeSkills(
  tools: readonly Hit[],
  skills: readonly SkillHit[],
  byWords: readonly Hit[],
  share = SKILL_SHARE,
): Found[] {
  const placed: Found[] = [];
  let tool = 0;
  for (const skill of skills) {
    const before = byWords.filter(({ score }) => score > skill.score * share).length;
    while (tool < Math.min(before, tools.length)) placed.push(...tools.slice(tool, ++tool));
    placed.push(skill);
  }
  return [...placed, ...tools.slice(tool)];
}

export function isSkillHit(found: Found): found is SkillHit {
  return "skill" in found;
}

export function isToolHit(found: Found): found is Hit {
  return "tool" in found;
}
