import { type TokenCounter, type TokenMeasure, toWindows } from "../tokens/tokens.ts";

/** Characters of a run that are counted with care: some 0.1 s of work in all, in steps of 10 ms. */
const CAREFUL_CHARS = 500_000;
const COARSE_WINDOWS = 4;
const COARSE_CHARS = 250;
const COARSE_FROM = COARSE_WINDOWS * COARSE_CHARS;
/** After this many characters nothing more is looked at: the rate so far is taken. */
const LOOKED_AT_CHARS = 1_000_000;
/** What the careful sample of one text looks at. */
const SAMPLE_CHARS = 64_000;

export type TokenMeter = {
  add(text: string): TokenMeasure;
};

/**
 * Measures many texts with bounded work for all of them together, by their length and not by the clock, so the same run
 * has the same numbers. A coarse number has the whole of itself as margin when nothing of the text was looked at.
 */
export function createTokenMeter(counter: TokenCounter): TokenMeter {
  let looked = 0;
  let tokensLooked = 0;
  const note = (chars: number, tokens: number) => {
    looked += chars;
    tokensLooked += tokens;
  };
  return {
    add(text) {
      if (looked < CAREFUL_CHARS || (text.length <= COARSE_FROM && looked < LOOKED_AT_CHARS)) {
        const measure = counter.measure(text);
        const chars = Math.min(text.length, SAMPLE_CHARS);
        note(chars, text.length === 0 ? 0 : (measure.tokens * chars) / text.length);
        return measure;
      }
      if (looked < LOOKED_AT_CHARS) {
        const rates = toWindows(text, COARSE_WINDOWS, COARSE_CHARS).map(
          (window) => counter.count(window) / Math.max(1, window.length),
        );
        const rate = rates.reduce((sum, one) => sum + one, 0) / rates.length;
        note(COARSE_FROM, rate * COARSE_FROM);
        const spread = Math.max(...rates) - Math.min(...rates);
        return { tokens: Math.round(rate * text.length), marginTokens: Math.ceil(spread * text.length) };
      }
      const tokens = Math.round((tokensLooked / looked) * text.length);
      return { tokens, marginTokens: tokens };
    },
  };
}
