import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPostponed } from "./postponed.ts";

function watched(settle: () => void | Promise<void> = () => {}) {
  const done: string[] = [];
  const { add, run } = createPostponed(() => {
    done.push("settled");
    return settle();
  });
  const later = (name: string, work = () => {}) =>
    add(
      () => {
        work();
        done.push(name);
      },
      (error) => done.push(`${name}: ${error instanceof Error ? error.message : ""}`),
    );
  return { done, later, run };
}

describe("what can wait", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const wait = () => vi.advanceTimersByTimeAsync(20);

  it("is done in order, and settled once", async () => {
    const { done, later } = watched();
    later("first");
    later("second");
    expect(done).toEqual([]);
    await wait();
    expect(done).toEqual(["first", "second", "settled"]);
  });

  it("is done before where somebody can't wait, not again, and settled as well", async () => {
    const { done, later, run } = watched();
    later("first");
    run();
    expect(done).toEqual(["first"]);
    await wait();
    expect(done).toEqual(["first", "settled"]);
  });

  it("waits no longer where there is much of it", async () => {
    const { done, later } = watched();
    for (let index = 0; index < 64; index++) later("one");
    await vi.advanceTimersByTimeAsync(0);
    expect(done).toHaveLength(65);
    await wait();
    expect(done).toHaveLength(65);
  });

  it("is not begun by what is being done, and is not lost by what fails", async () => {
    const { done, later, run } = watched();
    later("first", () => {
      run();
      throw new Error("no");
    });
    later("second", () => later("third"));
    await wait();
    await wait();
    expect(done).toEqual(["first: no", "second", "settled", "third", "settled"]);
  });

  it.each([
    [
      "at once",
      () => {
        throw new Error("full");
      },
    ],
    ["later", () => Promise.reject(new Error("full"))],
  ])("fails for all of them where it can't be settled %s", async (_, settle) => {
    const { done, later } = watched(settle);
    later("first");
    later("second", () => {
      throw new Error("no");
    });
    await wait();
    expect(done).toEqual(["first", "second: no", "settled", "first: full"]);
  });
});
