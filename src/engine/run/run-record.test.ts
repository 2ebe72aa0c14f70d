import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createReceiptBook } from "../../result/receipt.ts";
import { createSession } from "../../session.ts";
import { loadTokenCounter } from "../../tokens/tokens.ts";
import { createFairQueue } from "./fair-queue.ts";
import { createRun } from "./run-record.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const nothing = () => {};

it("has its clock stand and its slot free while it waits for a person", async () => {
  const queue = createFairQueue({ slots: 1, memoryBytes: 1, availableBytes: () => 0 });
  const request = { code: "", session: createSession({ client: { name: "test" } }) };
  const book = createReceiptBook(await loadTokenCounter(), 0);
  const { signal } = new AbortController();
  const run = createRun({ id: "r_1", request, signal, book, tell: nothing });
  const whose = { principal: "local", session: "s", bytes: 1 };
  let answer = nothing;
  const seen: unknown[] = [];
  const held = queue.run(whose, async (slot) => {
    run.begin(slot);
    run.clock.start();
    vi.advanceTimersByTime(1_000);
    await run.hold(() => new Promise<void>((resolve) => (answer = resolve)));
    seen.push(["goes on", run.status, run.clock.passedMs()]);
  });
  await vi.advanceTimersByTimeAsync(0);
  seen.push([run.status, await queue.run(whose, async () => "another ran")]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  seen.push(run.clock.passedMs());
  answer();
  await held;
  expect(seen).toEqual([["waiting", "another ran"], 1_000, ["goes on", "running", 1_000]]);
});
