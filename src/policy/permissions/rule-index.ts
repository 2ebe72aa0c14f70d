import { type PathStep, parseArgumentPath } from "../../config/permissions/argument-path.ts";
import type { ArgumentCondition } from "../../config/permissions/schema.ts";
import { collectLoose } from "./argument-path-values.ts";
import type { AskedCall, CompiledRule } from "./compile-rule.ts";
import type { DecisionWork } from "./decision-work.ts";
import { toLooseName } from "./name-pattern.ts";
import { toKey } from "./value-test.ts";
import { toLooks } from "./words.ts";

/** What must be there for a rule to match: at a path of the arguments, whole or in part, in small letters; or who asks. */
export type RuleHint =
  | { readonly path: string; readonly text: string; readonly isWhole: boolean }
  | { readonly who: Asker; readonly text: string };

type Asker = "principal" | "session" | "client";

const GRAM = 4;
/** Fewer rules than this are as quickly tried. */
const FEW = 8;
/** Of one value, and of all: beyond, all rules are tried. */
const MAX_LENGTH = 256;
const MAX_TOTAL = 4_096;

/** @param needed the longest plain text that a pattern finds nothing without */
export function toHint(
  path: string,
  { equals }: ArgumentCondition,
  needed: string | undefined,
): RuleHint | undefined {
  if (typeof equals === "string") return { path, text: toKey(equals), isWhole: true };
  if (needed === undefined || needed.length < GRAM) return undefined;
  return { path, text: needed.toLowerCase(), isWhole: false };
}

/** @param written without `*` it is one name */
export function toAskerHint(who: Asker, written: string): RuleHint | undefined {
  return written.includes("*") ? undefined : { who, text: toLooseName(written) };
}

/**
 * Of many rules about one tool, those that a call can meet, in their order. Rules are told apart by what must
 * stand in an argument; where that can't be seen at once (long, odd or nested values) all of them are tried.
 */
export function createRuleIndex(
  rules: readonly CompiledRule[],
): (call: AskedCall, work: DecisionWork) => readonly CompiledRule[] {
  const paths = new Map<string, PathIndex>();
  const askers = new Map<Asker, Map<string, number[]>>();
  const always: number[] = [];
  const commonness = countGrams(rules);
  for (const [place, { hint }] of rules.entries()) {
    if (hint && "who" in hint) {
      const names = askers.get(hint.who) ?? new Map<string, number[]>();
      askers.set(hint.who, names);
      add(names, hint.text, place);
      continue;
    }
    const index = hint && (paths.get(hint.path) ?? createPathIndex(hint.path));
    if (!hint || !index) {
      always.push(place);
      continue;
    }
    paths.set(hint.path, index);
    if (hint.isWhole) add(index.wholes, hint.text, place);
    else add(index.grams, rarestGram(hint.text, commonness), place);
  }
  if (rules.length - always.length < FEW) return () => rules;
  const indexes = [...paths.values()];
  const unhinted = pick(rules, always);
  return (call, work) => {
    const found = new Set<number>();
    for (const index of indexes) if (!look(index, call.args, found, work)) return rules;
    for (const [who, names] of askers)
      for (const place of names.get(toLooseName(call[who])) ?? []) found.add(place);
    return found.size === 0
      ? unhinted
      : pick(
          rules,
          merge(
            always,
            [...found].sort((a, b) => a - b),
          ),
        );
  };
}

type PathIndex = {
  readonly steps: readonly PathStep[];
  readonly wholes: Map<string, number[]>;
  readonly grams: Map<string, number[]>;
};

function createPathIndex(path: string): PathIndex | undefined {
  const steps = parseArgumentPath(path);
  return steps && { steps, wholes: new Map(), grams: new Map() };
}

/** Whether all that stands at the path could be looked up. */
function look(
  { steps, wholes, grams }: PathIndex,
  args: unknown,
  found: Set<number>,
  work: DecisionWork,
): boolean {
  const values = collectLoose(args, steps, work);
  if (values === "unclear") return false;
  let total = 0;
  for (const value of values.flat(1)) {
    if (typeof value === "object" || typeof value === "function") return false;
    const text = String(value);
    total += text.length;
    if (text.length > MAX_LENGTH || total > MAX_TOTAL || !isAscii(text)) return false;
    for (const place of wholes.get(toKey(text)) ?? []) found.add(place);
    if (grams.size === 0) continue;
    const small = text.toLowerCase();
    for (const reading of new Set([small, toLooks(small)]))
      for (let at = 0; at + GRAM <= reading.length; at++)
        for (const place of grams.get(reading.slice(at, at + GRAM)) ?? []) found.add(place);
  }
  return true;
}

function countGrams(rules: readonly CompiledRule[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { hint } of rules)
    if (hint && "path" in hint && !hint.isWhole)
      for (const gram of gramsOf(hint.text)) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  return counts;
}

function rarestGram(text: string, counts: ReadonlyMap<string, number>): string {
  return gramsOf(text).reduce((a, b) => ((counts.get(b) ?? 0) < (counts.get(a) ?? 0) ? b : a));
}

function gramsOf(text: string): string[] {
  return Array.from({ length: text.length - GRAM + 1 }, (_, at) => text.slice(at, at + GRAM));
}

function add(map: Map<string, number[]>, key: string, place: number): void {
  const known = map.get(key);
  if (known) known.push(place);
  else map.set(key, [place]);
}

function merge(some: readonly number[], others: readonly number[]): number[] {
  const merged: number[] = [];
  let next = 0;
  for (const one of some) {
    for (let other = others[next]; other !== undefined && other < one; other = others[++next])
      merged.push(other);
    merged.push(one);
  }
  return [...merged, ...others.slice(next)];
}

function pick(rules: readonly CompiledRule[], places: readonly number[]): CompiledRule[] {
  return places.flatMap((place) => rules[place] ?? []);
}

function isAscii(text: string): boolean {
  return /^[\u0000-\u007f]*$/.test(text);
}
