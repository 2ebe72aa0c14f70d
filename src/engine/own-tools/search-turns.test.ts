import { expect, it } from "vitest";
import { createSearchQueue, createSearchTurns } from "./search-turns.ts";

it("makes the searches of one asker one after the other, and those of others beside them", async () => {
  const inTurn = createSearchQueue(createSearchTurns());
  const order: string[] = [];
  const search = (asker: string, n: number) =>
    inTurn(asker, async () => {
      order.push(`${asker}${n}`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${asker}${n} done`);
    });
  await Promise.all([search("a", 1), search("a", 2), search("a", 3), search("b", 1)]);
  const ofOne = order.filter((entry) => entry.startsWith("a"));
  expect(ofOne).toEqual(["a1", "a1 done", "a2", "a2 done", "a3", "a3 done"]);
  expect(order.indexOf("b1")).toBeLessThan(order.indexOf("a2"));
});

it("goes on after a search that failed", async () => {
  const inTurn = createSearchQueue(createSearchTurns());
  const failed = inTurn("a", () => Promise.reject(new Error("no")));
  const next = inTurn("a", async () => "found");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("found");
});
