import { type Limits, toLimit } from "../limits.ts";
import type { RunError } from "../sandbox.ts";
import { createWallClock, type WallClock } from "../wall-clock.ts";

/** Divides a run's time into the program's own, the time it slept, and the time it waited for calls. */
export type RunClock = {
  start(): void;
  /** While a call is open only the whole counts: the call has a time-out of its own. */
  setWaiting(isWaiting: boolean): void;
  /**
   * Says which limit has been passed. `busyMs` is how long the process has been at work since the start; `toWaitedMs` how
   * long it could have been, had others not had the CPU.
   */
  check(busyMs: number, toWaitedMs?: () => number): RunError | undefined;
};

type TimeLimits = Pick<Limits, "wallMs" | "sleepMs" | "runMs">;

/** @param whole can be paused by whoever made it */
export function createRunClock(limits: TimeLimits, whole: WallClock): RunClock {
  const free = createWallClock();
  return {
    start() {
      whole.start();
      free.start();
    },
    setWaiting(isWaiting) {
      if (isWaiting) free.pause();
      else free.resume();
    },
    check(busyMs, toWaitedMs = () => 0) {
      const freeMs = free.passedMs();
      const ownMs = Math.min(freeMs, busyMs);
      const sleptMs = freeMs - ownMs;
      if (ownMs > limits.wallMs) return over(limits.wallMs, ownMs, OWN_TIME);
      if (sleptMs > limits.sleepMs && sleptMs - toWaitedMs() > limits.sleepMs)
        return over(limits.sleepMs, sleptMs, SLEEP);
      if (whole.passedMs() > limits.runMs) return over(limits.runMs, whole.passedMs(), WHOLE_RUN);
      return undefined;
    },
  };
}

type Words = (allowed: string, used: string) => { message: string; hint: string };

const OWN_TIME: Words = (allowed, used) => ({
  message: `The program went over its limit of own time, waiting not counted: ${used} used, ${allowed} allowed`,
  hint: "Look for an endless loop, do less in one program, or raise maxExecutionTime",
});

const SLEEP: Words = (allowed) => ({
  message: `Only timers were left for ${allowed}: does one, or a loop that sleeps, never end?`,
  hint: "End it when its work is done, wait for less, or raise maxSleepTime",
});

const WHOLE_RUN: Words = (allowed) => ({
  message: `The run took longer than ${allowed}, the longest that a run can take with all its calls`,
  hint: "Split the work over several programs",
});

function over(allowed: number, used: number, words: Words): RunError {
  return { kind: "timeout", ...words(toText(allowed), toText(used)), limit: toLimit(allowed, used, "ms") };
}

function toText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 120_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 6000) / 10} minutes`;
}
