import { describe, expect, it } from "vitest";
import { createReceiveBudget } from "./receive-budget.ts";

const never = () => expect.unreachable();

describe("a budget of what is received", () => {
  it("lets wait who does not fit, and in the order they came", async () => {
    const budget = createReceiveBudget(100);
    const first = budget.reserve(60, never);
    const second = budget.reserve(60, never);
    const third = budget.reserve(30, never);
    expect(first.granted).toBeUndefined();
    const order: number[] = [];
    const waited = [second, third].map(({ granted }, at) => granted?.then(() => order.push(at)));
    first.release();
    await Promise.all(waited);
    expect(order).toEqual([0, 1]);
  });

  it("gives one message at a time to who may send more than all of it", () => {
    const budget = createReceiveBudget(100);
    const large = budget.reserve(500, never);
    const small = budget.reserve(1, never);
    expect([large.granted, small.granted]).toEqual([undefined, expect.any(Promise)]);
    // Whoever waited longer would have the first one told.
    small.release();
    large.release();
  });

  it("forgets who gave up waiting", () => {
    const budget = createReceiveBudget(100);
    const first = budget.reserve(100, never);
    budget.reserve(100, never).release();
    first.release();
    expect(budget.reserve(100, never).granted).toBeUndefined();
  });

  it("tells the one who holds it longest to give it back when others have waited", async () => {
    const budget = createReceiveBudget(100, 1);
    const slow = budget.reserve(100, () => slow.release());
    await budget.reserve(100, never).granted;
  });
});
