import { expect, it } from "vitest";
import { followAbort, unfollowAbort } from "./on-abort.ts";

it("tells all that still follow a signal, by one listener", () => {
  const stop = new AbortController();
  let listeners = 0;
  const { signal } = stop;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  const told: string[] = [];
  const follow = (name: string) => {
    const onAbort = () => {
      told.push(name);
      unfollowAbort(signal, onAbort);
    };
    followAbort(signal, onAbort);
    return onAbort;
  };
  follow("one");
  unfollowAbort(signal, follow("two"));
  follow("three");
  stop.abort();
  expect(told).toEqual(["one", "three"]);
  expect(listeners).toBe(1);
});
