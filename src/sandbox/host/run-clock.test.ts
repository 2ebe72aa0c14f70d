import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createWallClock } from "../wall-clock.ts";
import { createRunClock } from "./run-clock.ts";

const limits = { wallMs: 30_000, sleepMs: 600_000, runMs: 3_600_000 };

describe("a run's clock", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function started() {
    const whole = createWallClock();
    const clock = createRunClock(limits, whole);
    clock.start();
    return { clock, whole };
  }

  it("counts what the process worked as the program's own time", () => {
    const { clock } = started();
    vi.advanceTimersByTime(30_001);
    expect(clock.check(29_000)).toBeUndefined();
    expect(clock.check(30_001)).toMatchObject({
      kind: "timeout",
      message: expect.stringContaining("own time, waiting not counted: 30 s used, 30 s allowed"),
      hint: expect.stringContaining("maxExecutionTime"),
    });
  });

  it("takes no more for own time than has passed, however many cores were at work", () => {
    const { clock } = started();
    vi.advanceTimersByTime(20_000);
    expect(clock.check(80_000)).toBeUndefined();
  });

  it("takes no program that others kept from running for one that sleeps", () => {
    const { clock } = started();
    vi.advanceTimersByTime(600_100);
    expect(clock.check(50, () => 400_000)).toBeUndefined();
    expect(clock.check(50, () => 10)).toMatchObject({ kind: "timeout" });
  });

  it("lets a polling loop sleep, and tells an interval that is never cleared", () => {
    const { clock } = started();
    vi.advanceTimersByTime(100_000);
    expect(clock.check(50)).toBeUndefined();
    vi.advanceTimersByTime(500_100);
    expect(clock.check(50)).toMatchObject({
      kind: "timeout",
      message: "Only timers were left for 10 minutes: does one, or a loop that sleeps, never end?",
      hint: expect.stringContaining("maxSleepTime"),
      limit: { allowed: 600_000, unit: "ms" },
    });
  });

  it("counts no waiting for calls, until the whole run has taken too long", () => {
    const { clock } = started();
    clock.setWaiting(true);
    vi.advanceTimersByTime(3_599_000);
    expect(clock.check(20_000)).toBeUndefined();
    vi.advanceTimersByTime(2_000);
    expect(clock.check(20_000)).toMatchObject({ message: expect.stringContaining("longer than 60 minutes") });
  });

  it("stands still while its owner has paused it", () => {
    const { clock, whole } = started();
    clock.setWaiting(true);
    whole.pause();
    vi.advanceTimersByTime(10_000_000);
    expect(clock.check(0)).toBeUndefined();
    whole.resume();
    clock.setWaiting(false);
    vi.advanceTimersByTime(29_000);
    expect(clock.check(29_000)).toBeUndefined();
  });
});
