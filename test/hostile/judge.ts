import type { Answer } from "./attacker.ts";
import type { Sample } from "./honest-session.ts";
import { toMegabytes } from "./net.ts";

/** Whoever waits longer is not served. How fast it is served is for `bench -- hold` to measure: machines differ. */
export const STUCK_MS = 20_000;
/** Of the largest answers 540 to 620 were seen, as the collector of garbage has it. */
const MAX_GROWTH_BYTES = 700 * 1024 * 1024;

/** How a hostile request may end: `ok`, or the kinds of failure that are right, and what its text must say then. */
export type Expectation = {
  readonly ends: readonly string[];
  readonly says?: RegExp;
  readonly hides?: RegExp;
};

export type Observation = {
  readonly isAlive: boolean;
  readonly fallen?: string;
  readonly honest: readonly Sample[];
  readonly isAnsweredAfterwards: boolean;
  readonly undisturbedMs: number;
  readonly grownBytes: number;
  readonly answers: readonly Answer[];
};

/** What is wrong with what was seen; nothing, when the gateway held. */
export function judge(seen: Observation, expected: Expectation): string[] {
  if (seen.fallen !== undefined) return [`Host: ${seen.fallen}`];
  if (!seen.isAlive) return ["Host: it died"];
  return [
    ...judgeHonest(seen),
    ...judgeMemory(seen),
    ...new Set(seen.answers.flatMap((answer) => judgeAnswer(answer, expected))),
  ];
}

export function slowest(samples: readonly Sample[]): number {
  return Math.max(0, ...samples.map(({ startedAt, endedAt }) => endedAt - startedAt));
}

function judgeHonest({ honest, isAnsweredAfterwards }: Observation): string[] {
  const problems = honest.flatMap(({ what, problem }) =>
    problem === undefined ? [] : [`Other session: its ${what} failed: ${problem}`],
  );
  const waitedMs = slowest(honest);
  if (waitedMs > STUCK_MS) problems.push(`Other session: waited ${waitedMs} ms, allowed ${STUCK_MS} ms`);
  if (!isAnsweredAfterwards) problems.push("Other session: not answered any more after the attack");
  return [...new Set(problems)];
}

function judgeMemory({ grownBytes }: Observation): string[] {
  if (grownBytes <= MAX_GROWTH_BYTES) return [];
  return [
    `Memory: ${toMegabytes(grownBytes)} MB above the start, allowed ${toMegabytes(MAX_GROWTH_BYTES)} MB`,
  ];
}

function judgeAnswer(answer: Answer, { ends, says, hides }: Expectation): string[] {
  if (!answer.came) return [`Answer: none (${answer.why})`];
  const words = JSON.stringify(answer.text.slice(0, 300));
  if (!ends.includes(answer.kind)) return [`Answer: ${answer.kind}, expected ${ends.join(" or ")}: ${words}`];
  if (hides?.test(answer.text)) return [`Answer: it shows what it must not: ${words}`];
  return answer.ok || says === undefined || says.test(answer.text)
    ? []
    : [`Answer: its words say not why: ${words}`];
}
