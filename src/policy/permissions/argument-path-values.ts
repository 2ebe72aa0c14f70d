import type { PathStep } from "../../config/permissions/argument-path.ts";
import { ownValue } from "../../text/own-value.ts";
import { type DecisionWork, spend } from "./decision-work.ts";
import { toLooks } from "./words.ts";

/** More than this is not looked at. */
export const MAX_VALUES = 1_000;
const STEPS_A_KEY = 10;
const STEPS_A_LETTER = 4;

/** What a path leads to, everything as the path says: none at all where one of many has nothing there. */
export function collectExact(
  args: unknown,
  steps: readonly PathStep[],
  work: DecisionWork,
): unknown[] | "unclear" {
  let values: unknown[] = [args];
  for (const step of steps) {
    const next: unknown[] = [];
    for (const value of values) {
      const found = exactStep(value, step);
      if (found.length === 0 || found.includes(undefined)) return [];
      for (const one of found) next.push(one);
      if (next.length > MAX_VALUES || !spend(work, 1 + found.length)) return "unclear";
    }
    values = next;
  }
  return values;
}

function exactStep(value: unknown, step: PathStep): unknown[] {
  if (step === "*") return inside(value);
  if (step === "[*]") return Array.isArray(value) ? inside(value) : [];
  if ("index" in step) return Array.isArray(value) ? [ownValue(value, String(step.index))] : [];
  return Array.isArray(value) ? [] : [ownValue(value, step.key)];
}

/**
 * What a server might take for what the path leads to: a list for each of its elements, one thing for a list of it, a key in
 * another case (Go's JSON reads it so). A text that looks like JSON can't be told: some servers parse it.
 */
export function collectLoose(
  args: unknown,
  steps: readonly PathStep[],
  work: DecisionWork,
): unknown[] | "unclear" {
  let values: unknown[] = [args];
  for (const [at, step] of steps.entries()) {
    const opened = typeof step === "object" && "key" in step ? openAll(values) : values;
    if (opened === "unclear") return "unclear";
    const next: unknown[] = [];
    if (!spend(work, opened.length)) return "unclear";
    for (const value of opened) {
      if (typeof value === "string" && looksLikeJson(value)) return "unclear";
      if (typeof value === "object" && value !== null && !spend(work, weigh(value))) return "unclear";
      for (const one of looseStep(value, step, at === steps.length - 1))
        if (one !== undefined) next.push(one);
      if (next.length > MAX_VALUES) return "unclear";
    }
    values = next;
  }
  return values;
}

/** Its keys are read, in more than one spelling; those of a list are not. */
function weigh(value: object): number {
  if (Array.isArray(value)) return Math.min(value.length, MAX_VALUES);
  return Object.keys(value).reduce((sum, key) => sum + STEPS_A_KEY + key.length * STEPS_A_LETTER, 0);
}

/** A text that goes on and on before it begins can be anything. */
function looksLikeJson(text: string): boolean {
  const start = text.slice(0, MAX_VALUES).trimStart();
  return start === "" ? text.length > MAX_VALUES : /^[[{]/.test(start);
}

function looseStep(value: unknown, step: PathStep, isLast: boolean): unknown[] {
  const isObject = typeof value === "object" && value !== null;
  if (step === "*" || step === "[*]") {
    if (!isObject) return [value];
    return Array.isArray(value) || isLast ? inside(value) : [value, ...inside(value)];
  }
  if ("key" in step) return isObject ? byKey(value, step.key) : [];
  if (Array.isArray(value)) return [ownValue(value, String(step.index))];
  return isObject ? [] : [value];
}

/** Lists in lists, too. */
function openAll(values: readonly unknown[]): unknown[] | "unclear" {
  const opened: unknown[] = [];
  const left = [...values];
  for (let looked = 0; left.length > 0; looked++) {
    if (looked > MAX_VALUES || left.length > MAX_VALUES) return "unclear";
    const value = left.pop();
    if (Array.isArray(value)) for (const one of inside(value)) left.push(one);
    else opened.push(value);
  }
  return opened;
}

function byKey(value: object, key: string): unknown[] {
  const keys = Object.keys(value);
  // Too many to be told apart: the object itself stands for what is in it, and that can't be told.
  if (keys.length > MAX_VALUES) return [value];
  const meant = foldKey(key);
  return keys.filter((one) => one === key || foldKey(one) === meant).map((one) => ownValue(value, one));
}

function foldKey(key: string): string {
  return toLooks(key.toLowerCase());
}

function inside(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES + 1);
  return typeof value === "object" && value !== null
    ? Object.keys(value)
        .slice(0, MAX_VALUES + 1)
        .map((key) => ownValue(value, key))
    : [];
}
