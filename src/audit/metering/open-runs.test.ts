import { expect, it } from "vitest";
import { createOpenRuns } from "./open-runs.ts";

it("knows the runs that began and did not end, also one that waited and went on", () => {
  const open = createOpenRuns();
  const steps = [
    ["run.started", "r1", "e1"],
    ["run.started", "r2", "e2"],
    ["run.ended", "r1", "e3"],
    ["call.ended", "r3", "e4"],
    ["run.started", "r1", "e5"],
  ] as const;
  for (const [action, run, id] of steps) open.see({ action, run, id });
  expect(open.count).toBe(2);
  open.see({ action: "run.ended", run: "r1", id: "e6" });
  expect(open.count).toBe(1);
  for (let index = 0; index < 30_000; index++)
    open.see({ action: "run.started", run: `x${index}`, id: `x${index}` });
  expect(open.count).toBe(30_001);
});
