import { createUsual, type Usual } from "./usual.ts";

/**
 * What comes together in spans of time of the same length, such as calls a minute; the spans in which nothing was done are
 * not counted. Sums up live, and what was usual stands beside it.
 */
export type SpanTotal = {
  /** Adds to the span of this time, and tells its sum so far. */
  add(amount: number, at: number): number;
  readonly usual: Usual;
  /** The events of this span, the last few. */
  readonly events: string[];
};

export function createSpanTotal(
  spanMs: number,
  maturity: { readonly count: number; readonly days: number },
): SpanTotal {
  const usual = createUsual(maturity.count, maturity.days);
  const events: string[] = [];
  let span = -1;
  let sum = 0;
  return {
    add(amount, at) {
      const now = Math.floor(at / spanMs);
      if (now > span) {
        if (span >= 0) usual.add(sum, span * spanMs);
        span = now;
        sum = 0;
        events.length = 0;
      }
      sum += amount;
      return sum;
    },
    usual,
    events,
  };
}
