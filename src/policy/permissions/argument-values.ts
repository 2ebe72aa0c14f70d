import { type PathStep, parseArgumentPath } from "../../config/permissions/argument-path.ts";
import type { ArgumentCondition } from "../../config/permissions/schema.ts";
import { type LinearPattern, parseLinearPattern } from "../../text/linear-pattern.ts";
import { ownValue } from "../../text/own-value.ts";
import type { Strictness } from "./name-pattern.ts";

/** `unclear`: it can't be told, so a rule that allows does not match, and one that asks or denies does. */
export type Fit = "yes" | "no" | "unclear";

export type ArgumentTest = (args: unknown) => Fit;

/** What a condition is made of, made once. */
type ReadyCondition = { readonly test: ArgumentTest; readonly needed: string | undefined };

const MAX_VALUES = 1_000;
const MAX_LENGTH = 4_096;
const MAX_TOTAL_LENGTH = 65_536;

/** A condition on what stands at a path. A list stands for its elements: to allow, all must fit; to ask or deny, one. */
export function toArgumentTest(
  path: string,
  condition: ArgumentCondition,
  strictness: Strictness,
): ReadyCondition {
  const steps = parseArgumentPath(path);
  if (steps === undefined) return { test: () => "unclear", needed: undefined };
  const pattern =
    condition.matches === undefined
      ? undefined
      : parseLinearPattern(condition.matches, { ignoreCase: strictness === "loose" });
  const test = pattern ? toPatternTest(pattern, strictness) : toEqualTest(condition.equals, strictness);
  return { test: toPathTest(steps, test, strictness), needed: pattern?.needed };
}

function toPathTest(
  steps: readonly PathStep[],
  test: (value: unknown) => Fit,
  strictness: Strictness,
): ArgumentTest {
  return (args) => {
    const values = collect(args, steps);
    if (values === undefined) return "unclear";
    if (values.length === 0) return "no";
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
  };
}

/** What a path leads to, lists opened; undefined when that is too much to look at. */
export function collect(args: unknown, steps: readonly PathStep[]): unknown[] | undefined {
  let values: unknown[] = [args];
  for (const step of steps) {
    const next: unknown[] = [];
    for (const value of values) {
      const found = step === "*" ? inside(value) : [toOwn(value, "key" in step ? step.key : step.index)];
      for (const one of found) if (one !== undefined) next.push(one);
      if (next.length > MAX_VALUES) return undefined;
    }
    values = next;
  }
  const opened = values.length === 1 && Array.isArray(values[0]) ? values[0] : values.flat(1);
  return opened.length > MAX_VALUES ? undefined : opened;
}

function inside(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES + 1);
  return typeof value === "object" && value !== null
    ? Object.keys(value)
        .slice(0, MAX_VALUES + 1)
        .map((key) => ownValue(value, key))
    : [];
}

function toOwn(value: unknown, key: string | number): unknown {
  if (typeof key === "number") return Array.isArray(value) ? ownValue(value, String(key)) : undefined;
  return Array.isArray(value) ? undefined : ownValue(value, key);
}

function toEqualTest(equals: ArgumentCondition["equals"], strictness: Strictness): (value: unknown) => Fit {
  if (strictness === "exact") return (value) => (value === equals ? "yes" : "no");
  // Servers take "5" for 5 and "TRUE" for true: what could be the value counts as it.
  const key = toKey(equals);
  return (value) => {
    if (typeof value === "object" && value !== null) return "unclear";
    if (typeof value === "string" && value.length > MAX_LENGTH) return value === equals ? "yes" : "no";
    return toKey(value) === key ? "yes" : "no";
  };
}

export function toKey(value: unknown): string {
  return toPlain(String(value)).toLowerCase();
}

function toPlain(text: string): string {
  return /^[\u0000-\u007f]*$/.test(text) ? text.trim() : text.normalize("NFKC").trim();
}

function toPatternTest(pattern: LinearPattern, strictness: Strictness): (value: unknown) => Fit {
  return (value) => {
    if (value === null || typeof value === "object") return "unclear";
    const text = String(value);
    if (text.length > MAX_LENGTH) return "unclear";
    if (pattern.test(text)) return "yes";
    if (strictness === "exact") return "no";
    const plain = toPlain(text);
    return plain !== text && pattern.test(plain) ? "yes" : "no";
  };
}
