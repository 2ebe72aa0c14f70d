import { expect, it } from "vitest";
import { createHostTurns } from "./turns.ts";

const round = () => new Promise((resolve) => setImmediate(resolve));

it("lets the event loop go round between two turns", async () => {
  const turns = createHostTurns(0);
  let worked = 0;
  const turn = turns.join(() => ++worked < 5);
  turn.request();
  let rounds = 0;
  while (worked < 5) {
    await round();
    rounds++;
    expect(worked).toBeLessThanOrEqual(rounds);
  }
  expect(turn.isWaiting).toBe(false);
});

it("gives the next turn to whoever has had the least, and counts what was spent elsewhere", async () => {
  const turns = createHostTurns(0);
  const order: string[] = [];
  const join = (name: string, times: number) => {
    let left = times;
    return turns.join(() => {
      order.push(name);
      return --left > 0;
    });
  };
  const flood = join("flood", 3);
  flood.charge(1e6);
  const honest = join("honest", 2);
  const gone = join("gone", 1);
  for (const turn of [flood, honest, gone]) turn.request();
  gone.leave();
  while (order.length < 5) await round();
  expect(order).toEqual(["honest", "honest", "flood", "flood", "flood"]);
  expect(flood.spentMs).toBeGreaterThanOrEqual(1e6);
});
