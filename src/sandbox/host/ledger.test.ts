import { expect, it } from "vitest";
import { createLedger } from "./ledger.ts";

it("leaves those who come later their part, and each a little in any case", () => {
  const ledger = createLedger(900, 10);
  const taken = Array.from({ length: 10 }, () => {
    const account = ledger.open(10_000);
    let bytes = 0;
    while (account.take(1)) bytes++;
    return bytes;
  });
  expect(taken.slice(0, 3)).toEqual([600, 200, 66]);
  expect(taken.slice(-3)).toEqual([10, 10, 10]);
  expect(ledger.heldBytes).toBeLessThan(900 + 10 * 10);
});

it("gives back what a run held, once", () => {
  const ledger = createLedger(900, 10);
  const [one, other] = [ledger.open(100), ledger.open(10_000)];
  expect([one.take(100), one.take(1), one.isOver(101), one.isOver(100)]).toEqual([true, false, true, false]);
  one.force(50);
  expect(other.take(600)).toBe(false);
  one.give(20);
  one.close();
  one.give(130);
  one.force(1);
  expect(ledger.heldBytes).toBe(0);
  expect(other.take(600)).toBe(true);
});
