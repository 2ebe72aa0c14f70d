import type { PatternWork } from "../../text/linear-pattern.ts";

/**
 * What one decision may still do. Rules are many and arguments are the program's: together they must not keep the host from
 * everybody else. Once nothing is left, what is not known yet is unclear.
 */
export type DecisionWork = PatternWork & { readonly readings: Map<string, readonly string[]> };

/** In steps of a pattern, of which a hundred take about a microsecond. */
const MOST_STEPS = 3_000_000;

export function createWork(left: number = MOST_STEPS): DecisionWork {
  return { left, readings: new Map() };
}

/** False once there is nothing left. */
export function spend(work: DecisionWork, steps: number): boolean {
  work.left -= steps;
  return work.left >= 0;
}
