import { describe, expect, it } from "vitest";
import { settleAll } from "./settle-all.ts";

const never = new Promise<void>(() => {});

describe("settleAll", () => {
  it("waits for every task, and no failure stops it", async () => {
    let done = 0;
    const tasks = [1, 2, 3].map(async (n) => {
      await new Promise((resolve) => setImmediate(resolve));
      done++;
      if (n === 2) throw new Error("failed");
    });
    await settleAll(tasks);
    expect(done).toBe(3);
  });

  it("stops waiting for silent ones once another has settled and the patience is over", async () => {
    let isSettled = false;
    const quick = Promise.resolve().then(() => {
      isSettled = true;
    });
    const outcome = settleAll([quick, never], () => 5).then(() => "gave up");
    expect(await Promise.race([outcome, never])).toBe("gave up");
    expect(isSettled).toBe(true);
  });

  it("asks for patience with the time that passed", async () => {
    const asked: number[] = [];
    await settleAll([Promise.resolve(), never], (elapsedMs) => {
      asked.push(elapsedMs);
      return 0;
    });
    expect(asked).toEqual([expect.any(Number)]);
  });
});
