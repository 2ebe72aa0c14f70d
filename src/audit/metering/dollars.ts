import type { TokenUse } from "../event.ts";
import type { Price } from "./prices.ts";

/** What tokens cost at list prices. */
export type Dollars = {
  readonly seen: number;
  readonly direct: number;
  /** The direct way less what was seen; below 0 where the detour cost more. */
  readonly avoided: number;
};

export const NO_DOLLARS: Dollars = { seen: 0, direct: 0, avoided: 0 };

const MILLION = 1_000_000;

/**
 * With one run more. The program is the model's output, and its answer is input; where nobody knows which is which, all of it
 * counts as output, which costs more. The direct way counts as input alone, though its arguments are output, too: so what is said
 * to be avoided is at least that.
 */
export function toDollars(
  sum: Dollars,
  { seenTokens, codeTokens = seenTokens, directTokens }: TokenUse,
  { input, output }: Price,
): Dollars {
  const written = Math.min(codeTokens, seenTokens);
  const seen = sum.seen + (written * output + (seenTokens - written) * input) / MILLION;
  const direct = sum.direct + (directTokens * input) / MILLION;
  return { seen, direct, avoided: direct - seen };
}
