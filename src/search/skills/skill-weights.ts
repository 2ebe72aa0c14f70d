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
  name: 0.5,
  description: 2.8,
  tags: 3,
  exports: 0.3,
  notes: 1,
  tools: 1,
  body: 0.5,
  names: 0.3,
  comments: 0.2,
  texts: 0.2,

  synonym: 0.84,
  phrase: 0.7,
  field: 0.125,
  related: 0.6,
  coverage: 0.4,
  generic: 0.7,
};

export type SkillWeights = typeof SKILL_WEIGHTS;
