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

async function open(slots: number) {
  const queue = createFairQueue({ slots, memoryBytes: 1, availableBytes: () => 0 });
  const book = createReceiptBook(await loadTokenCounter(), () => 0);
  const { signal } = new AbortController();
  const request = { code: "", session: createSession({ client: { name: "test" } }) };
  const whose = { principal: "local", session: "s", bytes: 1 };
  let answer = nothing;

  /** A run that goes on for a second, and then waits for the answer. */
  function startHeld(id = "r_1") {
    const run = createRun({ id, request, signal, book, tell: nothing });
    const ended = queue.run(whose, async (slot) => {
      run.begin(slot);
      run.clock.start();
      vi.advanceTimersByTime(1_000);
      await run.hold(() => new Promise<void>((resolve) => (answer = resolve)));
      return [run.status, run.clock.passedMs()];
    });
    return { run, ended };
  }
  return { queue, whose, startHeld, answer: () => answer() };
}

it("has its clock stand and its slot free while it waits for something", async () => {
  const { queue, whose, startHeld, answer } = await open(1);
  const { run, ended } = startHeld();
  await vi.advanceTimersByTimeAsync(0);
  expect([run.status, await queue.run(whose, async () => "another ran")]).toEqual(["waiting", "another ran"]);
  await vi.advanceTimersByTimeAsync(3_000_000);
  expect(run.clock.passedMs()).toBe(1_000);
  answer();
  expect(await ended).toEqual(["running", 1_000]);
});

it("has its clock go on after an hour of standing: what never comes is waited for until the limit", async () => {
  const { startHeld, answer } = await open(1);
  const { run, ended } = startHeld();
  await vi.advanceTimersByTimeAsync(3 * 3_600_000);
  expect(run.clock.passedMs()).toBe(1_000 + 2 * 3_600_000);
  answer();
  await ended;
});

it("has its clock go on while it keeps its slot, since so many gave theirs back already", async () => {
  const { startHeld } = await open(9);
  const runs = Array.from({ length: 9 }, (_, at) => startHeld(`r_${at}`).run);
  await vi.advanceTimersByTimeAsync(0);
  const before = runs.map(({ clock }) => clock.passedMs());
  await vi.advanceTimersByTimeAsync(60_000);
  const passed = runs.map(({ clock }, at) => clock.passedMs() - (before[at] ?? 0));
  expect(passed.sort((a, b) => a - b)).toEqual([...Array(8).fill(0), 60_000]);
});
