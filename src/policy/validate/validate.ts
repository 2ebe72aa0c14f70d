import type { SecurityLevel } from "../../config/permissions/schema.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { FactPlace, ProgramFacts, RuleHit } from "../program-facts.ts";
import { findRule, type Severity } from "./rules.ts";

export type Finding = FactPlace & {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly fix: string;
};

/** Ways through one function. Ordinary ones have ten, and thirty are seen. */
const MANY_WAYS = 60;
const MANY_LINES = 2_000;
const MAX_SHOWN = 80;

/** What the rules say of a program, at a level, in the words of its language. A finding warns of what a reader should know; the sandbox is the wall. */
export function validate(facts: ProgramFacts, level: SecurityLevel, language?: string): Finding[] {
  const shape: RuleHit[] = [];
  const top = { line: 1, column: 1 };
  if (facts.complexity > MANY_WAYS) shape.push({ rule: "complexity", ...top, what: `${facts.complexity}` });
  if (facts.lines > MANY_LINES) shape.push({ rule: "size", ...top, what: `${facts.lines} lines` });
  return [...facts.hits, ...shape].flatMap(({ rule, line, column, skill, what }) => {
    const known = findRule(rule);
    if (known === undefined) return [];
    const message = what === undefined ? known.message : `${known.message} (${toExcerpt(what, MAX_SHOWN)})`;
    const fix = (language === "python" ? known.pythonFix : undefined) ?? known.fix;
    const place = { line, column, ...(skill !== undefined && { skill }) };
    return [{ rule, severity: known.severity[level], ...place, message, fix }];
  });
}

export function isRefused(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}
