import { isOneDigitRepeated, passesLuhn } from "./checksums.ts";
import type { Grouped } from "./digit-groups.ts";
import { HINT } from "./hints.ts";
import type { Judged } from "./judged.ts";

/** First and last of the leading digits, the lengths, and whether the range alone is proof enough beside the checksum. */
type Range = readonly [first: number, last: number, lengths: readonly number[], isDistinct?: boolean];

const RANGES: readonly Range[] = [
  [4, 4, [16, 19], true],
  [4, 4, [13]],
  [51, 55, [16], true],
  [2221, 2720, [16], true],
  [34, 34, [15], true],
  [37, 37, [15], true],
  [300, 305, [14, 16, 19], true],
  [3095, 3095, [14, 16], true],
  [36, 36, [14], true],
  [38, 39, [14, 16], true],
  [3528, 3589, [16], true],
  [3528, 3589, [17, 18, 19]],
  [6011, 6011, [16, 19], true],
  [644, 649, [16, 19], true],
  [65, 65, [16, 19], true],
  [62, 62, [16, 17, 18, 19], true],
  [81, 81, [16, 19], true],
  [60, 60, [16], true],
  [2200, 2204, [16], true],
  [9792, 9792, [16], true],
  [50, 50, [16], true],
  [56, 58, [16], true],
  [63, 63, [16], true],
  [67, 67, [16], true],
  [50, 50, [12, 13, 14, 15, 17, 18, 19]],
  [56, 69, [12, 13, 14, 15, 17, 18, 19]],
  [35, 35, [16]],
  [2131, 2131, [15]],
  [1, 1, [15]],
];

/** An airline's card (UATP) has the airline's number after a 1; ids of other things begin with 1000. */
const AIRLINE_CARD = /^1(?!000)\d{14}$/;

const WRITTEN = /^4([ -])(?:4\1\d+(?:\1\d+){0,2}|6\1[45])$/;

/**
 * Luhn's checksum and an issuer's range; long numbers of other things pass both now and then, and so the word before them
 * counts. `isAlone`: somebody asks about the number; `isWhole`: it is all of a text.
 */
export function judgeCard(
  { digits, shape }: Grouped,
  hint: number,
  isAlone: boolean,
  isWhole: boolean,
): Judged | undefined {
  const { length } = digits;
  if (length < 12 || length > 19) return undefined;
  const isBare = shape.length <= 2;
  if (!isBare && !WRITTEN.test(shape)) return undefined;
  if (!passesLuhn(digits) || isOneDigitRepeated(digits)) return undefined;
  const lead = Number(digits.slice(0, 4));
  const ranges = RANGES.filter(([first, last, lengths]) => {
    const scale = first < 10 ? 1_000 : first < 100 ? 100 : first < 1_000 ? 10 : 1;
    return lead >= first * scale && lead < (last + 1) * scale && lengths.includes(length);
  });
  if (ranges.length === 0) return undefined;
  const isTold = hint === HINT.card;
  if (isBare && hint === HINT.other) return undefined;
  if (!isTold && !isAlone && !ranges.some(([, , , isDistinct]) => isDistinct))
    return isWhole && hint === 0 && AIRLINE_CARD.test(digits)
      ? { class: "CREDIT_CARD", rule: "card-airline", confidence: 0.6 }
      : undefined;
  return { class: "CREDIT_CARD", rule: "card-luhn", confidence: isTold ? 0.99 : isBare ? 0.91 : 0.97 };
}
