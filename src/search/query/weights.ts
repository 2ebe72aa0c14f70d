/**
 * Every number that ranking depends on. What each is worth, measured by leaving it out, stands in docs/search.md; the
 * figures hardly change when one is moved by a third.
 */
export const WEIGHTS = {
  /** How much a word counts by the field it stands in. The head is the beginning of the description, counted again. */
  name: 3,
  title: 1.5,
  head: 1,
  body: 1,
  server: 1,
  about: 0.5,
  /** How strongly a longer text than the others is damped, and how soon a word's repetition stops counting (BM25F). */
  shortDamping: 0.4,
  longDamping: 0.6,
  saturation: 1,

  /** How much a word counts that stands for the one in the query. */
  form: 0.7,
  abbreviation: 1,
  gloss: 0.8,
  phrase: 0.5,
  synonym: 0.6,
  everyday: 0.5,
  topic: 0.5,
  field: 0.25,
  related: 0.3,
  typo: 0.6,
  compound: 1,
  /** Where the catalogue does not know the word itself, the others stand in: their weights are raised to this power. */
  standIn: 0.6,

  /** Courtesies of a request, generic words of the tool world, and the verb of a mere "show me". */
  courtesy: 0.1,
  generic: 0.5,
  command: 0.3,
  /** How much more a word counts that belongs to what is asked for, rather than to where or how. */
  object: 0.5,
  /** The word exactly as it was written, beside its stem; from so many words on, it fades. */
  surface: 0.35,
  surfaceFade: 3,

  /** How much a tool gains whose whole name the query says, whose verb it says, and whose server it names. */
  coverage: 0.8,
  verb: 0.12,
  mention: 1.4,
  /** What is asked for by its very name comes first. */
  exact: 4,
  /** The gain of a tool that this user calls all the time: enough to settle a near tie. */
  habit: 0.05,
  /** How much the steps of a request count beside the whole, and the shares of its score that make a step a sure one. */
  clause: 0.5,
  clauseFloor: 0.1,
  sureClause: 0.4,
  /** The same two where a request says that it has steps (`;`, lines, numbers, "then"). */
  statedStep: 2,
  statedSure: 0.2,
  /** How much a tool gains for a stated step by what its server has for the others, and how near that must come to the best. */
  together: 1,
  togetherPower: 2,
  /** Of the best score of a step: from here on a tool gains by its company. */
  togetherNear: 0.6,
  /** What scores less than this share of the best is noise: a word in common, no more. */
  cutOff: 0.15,
};

export type Weights = typeof WEIGHTS;
