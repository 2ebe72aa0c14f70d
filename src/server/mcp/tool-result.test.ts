import { expect, it } from "vitest";
import type { WaitingRun } from "../../engine/engine.ts";
import { EMPTY_RECEIPT } from "../../result/receipt.ts";
import { toRunResult } from "./tool-result.ts";

it.each([
  ["logs", { logs: [{ level: "info", text: "x".repeat(1e6) }] }],
  ["a receipt", { receipt: { ...EMPTY_RECEIPT, phasesMs: { ["x".repeat(1e6)]: 1 } } }],
] as const)("what a run waits for is told however large its %s", (_what, large) => {
  const waits = [{ kind: "run", runId: "r_1" }] as const;
  const run: WaitingRun = {
    runId: "r_1",
    ok: false,
    status: "waiting",
    for: waits,
    logs: [],
    calls: [],
    emitted: [],
    receipt: EMPTY_RECEIPT,
    text: "so far",
    ...large,
  };
  expect(toRunResult(run)).toMatchObject({
    isError: false,
    _meta: { "keyhole/result": { runId: "r_1", status: "waiting", for: waits, omitted: expect.any(Array) } },
  });
});
