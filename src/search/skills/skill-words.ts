import type { SearchableSkill } from "../answer.ts";
import { toIndexedWords, type Words } from "../index/documents.ts";
import { type VerbClass, verbOf } from "../lexicon/verbs.ts";
import { toCodeTexts } from "./code-texts.ts";

export const SKILL_FIELDS = [
  "name",
  "description",
  "tags",
  "exports",
  "notes",
  "tools",
  "body",
  "names",
  "comments",
  "texts",
] as const;
export type SkillField = (typeof SKILL_FIELDS)[number];

/** A skill as words. */
export type SkillWords = Readonly<Record<SkillField, Words>> & { readonly verbs: readonly VerbClass[] };

/** What a skill is for stands at the beginning of each of its texts. */
const MAX = {
  name: 64,
  description: 1_024,
  tags: 500,
  exports: 500,
  notes: 2_000,
  tools: 1_000,
  body: 4_000,
  code: 8_000,
};

export function toSkillWords(skill: SearchableSkill): SkillWords {
  const { exports, tools, tags } = skill;
  const { names, comments, texts } = toCodeTexts(skill.code.slice(0, MAX.code), skill.language);
  const name = toIndexedWords(skill.name.slice(0, MAX.name));
  const description = toIndexedWords(skill.description.slice(0, MAX.description));
  const join = (words: readonly string[], most: number) => toIndexedWords(words.join(", ").slice(0, most));
  return {
    name,
    description,
    tags: join(tags, MAX.tags),
    exports: join(
      exports.map((one) => one.name),
      MAX.exports,
    ),
    notes: join(
      exports.flatMap((one) => one.description ?? []),
      MAX.notes,
    ),
    tools: join(
      tools.map(({ server, tool }) => `${server} ${tool}`),
      MAX.tools,
    ),
    body: toIndexedWords(skill.body.slice(0, MAX.body)),
    names: toIndexedWords(names),
    comments: toIndexedWords(comments),
    texts: toIndexedWords(texts),
    verbs: [...name.terms, ...description.terms.slice(0, 1)].flatMap(({ surface }) => verbOf(surface) ?? []),
  };
}
