import type { Expectation } from "../judge.ts";

/** One attack by programs: what is sent, how often at once, and how it may end. */
export type ProgramCase = Expectation & {
  readonly name: string;
  /** Made when it is needed: some are large. */
  readonly code: () => string;
  readonly copies?: number;
};

/** The ways in which a program is refused before it runs, or ended by a limit. */
export const REFUSED = ["syntax", "import", "types", "too_large"];
export const LIMITS = ["timeout", "cpu", "memory", "output", "calls", "frame", "disk"];
/** The program itself meets the error, and does not catch it. */
export const THROWN = ["exception", "tool_error"];

/** The words of an error that tells how much is too much. */
export const TOO_MUCH =
  /limit|at most|more than|deeper than|allowed|too (?:much|many|large|long|deep|big|complex|costly|slow)|over its/i;

/** The place of a mistake, or how much is too much. */
export const NAMES_A_PLACE = /line \d+|\d+:\d+|limit|too |more than|at most/i;

/** A text that is no program is that, whatever it costs to find out; a mistake in it is named with its place, or the cost. */
export const NO_PROGRAM: Expectation = { ends: [...REFUSED, ...LIMITS], says: NAMES_A_PLACE };

/** A program that is large but right may run, or be refused for its size. */
export const FINE_OR_TOO_MUCH: Expectation = {
  // Denied: what is made of signs alone is refused for that.
  ends: ["ok", "too_large", "denied", ...LIMITS, "types", "syntax"],
  says: NAMES_A_PLACE,
};
