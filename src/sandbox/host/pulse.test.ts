import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPulse } from "./pulse.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("counts the time without an answer as work, and a quick answer as none", () => {
  const ask = vi.fn();
  const pulse = createPulse(ask);
  vi.advanceTimersByTime(60);
  pulse.beat();
  vi.advanceTimersByTime(30);
  expect(pulse.answered()).toBe(true);
  expect(pulse.busyMs()).toBe(0);
  pulse.beat();
  expect(ask).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(60);
  pulse.beat();
  pulse.beat();
  expect(ask).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(pulse.busyMs()).toBe(5000);
  expect(pulse.answered()).toBe(true);
  vi.advanceTimersByTime(5000);
  expect(pulse.busyMs()).toBe(5000);
});

it("knows an answer that nobody asked for", () => {
  expect(createPulse(() => {}).answered()).toBe(false);
});
