import { createPairCounter } from "./byte-pairs.ts";
import { cutLongRuns } from "./long-runs.ts";
import { loadTokenTable } from "./token-table.ts";

/** What is looked at of one text: about 10 ms of work, 40 ms for the most hostile. Beyond ASCII a character costs more. */
const WINDOWS = 32;
const WINDOW_CHARS = 2000;
const WIDE_WINDOW_CHARS = 500;
const CUT_TOKENS = 3;
/** Two-sided 95% of Student's t with 31 degrees of freedom. */
const T_95 = 2.04;

export type TokenMeasure = {
  readonly tokens: number;
  /** 0 when every character was counted, else half the width of the 95% interval around `tokens`. */
  readonly marginTokens: number;
};

/**
 * Counts in OpenAI's o200k encoding. For other models the number is an estimate: each has an encoding of its own, and not
 * all are published.
 */
export type TokenCounter = {
  /** Every character, however long the text; linear in its length. */
  count(text: string): number;
  /** Bounded work: beyond 64,000 characters (16,000 that are not ASCII) by 32 samples, with the margin stated. */
  measure(text: string): TokenMeasure;
  /** Stops as soon as it knows. */
  isWithin(text: string, limitTokens: number): boolean;
};

let loading: Promise<TokenCounter> | undefined;

/** Loaded at the first call, once (0.05 s, 8 MB): whoever starts up can call it early and not wait. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= load();
  return loading;
}

async function load(): Promise<TokenCounter> {
  // What looks like a special token, "<|endoftext|>" in a result, is text like any other.
  const countPairs = createPairCounter(await loadTokenTable());
  const count = (text: string) => {
    const pieces = cutLongRuns(text);
    return pieces.reduce((sum, piece) => sum + countPairs(piece), toCutCost(pieces));
  };
  const isWithin = (text: string, limitTokens: number) => {
    const pieces = cutLongRuns(text);
    let left = limitTokens - toCutCost(pieces);
    for (const piece of pieces) {
      if (left < 0) return false;
      left -= countPairs(piece, left);
    }
    return left >= 0;
  };
  return { count, measure: (text) => measure(text, count), isWithin };
}

/** The encoder merges greedily, so a whole can take a token or two more than its pieces: of "lala…" two for each cut. */
function toCutCost(pieces: readonly string[]): number {
  return CUT_TOKENS * (pieces.length - 1);
}

function measure(text: string, count: (text: string) => number): TokenMeasure {
  if (text.length <= WINDOWS * WIDE_WINDOW_CHARS) return { tokens: count(text), marginTokens: 0 };
  const windowChars = isWide(text) ? WIDE_WINDOW_CHARS : WINDOW_CHARS;
  if (text.length <= WINDOWS * windowChars) return { tokens: count(text), marginTokens: 0 };
  const rates = toWindows(text, WINDOWS, windowChars).map((window) => count(window) / window.length);
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / (rates.length - 1);
  const marginRate = T_95 * Math.sqrt(variance / rates.length);
  return { tokens: Math.round(mean * text.length), marginTokens: Math.ceil(marginRate * text.length) };
}

function isWide(text: string): boolean {
  const sample = toWindows(text, WINDOWS, WIDE_WINDOW_CHARS).join("");
  return Buffer.byteLength(sample) > 1.25 * sample.length;
}

/**
 * One window in each of equally long stretches, at a place that looks random and is always the same: data that repeats
 * with the stretches can't fool it, and the same text has the same number.
 */
export function toWindows(text: string, windows: number, chars: number): string[] {
  const stretch = Math.floor(text.length / windows);
  const room = Math.max(1, stretch - chars);
  let seed = 1;
  return Array.from({ length: windows }, (_, index) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const start = index * stretch + (seed % room);
    return text.slice(start, start + Math.min(chars, stretch));
  });
}
