import { toIndexedWords } from "../index/documents.ts";
import { rarityOf } from "../index/postings.ts";
import type { Hit } from "../query/rank.ts";
import type { SkillHit } from "./skill-index.ts";

/** A tool or a skill, in the order of an answer. */
export type Found = Hit | SkillHit;

/**
 * What a skill's score counts beside a tool's when it comes to their order. Little: who asks for a tool gets the tool, and skills are
 * shown beside as many tools as there would be without them.
 */
const SHARE = 0.3;

/** The scores of skills as if they were of as many documents as there are tools: the more there are, the rarer each word. */
export function toComparable(
  hits: readonly SkillHit[],
  counts: { readonly skills: number; readonly tools: number },
): SkillHit[] {
  const scale = rarityOf(1, Math.max(2, counts.tools)) / rarityOf(1, Math.max(2, counts.skills));
  return hits.map((hit) => ({ ...hit, score: hit.score * scale }));
}

/** So many of the best tools can say what is asked for as well as a skill does. */
const MAX_RIVALS = 20;
const MAX_SAID = 300;

/**
 * Skills among tools. The tools stay in their order, which need not be that of the words: a skill stands before as many as are worth
 * less. One that is what was asked for, word by word, comes first, unless a tool says as much.
 */
export function placeSkills(
  tools: readonly Hit[],
  skills: readonly SkillHit[],
  byWords: readonly Hit[],
  share = SHARE,
): Found[] {
  const placed: Found[] = [];
  let next = 0;
  const first = skills.findLastIndex(({ told }) => told !== undefined && !isToldByTool(told, byWords));
  for (const [at, skill] of skills.entries()) {
    const least = at <= first ? Number.POSITIVE_INFINITY : skill.score * share;
    const before = byWords.findIndex(({ score }) => score <= least);
    const until = before === -1 ? tools.length : Math.max(next, before);
    placed.push(...tools.slice(next, until), skill);
    next = Math.min(until, tools.length);
  }
  return [...placed, ...tools.slice(next)];
}

function isToldByTool(told: readonly string[], tools: readonly Hit[]): boolean {
  return tools.slice(0, MAX_RIVALS).some(({ server, tool }) => {
    const said = `${server.name} ${tool.name} ${tool.description.slice(0, MAX_SAID)}`;
    const stems = new Set(toIndexedWords(said).terms.map(({ stem }) => stem));
    return told.every((stem) => stems.has(stem));
  });
}

export function isSkillHit(found: Found): found is SkillHit {
  return "skill" in found;
}

export function isToolHit(found: Found): found is Hit {
  return "tool" in found;
}
