import type { PiiClass } from "../../../pii-classes.ts";
import type { PiiFinding } from "../finding.ts";
import { TAKEN, type Tokens } from "./tokens.ts";
import { NAMED } from "./word-flags.ts";

/** What was found so far in a piece of text. What one rule took, no later one sees. */
export type Claims = {
  readonly findings: PiiFinding[];
  take(found: PiiClass, from: number, to: number, rule: string, confidence: number): void;
};

export function createClaims(tokens: Tokens): Claims {
  const findings: PiiFinding[] = [];
  return {
    findings,
    take(found, from, to, rule, confidence) {
      if (to <= from) return;
      for (let index = from; index < to; index++) if (tokens.kinds[index] === TAKEN) return;
      findings.push({
        class: found,
        start: tokens.starts[from] as number,
        end: tokens.ends[to - 1] as number,
        rule,
        confidence,
      });
      for (let index = from; index < to; index++) {
        tokens.kinds[index] = TAKEN;
        if (found === "NAME") tokens.flags[index] = (tokens.flags[index] as number) | NAMED;
      }
    },
  };
}
