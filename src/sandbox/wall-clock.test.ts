import { afterEach, describe, expect, it, vi } from "vitest";
import { createWallClock } from "./wall-clock.ts";

describe("the wall clock", () => {
  afterEach(() => vi.useRealTimers());

  it("does not run while it is paused, and each pause wants its resume", () => {
    vi.useFakeTimers();
    const clock = createWallClock();
    clock.start();
    vi.advanceTimersByTime(600);
    clock.pause();
    clock.pause();
    vi.advanceTimersByTime(10_000);
    clock.resume();
    vi.advanceTimersByTime(10_000);
    expect(clock.passedMs()).toBe(600);
    clock.resume();
    vi.advanceTimersByTime(399);
    expect(clock.passedMs()).toBe(999);
  });

  it("can be paused before it starts, and needs a start to run", () => {
    vi.useFakeTimers();
    const clock = createWallClock();
    vi.advanceTimersByTime(5000);
    clock.pause();
    clock.start();
    vi.advanceTimersByTime(5000);
    expect(clock.passedMs()).toBe(0);
    clock.resume();
    vi.advanceTimersByTime(5000);
    expect(clock.passedMs()).toBe(5000);
  });
});
