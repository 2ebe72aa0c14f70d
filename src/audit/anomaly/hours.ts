import { DAY_MS, HOUR_MS } from "./usual.ts";

/** At which hours of the week somebody is about, in UTC: only how they compare matters. Old weeks count less. */
export type UsualHours = {
  add(at: number): void;
  isMature(): boolean;
  /** The share of what was done within two hours of this time of day: on days of the same kind, or on all where those are few. */
  shareAround(at: number): number;
};

const HOURS_OF_WEEK = 7 * 24;
const AROUND = 2;
const DECAY_A_DAY = 0.97;

export function createHours(minCount: number, minDays: number): UsualHours {
  const weights = new Float32Array(HOURS_OF_WEEK);
  let count = 0;
  let days = 0;
  let lastDay = -1;
  let total = 0;
  return {
    add(at) {
      const day = Math.floor(at / DAY_MS);
      if (day > lastDay) {
        const factor = lastDay < 0 ? 1 : DECAY_A_DAY ** Math.min(200, day - lastDay);
        for (let hour = 0; hour < HOURS_OF_WEEK; hour++) weights[hour] = (weights[hour] ?? 0) * factor;
        total *= factor;
        lastDay = day;
        days++;
      }
      const hour = toHourOfWeek(at);
      weights[hour] = (weights[hour] ?? 0) + 1;
      total++;
      count++;
    },
    isMature: () => count >= minCount && days >= minDays,
    shareAround(at) {
      const hourOfDay = toHourOfWeek(at) % 24;
      let near = 0;
      for (let day = 0; day < 7; day++)
        for (let off = -AROUND; off <= AROUND; off++)
          near += weights[day * 24 + ((hourOfDay + off + 24) % 24)] ?? 0;
      return total === 0 ? 1 : near / total;
    },
  };
}

/** 1970 began on a Thursday. */
function toHourOfWeek(at: number): number {
  return Math.floor(at / HOUR_MS + 4 * 24) % HOURS_OF_WEEK;
}
