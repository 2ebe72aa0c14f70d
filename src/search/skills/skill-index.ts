import { foldName } from "../../catalog/name-index.ts";
import type { Work } from "../../text/slices.ts";
import type { SearchableSkill } from "../answer.ts";
import { toIndexedWords, type Words } from "../index/documents.ts";
import { createSpeller } from "../index/speller.ts";
import { agreement } from "../lexicon/verbs.ts";
import { createQueryReader } from "../query/query.ts";
import { createScorer } from "../query/scorer.ts";
import { createSkillPostings } from "./skill-postings.ts";
import { SKILL_WEIGHTS, type SkillWeights } from "./skill-weights.ts";
import { type SkillWords, toSkillWords } from "./skill-words.ts";

export type SkillHit = {
  readonly skill: SearchableSkill;
  readonly score: number;
  /** The words of the query, where the skill's name or description says them all and hardly anything else. */
  readonly told?: readonly string[];
};

export type SkillIndex = {
  /** Makes it the index of these skills: only what differs is read. */
  hold(skills: readonly SearchableSkill[]): Work<void>;
  /** Skills that match, best first. */
  rank(query: string): SkillHit[];
};

type Document = { readonly skill: SearchableSkill; readonly folded: string; readonly words: SkillWords };

const MAX_QUERY = 2_000;
/** Of the words of a name or description, those that a query must have for it to be what the query says. */
const TOLD_SHARE = 0.8;

export function createSkillIndex(changed: Partial<SkillWeights> = {}): SkillIndex {
  const weights = { ...SKILL_WEIGHTS, ...changed };
  const documents: (Document | undefined)[] = [];
  const places = new Map<string, number>();
  const free: number[] = [];
  const postings = createSkillPostings(weights);
  let held: readonly SearchableSkill[] = [];
  let speller: ((word: string) => string[]) | undefined;
  const readQuery = createQueryReader(postings, (word) => toSpeller()(word), weights);
  const score = createScorer(postings);

  function toSpeller(): (word: string) => string[] {
    speller ??= createSpeller(
      new Set(documents.flatMap((one) => one?.words.name.terms.map(({ stem }) => stem) ?? [])),
    );
    return speller;
  }

  function takeOut(name: string, at: number): void {
    postings.put(at, undefined);
    documents[at] = undefined;
    places.delete(name);
    free.push(at);
  }

  function putIn(skill: SearchableSkill): void {
    const at = places.get(skill.name) ?? free.pop() ?? documents.length;
    const words = toSkillWords(skill);
    postings.put(at, words);
    documents[at] = { skill, folded: foldName(skill.name), words };
    places.set(skill.name, at);
  }

  function* keepTo(there: ReadonlySet<string>): Work<void> {
    for (const [name, at] of [...places]) {
      if (there.has(name)) continue;
      takeOut(name, at);
      yield;
    }
  }

  return {
    *hold(skills) {
      if (skills === held) return;
      for (const skill of skills) {
        const at = places.get(skill.name);
        const known = at === undefined ? undefined : documents[at];
        if (known?.skill === skill) continue;
        if (at !== undefined && known?.skill.stamp === skill.stamp) documents[at] = { ...known, skill };
        else {
          putIn(skill);
          yield;
        }
      }
      // Those that are gone are looked for where there are more than there should be.
      if (places.size > skills.length) yield* keepTo(new Set(skills.map(({ name }) => name)));
      speller = undefined;
      held = skills;
    },
    rank(text) {
      const query = readQuery(text.slice(0, MAX_QUERY));
      const { scores, covered } = score(query, documents.length);
      const asked = foldName(text);
      const wanted = [...new Set(toIndexedWords(text.slice(0, MAX_QUERY)).terms.map(({ stem }) => stem))];
      const hits = documents.flatMap((document, at): SkillHit[] => {
        const own = scores[at] ?? 0;
        if (document === undefined || own === 0) return [];
        const { skill, folded, words } = document;
        const verb = query.verb === undefined ? 0 : agreement(query.verb, words.verbs);
        const gain =
          (1 + weights.coverage * Math.min(1, covered[at] ?? 0)) *
          (1 + weights.verb * verb) *
          (folded === asked ? weights.exact : 1);
        const isTold = [words.name, words.description].some((said) => tells(said, wanted));
        return [{ skill, score: own * gain, ...(isTold && { told: wanted }) }];
      });
      const sorted = hits.sort((a, b) => b.score - a.score);
      const least = (sorted[0]?.score ?? 0) * weights.cutOff;
      return sorted.filter((hit) => hit.score >= least);
    },
  };
}

/** One word is said by many. */
function tells({ terms }: Words, wanted: readonly string[]): boolean {
  if (wanted.length < 2 || terms.length > wanted.length / TOLD_SHARE) return false;
  const said = new Set(terms.map(({ stem }) => stem));
  return wanted.every((stem) => said.has(stem)) && wanted.length >= said.size * TOLD_SHARE;
}
