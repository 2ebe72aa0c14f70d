import { type PathStep, parseArgumentPath } from "../../config/permissions/argument-path.ts";
import type { ArgumentTest } from "./argument-values.ts";
import { spend } from "./decision-work.ts";

const MAX_LOOKED_AT = 10_000;
const STEPS_A_VALUE = 20;

/** Whether every value of the arguments stands at one of these paths, or below it where the path ends at a list. */
export function toOnlyTest(paths: readonly string[]): ArgumentTest {
  const spoken = paths.flatMap((path) => {
    const steps = parseArgumentPath(path);
    return steps === undefined ? [] : [steps];
  });
  return (args, work) => {
    let looked = 0;
    const open: { value: unknown; left: (readonly PathStep[])[] }[] = [{ value: args, left: spoken }];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (++looked > MAX_LOOKED_AT) return "unclear";
      const { value, left } = at;
      // The whole of it is tested by its own condition.
      if (left.some((steps) => steps.length === 0)) continue;
      if (typeof value !== "object" || value === null) return "no";
      const entries = Object.entries(value);
      if (!spend(work, (1 + entries.length) * (1 + left.length) * STEPS_A_VALUE)) return "unclear";
      if (entries.length === 0 && value !== args) return "no";
      for (const [key, inner] of entries) {
        const next = left.filter(([step]) => isStep(step, key, Array.isArray(value)));
        open.push({ value: inner, left: next.map((steps) => steps.slice(1)) });
      }
    }
    return "yes";
  };
}

function isStep(step: PathStep | undefined, key: string, isList: boolean): boolean {
  if (step === undefined) return false;
  if (step === "*") return true;
  if (step === "[*]") return isList;
  return "key" in step ? !isList && step.key === key : isList && String(step.index) === key;
}
