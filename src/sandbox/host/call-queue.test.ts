import { describe, expect, it } from "vitest";
import { createServerQueue } from "../server-queue.ts";
import { type CallStart, createCallQueue } from "./call-queue.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** One program whose calls end when they are told to. */
function program() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  let wakeUps = 0;
  const start = (name: string): CallStart => {
    started.push(name);
    return new Promise((resolve) => ends.set(name, resolve));
  };
  const queue = createCallQueue(start, () => {
    wakeUps++;
  });
  return {
    queue,
    started,
    wakeUps: () => wakeUps,
    startAll() {
      while (queue.startNext());
      return started;
    },
    async end(name: string) {
      ends.get(name)?.();
      await turn();
    },
  };
}

describe("the calls of a program that wait", () => {
  it("run so many of a server at once, in order, and servers beside each other", async () => {
    const [a, b, c] = [createServerQueue(2), createServerQueue(2), createServerQueue(2)];
    const { queue, startAll, end, wakeUps } = program();
    for (const name of ["a1", "a2", "a3", "a4"]) queue.add(a, name);
    queue.add(b, "b1");
    expect(queue.isBusy(a)).toBe(true);
    expect(startAll().toSorted()).toEqual(["a1", "a2", "b1"]);
    expect([queue.isBusy(a), queue.isBusy(b), queue.isBusy(c)]).toEqual([true, false, false]);
    expect(wakeUps()).toBe(0);
    await end("a1");
    expect(wakeUps()).toBeGreaterThan(0);
    expect(startAll().slice(3)).toEqual(["a3"]);
  });

  it("are asked again when they were blocked, and forgotten when they were skipped", () => {
    let answer: CallStart = "blocked";
    const asked: string[] = [];
    const server = createServerQueue(8);
    const queue = createCallQueue(
      (name: string) => {
        asked.push(name);
        return answer;
      },
      () => {},
    );
    queue.add(server, "first");
    queue.add(server, "second");
    expect(queue.startNext()).toBe(false);
    answer = "skipped";
    while (queue.startNext());
    expect(asked).toEqual(["first", "first", "second"]);
    expect(queue.isBusy(server)).toBe(false);
  });

  it("take turns with those of other programs, for one call each", async () => {
    const server = createServerQueue(2);
    const [greedy, modest] = [program(), program()];
    for (let n = 0; n < 100; n++) greedy.queue.add(server, `g${n}`);
    greedy.startAll();
    modest.queue.add(server, "m0");
    modest.queue.add(server, "m1");
    modest.startAll();
    expect([greedy.started.length, modest.started.length]).toEqual([2, 0]);
    for (const name of ["g0", "g1", "g2", "g3"]) {
      await greedy.end(name);
      modest.startAll();
      greedy.startAll();
    }
    expect([greedy.started, modest.started]).toEqual([
      ["g0", "g1", "g2", "g3"],
      ["m0", "m1"],
    ]);
  });

  it("keep no other from its room when they are blocked", async () => {
    const server = createServerQueue(1);
    const stuck = createCallQueue(
      (): CallStart => "blocked",
      () => {},
    );
    const [first, other] = [program(), program()];
    first.queue.add(server, "f");
    first.startAll();
    stuck.add(server, "s");
    stuck.startNext();
    other.queue.add(server, "o");
    other.startAll();
    await first.end("f");
    stuck.startNext();
    expect(other.startAll()).toEqual(["o"]);
  });

  it("give up their turn with their program, and calls under way their room when they end", async () => {
    const server = createServerQueue(1);
    const [first, gone, last] = [program(), program(), program()];
    for (const { queue, startAll } of [first, gone, last]) {
      queue.add(server, "call");
      queue.add(server, "more");
      startAll();
    }
    first.queue.end();
    await first.end("call");
    gone.queue.end();
    expect(last.startAll()).toEqual(["call"]);
    expect([first.started, gone.started]).toEqual([["call"], []]);
  });
});
