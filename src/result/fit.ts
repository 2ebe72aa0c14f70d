import type { TokenCounter } from "../tokens/tokens.ts";
import { toCountText } from "./number-text.ts";
import { sliceEnd, sliceStart } from "./safe-text.ts";

/** No text this long is worth counting: ordinary text has 3 to 5 characters a token. */
const MAX_CHARS_PER_TOKEN = 12;

export function toMaxChars(budgetTokens: number): number {
  return budgetTokens * MAX_CHARS_PER_TOKEN;
}

export function isWithin(text: string, budgetTokens: number, counter: TokenCounter): boolean {
  // A token is at least one byte, a UTF-16 unit at most three of them.
  if (text.length * 3 <= budgetTokens) return true;
  return text.length <= toMaxChars(budgetTokens) && counter.isWithin(text, budgetTokens);
}

/**
 * The text of the highest level, of `0` to `levels - 1`, that is within the budget. Halves the range at each step, so a
 * level that is too long though a higher one would fit is never a fault, only a little less shown.
 */
export function findLargest(
  levels: number,
  render: (level: number) => string,
  budgetTokens: number,
  counter: TokenCounter,
): string | undefined {
  let best: string | undefined;
  let low = 0;
  let high = levels - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const text = render(middle);
    if (isWithin(text, budgetTokens, counter)) {
      best = text;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return best;
}

/** Start and end of a text, as much as fits, with the number of characters between them; `total` if the text itself was cut. */
export function cutMiddle(
  text: string,
  budgetTokens: number,
  counter: TokenCounter,
  total = text.length,
): string {
  if (isWithin(text, budgetTokens, counter)) return text;
  const most = Math.min(text.length - 1, toMaxChars(budgetTokens));
  const render = (chars: number) => {
    const end = sliceEnd(text, Math.floor(chars / 3));
    const start = sliceStart(text, chars - Math.floor(chars / 3));
    return `${start}…${toCountText(total - start.length - end.length)} characters left out…${end}`;
  };
  return findLargest(most + 1, render, budgetTokens, counter) ?? "";
}

/** The start of a text, as much as fits. */
export function cutEnd(text: string, budgetTokens: number, counter: TokenCounter): string {
  if (isWithin(text, budgetTokens, counter)) return text;
  const most = Math.min(text.length - 1, toMaxChars(budgetTokens));
  const render = (chars: number) => `${sliceStart(text, chars)}…`;
  return findLargest(most + 1, render, budgetTokens, counter) ?? "";
}
