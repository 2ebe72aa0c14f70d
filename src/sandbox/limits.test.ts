import { afterEach, describe, expect, it, vi } from "vitest";
import { createWallClock, limitError } from "./limits.ts";

describe("the wall clock", () => {
  afterEach(() => vi.useRealTimers());

  it("does not run while it is paused, and each pause wants its resume", () => {
    vi.useFakeTimers();
    const over = vi.fn();
    const clock = createWallClock(1000);
    clock.start(over);
    vi.advanceTimersByTime(600);
    clock.pause();
    clock.pause();
    vi.advanceTimersByTime(10_000);
    clock.resume();
    vi.advanceTimersByTime(10_000);
    expect(clock.usedMs()).toBe(600);
    clock.resume();
    vi.advanceTimersByTime(399);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledOnce();
  });

  it("can be paused before it starts, and stops for good", () => {
    vi.useFakeTimers();
    const over = vi.fn();
    const clock = createWallClock(1000);
    clock.pause();
    const stop = clock.start(over);
    vi.advanceTimersByTime(5000);
    clock.resume();
    stop();
    vi.advanceTimersByTime(5000);
    expect(over).not.toHaveBeenCalled();
  });
});

describe("the error of a limit", () => {
  it("says what was allowed and what was used", () => {
    expect(limitError("memory", 512 * 1024 * 1024, 530 * 1024 * 1024)).toMatchObject({
      kind: "memory",
      message: "The program went over its limit of memory: 530 MB used, 512 MB allowed",
    });
  });
});
