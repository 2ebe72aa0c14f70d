import { expect, it } from "vitest";
import { SANDBOX_LIMITS } from "./limits.ts";
import { toOwnLimits } from "./own-limits.ts";

const { wallMs, cpuMs, memoryBytes } = SANDBOX_LIMITS;

it("leaves a run without limits of its own to a process that waits", () => {
  expect(toOwnLimits(SANDBOX_LIMITS)).toEqual({ limits: SANDBOX_LIMITS, needsProcess: false });
});

it("gives CPU time along with time, in a process that was started for it", () => {
  const { limits, needsProcess } = toOwnLimits(SANDBOX_LIMITS, { wallMs: 4 * wallMs });
  expect([limits.wallMs, limits.cpuMs, needsProcess]).toEqual([4 * wallMs, 4 * cpuMs, true]);
});

it("lets a run last as long as its time and its sleep together", () => {
  const hour = 3_600_000;
  expect(toOwnLimits(SANDBOX_LIMITS, { wallMs: hour, sleepMs: hour }).limits.runMs).toBe(2 * hour);
  expect(toOwnLimits(SANDBOX_LIMITS, { wallMs: 10 }).limits.runMs).toBe(SANDBOX_LIMITS.runMs);
});

it("takes no CPU time away with time, so that the time is what is passed", () => {
  const { limits, needsProcess } = toOwnLimits(SANDBOX_LIMITS, { wallMs: 10, calls: 1 });
  expect([limits.cpuMs, limits.calls, needsProcess]).toEqual([cpuMs, 1, false]);
});

it("holds less memory by a process of its own", () => {
  const { limits, needsProcess } = toOwnLimits(SANDBOX_LIMITS, { memoryBytes: memoryBytes / 2 });
  expect([limits.memoryBytes, needsProcess]).toEqual([memoryBytes / 2, true]);
});
