import { expect, it } from "vitest";
import { probeLimits } from "./probe.ts";
import { TRIALS } from "./probe-trials.ts";
import type { RunOutcome, Sandbox } from "./sandbox.ts";

const MACHINE = { fix: "Fix it", isWalled: true, cores: "whole" } as const;
const USED = { wallMs: 1, calls: 0, outputBytes: 0 };
const ended = (kind: "cpu" | "memory" | "output"): RunOutcome => ({
  ok: false,
  error: { kind, message: "", limit: { allowed: 1, used: 2, unit: "ms" } },
  used: USED,
});

/** All limits are held there, but programs get to them after so much CPU time. */
async function probeSlow(reachedAfterMs: number) {
  const { trials } = TRIALS.deno;
  const run: Sandbox["run"] = async ({ code }, _host, { limits } = {}) => {
    const kind = trials.find((trial) => trial.code === code)?.kinds[0];
    if (kind === "timeout" || (limits?.cpuMs ?? 0) < reachedAfterMs) return ended("cpu");
    if (kind === "memory" || kind === "output") return ended(kind);
    return { ok: true, value: true, used: USED };
  };
  return probeLimits({ run }, MACHINE, "deno");
}

it("gives programs more time where they are too slow to get to a limit", async () => {
  expect((await probeSlow(30_000)).filter(({ holds }) => !holds)).toEqual([]);
});

it("says of a limit that no program got to neither that it holds nor that it doesn't, nor what to do", async () => {
  const open = (await probeSlow(1e9)).filter(({ holds }) => !holds);
  expect(open.map(({ name }) => name)).toEqual(
    TRIALS.deno.trials.filter(({ kinds }) => !kinds.includes("cpu")).map(({ name }) => name),
  );
  const seen = "ended by cpu before it got there";
  for (const { name, ...report } of open) expect(report).toEqual({ holds: false, isUnknown: true, seen });
});

it("says how to get a limit that does not hold", async () => {
  const run = async () => ({ ok: true, value: false, used: USED }) as const;
  const [heap] = await probeLimits({ run }, MACHINE, "deno");
  expect(heap).toEqual({ name: "heap", holds: false, seen: "not refused", fix: "Fix it" });
});
