import { WEIGHTS } from "../query/weights.ts";
import type { SkillField } from "./skill-words.ts";

/** How many words a field has that is neither damped nor raised. */
export const USUAL_LENGTHS: Readonly<Record<SkillField, number>> = {
  name: 3,
  description: 15,
  tags: 3,
  exports: 3,
  notes: 10,
  tools: 6,
  body: 60,
  names: 60,
  comments: 15,
  texts: 20,
};

/** What differs from the weights of tools (`query/weights.ts`). */
export const SKILL_WEIGHTS = {
  ...WEIGHTS,
  description: 2,
  tags: 1.5,
  exports: 1,
  notes: 1,
  tools: 1,
  body: 0.5,
  names: 0.3,
  comments: 0.5,
  texts: 0.3,
};

export type SkillWeights = typeof SKILL_WEIGHTS;
