import { type PathStep, parseArgumentPath } from "../../config/permissions/argument-path.ts";
import type { ArgumentCondition } from "../../config/permissions/schema.ts";
import { parseLinearPattern } from "../../text/linear-pattern.ts";
import { collectExact, collectLoose, MAX_VALUES } from "./argument-path-values.ts";
import type { DecisionWork } from "./decision-work.ts";
import type { Strictness } from "./name-pattern.ts";
import { toValueTest } from "./value-test.ts";

/** `unclear`: it can't be told, so a rule that allows does not match, and one that asks or denies does. */
export type Fit = "yes" | "no" | "unclear";

export type ArgumentTest = (args: unknown, work: DecisionWork) => Fit;

/** What a condition is made of, made once. */
type ReadyCondition = { readonly test: ArgumentTest; readonly needed: string | undefined };

const MAX_TOTAL_LENGTH = 65_536;

/**
 * A condition on what stands at a path. A list stands for its elements: to allow, all must fit and none may lack what the path
 * leads to; to ask or deny, one. To allow by `equals`, a list is not its element.
 */
export function toArgumentTest(
  path: string,
  condition: ArgumentCondition,
  strictness: Strictness,
): ReadyCondition {
  const steps = parseArgumentPath(path);
  if (steps === undefined) return { test: () => "unclear", needed: undefined };
  const { matches } = condition;
  const needed = matches === undefined ? undefined : parseLinearPattern(matches).needed;
  return { test: toPathTest(steps, condition, strictness), needed };
}

function toPathTest(
  steps: readonly PathStep[],
  condition: ArgumentCondition,
  strictness: Strictness,
): ArgumentTest {
  const test = toValueTest(condition, strictness);
  return (args, work) => {
    const found = strictness === "exact" ? collectExact(args, steps, work) : collectLoose(args, steps, work);
    if (found === "unclear") return "unclear";
    const values =
      strictness === "loose" ? found.flat(1) : condition.matches === undefined ? found : open(found);
    if (values.length > MAX_VALUES) return "unclear";
    if (values.length === 0) return "no";
    return testAll(values, (value) => test(value, work), strictness);
  };
}

function testAll(values: readonly unknown[], test: (value: unknown) => Fit, strictness: Strictness): Fit {
  let length = 0;
  let isUnclear = false;
  for (const value of values) {
    length += typeof value === "string" ? value.length : 0;
    const fit = length > MAX_TOTAL_LENGTH ? "unclear" : test(value);
    if (strictness === "loose" && fit === "yes") return "yes";
    if (strictness === "exact" && fit !== "yes") return fit;
    isUnclear ||= fit === "unclear";
  }
  if (strictness === "exact") return "yes";
  return isUnclear ? "unclear" : "no";
}

/** An empty one stays: nothing in it fits. */
function open(values: readonly unknown[]): readonly unknown[] {
  return values.flatMap((value) => (Array.isArray(value) && value.length > 0 ? value : [value]));
}
