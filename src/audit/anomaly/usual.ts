import { createQuantile } from "./quantile.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How much something usually is: mean and spread (of logarithms, since sizes and counts are spread that way), quantiles, the highest. */
export type Usual = {
  add(value: number, at: number): void;
  /** Whether it has been seen often enough, and on enough days, to be spoken of. */
  isMature(): boolean;
  /** What is beyond this is a spike: many times the highest of late, and far outside the spread. */
  ceiling(factor: number): number;
  /** From the middle to nearly the highest. */
  range(): readonly [number, number];
};

const WEIGHT = 0.05;
/** The highest of late counts half after so many days. */
const PEAK_HALF_LIFE_DAYS = 14;
const DEVIATIONS = 5;

export function createUsual(minCount: number, minDays: number): Usual {
  const middle = createQuantile(0.5);
  const most = createQuantile(0.98);
  let count = 0;
  let days = 0;
  let lastDay = -1;
  let mean = 0;
  let variance = 0;
  let peak = 0;
  return {
    add(value, at) {
      const logarithm = Math.log1p(Math.max(0, value));
      // The first ones weigh as in an ordinary mean.
      const weight = Math.max(WEIGHT, 1 / (count + 1));
      const off = logarithm - mean;
      mean += weight * off;
      variance = (1 - weight) * (variance + weight * off * off);
      middle.add(value);
      most.add(value);
      count++;
      const day = Math.floor(at / DAY_MS);
      if (day > lastDay) {
        if (lastDay >= 0) peak *= 2 ** (-(day - lastDay) / PEAK_HALF_LIFE_DAYS);
        lastDay = day;
        days++;
      }
      if (value > peak) peak = value;
    },
    isMature: () => count >= minCount && days >= minDays,
    ceiling: (factor) => Math.max(factor * peak, Math.expm1(mean + DEVIATIONS * Math.sqrt(variance))),
    range: () => [middle.value(), Math.max(middle.value(), most.value())],
  };
}
