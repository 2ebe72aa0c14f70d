import { MAX_SUBJECTS } from "./anomaly.ts";
import { createRecentMap } from "./recent-map.ts";
import { DAY_MS } from "./usual.ts";

/**
 * How often somebody does one thing in one session, day by day. What was done on two earlier days, and as often, is a habit,
 * also where it was told as an anomaly then.
 */
export type Habits = {
  /**
   * One more of it; tells how often a session has done it before today at most, and on how many days.
   * @param least so often a day counts as one on which it was much
   */
  add(key: string, timesInSession: number, at: number, least: number): Habit;
};

export type Habit = {
  readonly peakBefore: number;
  readonly daysBefore: number;
  /** Days before on which it was much. */
  readonly muchBefore: number;
};

const HABIT_DAYS = 2;

/** How often it must be done to be told: what was much on earlier days, and was told then, only when it is twice as much. */
export function toLeast({ peakBefore, muchBefore }: Habit, least: number): number {
  return muchBefore >= HABIT_DAYS && peakBefore >= least ? Math.floor(2 * peakBefore) + 1 : least;
}

/** What earlier days had of it, in words. */
export function toBeforeText({ daysBefore, peakBefore }: Habit): string {
  if (daysBefore === 0) return "this principal has never done so before";
  return `on earlier days at most ${Math.max(1, Math.round(peakBefore))}`;
}

type Kept = { day: number; days: number; muchDays: number; peak: number; peakToday: number; isMuch: boolean };

export function createHabits(max = MAX_SUBJECTS): Habits {
  const kept = createRecentMap<Kept>(max, () => ({
    day: -1,
    days: 0,
    muchDays: 0,
    peak: 0,
    peakToday: 0,
    isMuch: false,
  }));
  return {
    add(key, timesInSession, at, least) {
      const habit = kept.of(key);
      const day = Math.floor(at / DAY_MS);
      if (day > habit.day) {
        if (habit.day >= 0) {
          habit.days++;
          if (habit.isMuch) habit.muchDays++;
          // What was not done again in weeks is a habit no more.
          habit.peak = Math.max(habit.peakToday, habit.peak * 0.5 ** ((day - habit.day) / 14));
        }
        habit.day = day;
        habit.peakToday = 0;
        habit.isMuch = false;
      }
      if (timesInSession >= least) habit.isMuch = true;
      habit.peakToday = Math.max(habit.peakToday, timesInSession);
      return { peakBefore: habit.peak, daysBefore: habit.days, muchBefore: habit.muchDays };
    },
  };
}
