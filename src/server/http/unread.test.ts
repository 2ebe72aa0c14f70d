import { describe, expect, it } from "vitest";
import { createUnread, type Unread, type UnreadAnswer } from "./unread.ts";

const BOUNDS = {
  maxBytes: 400,
  maxPrincipalBytes: 100,
  maxAnswerBytes: 90,
  minBytesPerSecond: 10,
  patienceMs: 30_000,
};

/** With a clock that the test moves. */
function counted() {
  const clock = { ms: 0 };
  const unread = createUnread({ ...BOUNDS, now: () => clock.ms });
  const closed: string[] = [];
  const begin = (principal: string, name: string) => unread.begin(principal, () => closed.push(name));
  return { clock, unread, closed, begin };
}

/** The same bytes in many answers, each below what one may have. */
function fill(begin: (name: string) => UnreadAnswer, count: number): UnreadAnswer[] {
  return Array.from({ length: count }, (_, n) => {
    const answer = begin(`${n}`);
    answer.add(50);
    return answer;
  });
}

describe("answers that wait to be read", () => {
  it("are counted until they are read or their connection ends", () => {
    const { unread, begin } = counted();
    const [one, two] = [begin("alice", "one"), begin("alice", "two")];
    one.add(60);
    two.add(40);
    expect(unread.bytes()).toBe(100);
    one.take(60);
    two.end();
    two.end();
    two.take(40);
    expect(unread.bytes()).toBe(0);
  });

  it("leave no room for further requests of their principal, and do for others", () => {
    const { unread, begin } = counted();
    fill((name) => begin("alice", name), 3);
    expect(unread.hasRoom("alice")).toBe(false);
    expect(unread.hasRoom("bob")).toBe(true);
  });

  it("give way when there are too many, whoever reads most slowly first", () => {
    const { clock, unread, closed, begin } = counted();
    const [trickled, read] = [begin("alice", "trickled"), begin("alice", "read")];
    trickled.add(50);
    read.add(50);
    clock.ms = 4_000;
    trickled.take(1);
    read.take(40);
    begin("alice", "fresh").add(80);
    expect(closed).toEqual(["trickled"]);
    expect(unread.bytes()).toBe(90);
    expect(unread.hasRoom("alice")).toBe(true);
  });

  it("that have just begun may be twice as many, and never more", () => {
    const { unread, closed, begin } = counted();
    fill((name) => begin("alice", name), 4);
    expect(closed).toEqual([]);
    fill((name) => begin("alice", name), 4);
    expect(closed).toHaveLength(4);
    expect(unread.bytes()).toBe(200);
  });

  it("of the principal with most give way when there are too many in all", () => {
    const { clock, closed, begin } = counted();
    const names = ["a", "b", "c", "d"];
    for (const name of names) begin(name, name).add(90);
    begin("e", "e").add(10);
    clock.ms = 5_000;
    begin("d", "d2").add(5);
    expect(closed).toEqual([]);
    begin("f", "f").add(60);
    expect(closed).toEqual(["d"]);
  });

  it("are ended when one grows without end", () => {
    const { unread, closed, begin } = counted();
    const answer = begin("alice", "endless");
    for (let n = 0; n < 100; n++) answer.add(1);
    expect(closed).toEqual(["endless"]);
    expect(unread.bytes()).toBe(0);
  });

  it("are ended when they are read below the minimum rate for too long, although some of them is read", () => {
    const { clock, unread, closed, begin } = counted();
    const [slow, fast, idle] = [begin("alice", "slow"), begin("bob", "fast"), begin("bob", "idle")];
    idle.add(10);
    idle.take(10);
    const sweepAt = (ms: number, check: Unread) => {
      clock.ms = ms;
      slow.take(1);
      fast.add(50);
      fast.take(50);
      check.endSlow();
    };
    slow.add(80);
    fast.add(10);
    for (let ms = 4_000; ms < 30_000; ms += 4_000) sweepAt(ms, unread);
    expect(closed).toEqual([]);
    sweepAt(36_000, unread);
    expect(closed).toEqual(["slow"]);
  });
});
