import type { Decision } from "../../config/permissions/schema.ts";
import { type AskedCall, type CompiledRule, holds } from "./compile-rule.ts";
import { createWork, type DecisionWork } from "./decision-work.ts";

/** One rule that speaks of the tool. */
export type RuleAccount = {
  readonly file: string;
  readonly number: number;
  readonly decision: Decision;
  readonly reason?: string;
  readonly matches: boolean;
  /** Conditions that do not hold. */
  readonly lacks: readonly string[];
  /** Conditions that could not be told; a rule that allows does not match by them, another one does. */
  readonly unclear: readonly string[];
};

/** The rules with the tool's names, up to the first that matches and a few after it. */
export function explainRules(rules: readonly CompiledRule[], call: AskedCall): RuleAccount[] {
  const work = createWork();
  return rules.filter((rule) => rule.isNamed(call.tool)).map((rule) => toAccount(rule, call, work));
}

function toAccount(compiled: CompiledRule, call: AskedCall, work: DecisionWork): RuleAccount {
  const { file, number, decision, rule, conditions } = compiled;
  const tested = conditions.map(({ what, test }) => ({ what, fit: test(call, work) }));
  const lacks = [
    ...compiled.unmetBy(call.tool).map((what) => `when ${what}`),
    ...tested.filter(({ fit }) => !holds(fit, decision)).map(({ what }) => what),
  ];
  return {
    file,
    number,
    decision,
    ...(rule.reason === undefined ? {} : { reason: rule.reason }),
    matches: lacks.length === 0,
    lacks,
    unclear: tested.filter(({ fit }) => fit === "unclear").map(({ what }) => what),
  };
}
