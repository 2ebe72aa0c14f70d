import { describe, expect, it } from "vitest";
import { createLimiter } from "./limiter.ts";

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe("createLimiter", () => {
  it("lets the next one in when one is done or fails, in order", async () => {
    const limit = createLimiter(1);
    const order: number[] = [];
    const first = deferred();
    const tasks = [
      limit(() => first.promise.then(() => Promise.reject(new Error("failed")))),
      limit(async () => order.push(2)),
      limit(async () => order.push(3)),
    ];
    expect(order).toEqual([]);
    first.resolve();
    await expect(tasks[0]).rejects.toThrow("failed");
    await Promise.all(tasks.slice(1));
    expect(order).toEqual([2, 3]);
  });

  it("refuses at once what is already cancelled, and loses no place over it", async () => {
    const limit = createLimiter(1);
    await expect(limit(async () => 1, AbortSignal.abort())).rejects.toMatchObject({ code: "cancelled" });
    expect(await limit(async () => 2)).toBe(2);
  });

  it("passes the place on when somebody in line gives up", async () => {
    const limit = createLimiter(1);
    const first = deferred();
    const running = limit(() => first.promise);
    const controller = new AbortController();
    const quitter = limit(async () => "never", controller.signal);
    const patient = limit(async () => "served");
    controller.abort();
    first.resolve();
    await expect(quitter).rejects.toMatchObject({ code: "cancelled" });
    expect(await patient).toBe("served");
    await running;
  });
});
