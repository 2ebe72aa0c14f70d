import { describe, expect, it } from "vitest";
import { createCallQueue } from "./call-queue.ts";

describe("the queue of calls", () => {
  it("runs so many of a server at once, in order, and servers beside each other", async () => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const queue = createCallQueue(2, () => true);
    const add = (server: string, name: string) =>
      queue.add(server, () => {
        started.push(name);
        return new Promise((resolve) => ends.push(resolve));
      });
    for (const name of ["a1", "a2", "a3", "a4"]) add("a", name);
    add("b", "b1");
    expect(started).toEqual(["a1", "a2", "b1"]);
    ends[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("starts nothing while it may not, and looks again when woken", () => {
    let mayStart = false;
    let started = 0;
    const queue = createCallQueue(8, () => mayStart);
    queue.add("a", async () => {
      started++;
    });
    expect(started).toBe(0);
    mayStart = true;
    queue.wake();
    expect(started).toBe(1);
  });
});
