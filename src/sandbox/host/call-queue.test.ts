import { describe, expect, it } from "vitest";
import { createCallQueue, type Started } from "./call-queue.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the queue of calls", () => {
  it("runs so many of a lane at once, in order, and lanes beside each other", async () => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    let isReady = false;
    const start = (name: string): Started => {
      started.push(name);
      return new Promise((resolve) => ends.push(resolve));
    };
    const queue = createCallQueue(2, start, () => {
      isReady = true;
    });
    const startAll = () => {
      while (queue.startNext());
      return started;
    };
    for (const name of ["a1", "a2", "a3", "a4"]) queue.add("a", name);
    queue.add("b", "b1");
    expect(queue.isBusy("a")).toBe(true);
    expect(startAll().toSorted()).toEqual(["a1", "a2", "b1"]);
    expect([queue.isBusy("a"), queue.isBusy("b"), queue.isBusy("c")]).toEqual([true, false, false]);
    expect(isReady).toBe(false);
    ends[0]?.();
    await turn();
    expect(isReady).toBe(true);
    expect(startAll().slice(3)).toEqual(["a3"]);
  });

  it("asks a call that was blocked again, and forgets one that was skipped", () => {
    let answer: Started = "blocked";
    const asked: string[] = [];
    const start = (name: string) => {
      asked.push(name);
      return answer;
    };
    const queue = createCallQueue(8, start, () => {});
    queue.add("a", "first");
    queue.add("a", "second");
    expect(queue.startNext()).toBe(false);
    answer = "skipped";
    while (queue.startNext());
    expect(asked).toEqual(["first", "first", "second"]);
    expect(queue.isBusy("a")).toBe(false);
  });
});
