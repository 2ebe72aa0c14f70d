import { finishInSlices } from "../../text/slices.ts";
import type { SearchableSkill } from "../answer.ts";
import { createSkillIndex, type SkillHit } from "./skill-index.ts";

export type SkillShelf = {
  /** Of these skills those that match, best first. Nothing of the order comes from any other. */
  rank(query: string, skills: readonly SearchableSkill[], onWork?: (ms: number) => void): Promise<SkillHit[]>;
};

/**
 * One index for everybody. Before each search it is made that of the skills which the asker may see; what differs from one asker to
 * the next is little.
 */
export function createSkillShelf(): SkillShelf {
  const index = createSkillIndex();
  let last: Promise<unknown> = Promise.resolve();

  return {
    rank(query, skills, onWork = () => {}) {
      const found = last.then(async () => {
        await finishInSlices(index.hold(skills), { onSlice: onWork });
        const startedAt = performance.now();
        const hits = index.rank(query);
        onWork(performance.now() - startedAt);
        return hits;
      });
      last = found.catch(() => {});
      return found;
    },
  };
}
