import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFairQueue, type FairQueueOptions } from "./fair-queue.ts";

const MIB = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue whose programs run until they are ended by name; `running` has the names of those that do. */
function queueOf(options: Partial<FairQueueOptions> = {}) {
  const queue = createFairQueue({
    slots: 2,
    memoryBytes: MIB,
    availableBytes: () => Number.POSITIVE_INFINITY,
    ...options,
  });
  const ends = new Map<string, () => void>();
  const settled = () => vi.advanceTimersByTimeAsync(0);
  return {
    queue,
    running: () => [...ends.keys()],
    start: (name: string, session: string, principal = "local", signal?: AbortSignal, bytes = 1) => {
      const run = queue.run(
        { principal, session, bytes },
        () => new Promise<void>((resolve) => ends.set(name, resolve)),
        signal,
      );
      run.catch(() => {});
      return run;
    },
    async end(name: string) {
      await settled();
      ends.get(name)?.();
      ends.delete(name);
      await settled();
    },
    settled,
  };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe("whose turn is next", () => {
  it("within a session is first come, first served", async () => {
    const { start, end, running, settled } = queueOf({ slots: 1 });
    for (const name of ["a", "b", "c"]) start(name, "one");
    await settled();
    expect(running()).toEqual(["a"]);
    await end("a");
    expect(running()).toEqual(["b"]);
    await end("b");
    expect(running()).toEqual(["c"]);
  });

  it("is the session's that has used less of late, however many programs another has", async () => {
    const { start, end, running } = queueOf({ slots: 1, availableBytes: () => 0 });
    start("long", "greedy");
    await vi.advanceTimersByTimeAsync(10_000);
    for (const name of names("g", 3)) start(name, "greedy");
    for (const name of names("m", 2)) start(name, "modest");
    await end("long");
    expect(running()).toEqual(["m0"]);
    await end("m0");
    expect(running()).toEqual(["m1"]);
    await end("m1");
    expect(running()).toEqual(["g0"]);
  });

  it("is the principal's that has used less, however many sessions another has", async () => {
    const { start, end, running } = queueOf({ slots: 1, availableBytes: () => 0 });
    start("m", "m", "mallory");
    await vi.advanceTimersByTimeAsync(5_000);
    for (const name of names("s", 20)) start(name, name, "mallory");
    start("h1", "h", "honest");
    start("h2", "h", "honest");
    await end("m");
    expect(running()).toEqual(["h1"]);
    await end("h1");
    expect(running()).toEqual(["h2"]);
    await end("h2");
    expect(running()).toEqual(["s0"]);
  });

  it("comes for everybody, whoever else arrives", async () => {
    const { start, end, running } = queueOf({ slots: 1, availableBytes: () => 0 });
    start("long", "heavy");
    await vi.advanceTimersByTimeAsync(20_000);
    start("patient", "heavy");
    await end("long");
    await end("patient");
    start("busy0", "new0");
    start("patient again", "heavy");
    let turns = 0;
    while (!running().includes("patient again")) {
      turns++;
      start(`busy${turns}`, `new${turns}`);
      await vi.advanceTimersByTimeAsync(1_000);
      await end(`busy${turns - 1}`);
    }
    expect(turns).toBeGreaterThan(5);
    expect(turns).toBeLessThan(40);
  });
});

describe("places beyond the slots", () => {
  it("are for sessions with none running", async () => {
    const { start, running, settled } = queueOf();
    for (const name of names("a", 4)) start(name, "a");
    for (const name of names("b", 2)) start(name, "b");
    await settled();
    expect(running()).toEqual(["a0", "a1", "b0"]);
  });

  it("are filled by new programs a few at a time, and some are left for sessions whose programs are short", async () => {
    const { start, end, running, settled } = queueOf();
    start("known", "known");
    await end("known");
    for (const name of names("s", 100)) start(name, name);
    await settled();
    expect(running()).toHaveLength(2 + 2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(running()).toHaveLength(2 + 32);
    start("known again", "known");
    await settled();
    expect(running()).toContain("known again");
    for (const name of names("k", 5)) start(name, "known");
    start("unknown", "unknown");
    await settled();
    expect(running()).toHaveLength(2 + 32 + 1);
  });

  it("are left for short programs also after one of them took long", async () => {
    const { start, end, running, settled } = queueOf();
    for (const name of names("known", 3)) {
      start(name, "known");
      await end(name);
    }
    start("slow", "known");
    await vi.advanceTimersByTimeAsync(20_000);
    await end("slow");
    for (const name of names("s", 100)) start(name, name);
    await vi.advanceTimersByTimeAsync(60_000);
    start("known again", "known");
    await settled();
    expect(running()).toContain("known again");
  });

  it("are left for principals with none running, whatever the sessions of others take", async () => {
    const { start, end, running, settled } = queueOf();
    for (const name of names("short", 100)) {
      start(name, name);
      await end(name);
    }
    for (const name of names("short", 100)) start(`${name} again`, name);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(running()).toHaveLength(2 + 32 + 4);
    for (const name of names("p", 6)) for (const at of ["1", "2"]) start(`${name} ${at}`, at, name);
    await settled();
    expect(running().filter((name) => name.startsWith("p"))).toEqual(
      names("p", 4).map((name) => `${name} 1`),
    );
  });

  it("are given only while there is memory for one more, and as soon as there is", async () => {
    let available = 0;
    const { start, running, settled } = queueOf({ availableBytes: () => available });
    for (const name of names("s", 5)) start(name, name);
    await settled();
    expect(running()).toEqual(["s0", "s1"]);
    available = 3 * MIB;
    await vi.advanceTimersByTimeAsync(100);
    expect(running()).toEqual(["s0", "s1", "s2"]);
  });
});

it("a program is told to leave the CPU to others unless its session's programs are short", async () => {
  const queue = createFairQueue({ slots: 1, memoryBytes: MIB });
  const told: unknown[] = [];
  const start = (session: string, tookMs: number) =>
    queue.run({ principal: "local", session, bytes: 1 }, async ({ yieldsCpu }) => {
      told.push([session, yieldsCpu]);
      await new Promise((resolve) => setTimeout(resolve, tookMs));
    });
  await Promise.all([start("short", 10), vi.advanceTimersByTimeAsync(10)]);
  const all = [start("long", 20_000), start("unknown", 10), start("short", 10)];
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all([...all, start("long", 1), vi.advanceTimersByTimeAsync(1)]);
  expect(told).toEqual([
    ["short", false],
    ["long", false],
    ["unknown", true],
    ["short", false],
    ["long", true],
  ]);
});

describe("waiting", () => {
  it("is for so many programs of a session, and the next is refused at once while the others keep their turns", async () => {
    const { start, end, running, settled } = queueOf({ slots: 1 });
    for (const name of names("a", 257)) start(name, "a");
    await expect(start("refused", "a")).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("256 programs of this session"),
      hint: expect.stringContaining("again"),
    });
    start("other", "b");
    await settled();
    expect(running()).toEqual(["a0", "other"]);
    for (const name of names("a", 257)) await end(name);
    expect(running()).toEqual(["other"]);
  });

  it("is for so many programs of a principal, and so many in all", async () => {
    const { start, running, settled } = queueOf({ slots: 1, availableBytes: () => 0 });
    const fill = (principal: string) =>
      Promise.allSettled(names("x", 1_200).map((name) => expectRefusal(start(name, name, principal))));
    let refused = 0;
    const expectRefusal = async (run: Promise<void>) => run.catch(() => refused++);
    for (const principal of names("p", 4)) void fill(principal);
    await settled();
    expect(refused).toBe(4 * (1_200 - 1_024) - 1);
    await expect(start("one more", "s", "other")).rejects.toMatchObject({ code: "too_large" });
    expect(running()).toHaveLength(1);
  });

  it("is for so many bytes of programs", async () => {
    const { start } = queueOf({ slots: 1 });
    start("running", "a");
    for (const name of names("a", 16)) start(name, "a", "local", undefined, 4 * MIB);
    await expect(start("more", "b", "local", undefined, 1)).rejects.toMatchObject({ code: "too_large" });
    await expect(start("more", "b", "local", undefined, 1)).rejects.toThrow(/64 MB/);
  });

  it("ends at once when it is cancelled, and leaves nothing behind", async () => {
    const { start, end, running, settled } = queueOf({ slots: 1, availableBytes: () => 0 });
    start("first", "a");
    const stop = new AbortController();
    const cancelled = names("c", 256).map((name) => start(name, "a", "local", stop.signal));
    stop.abort();
    for (const run of cancelled) await expect(run).rejects.toMatchObject({ code: "cancelled" });
    await expect(start("late", "a", "local", stop.signal)).rejects.toMatchObject({ code: "cancelled" });
    for (const name of names("b", 256)) start(name, "a");
    await settled();
    await end("first");
    expect(running()).toEqual(["b0"]);
  });

  it("is over for the next when a program failed", async () => {
    const queue = createFairQueue({ slots: 1, memoryBytes: MIB, availableBytes: () => 0 });
    const whose = { principal: "local", session: "a", bytes: 1 };
    const failing = queue.run(whose, () => Promise.reject(new Error("no")));
    const next = queue.run(whose, async () => "next");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("next");
  });
});

describe("a program that waits for something", () => {
  /** Programs of one session that hold their slots until they are told to go on. */
  function holding(slots = 1) {
    const { queue, settled } = queueOf({ slots, availableBytes: () => 0 });
    const steps: string[] = [];
    const goOn = new Map<string, () => void>();
    const start = (name: string, session = "one", holds = true, signal?: AbortSignal) =>
      queue.run(
        { principal: "local", session, bytes: 1 },
        async (slot) => {
          steps.push(`${name} starts`);
          if (holds) await slot.hold(() => new Promise<void>((resolve) => goOn.set(name, resolve)));
          else await new Promise<void>((resolve) => goOn.set(name, resolve));
          steps.push(`${name} ends`);
        },
        signal,
      );
    const release = async (name: string) => {
      goOn.get(name)?.();
      await settled();
    };
    return { start, release, steps, settled };
  }

  it("leaves its slot to others, and goes on when its turn has come again, before others of its session", async () => {
    const { start, release, steps, settled } = holding();
    const first = start("held");
    await settled();
    for (const name of ["next", "last"]) void start(name, "one", false);
    await settled();
    expect(steps).toEqual(["held starts", "next starts"]);
    await release("held");
    expect(steps).toEqual(["held starts", "next starts"]);
    await release("next");
    await first;
    expect(steps).toEqual(["held starts", "next starts", "next ends", "held ends", "last starts"]);
    await release("last");
  });

  it("keeps its slot when so many have given theirs back already", async () => {
    const { start, release, steps, settled } = holding();
    for (const name of names("held", 8)) {
      void start(name);
      await settled();
    }
    void start("ninth");
    void start("tenth");
    await settled();
    expect(steps).toHaveLength(9);
    await release("ninth");
    expect(steps.slice(-2)).toEqual(["ninth ends", "tenth starts"]);
  });

  it("leaves nothing behind when it is cancelled while it waits for its slot", async () => {
    const { start, release, steps, settled } = holding();
    const stop = new AbortController();
    const held = start("held", "one", true, stop.signal);
    await settled();
    void start("next", "one", false);
    await settled();
    await release("held");
    stop.abort();
    await held;
    expect(steps).toEqual(["held starts", "next starts", "held ends"]);
    await release("next");
    void start("last", "one", false);
    await settled();
    expect(steps.at(-1)).toBe("last starts");
  });
});

it("gives back a place that a task was given at the moment it ended", async () => {
  const queue = createFairQueue({ slots: 1, memoryBytes: 1, availableBytes: () => 0 });
  const whose = (session: string) => ({ principal: "local", session, bytes: 1 });
  const gate = () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  };
  const [answer, first, second] = [gate(), gate(), gate()];
  const holding = queue.run(whose("one"), async (slot) => {
    void slot.hold(() => answer.opened);
    await first.opened;
  });
  const other = queue.run(whose("two"), () => second.opened);
  answer.open();
  await vi.advanceTimersByTimeAsync(0);
  second.open();
  first.open();
  await Promise.all([holding, other]);
  expect(await queue.run(whose("three"), async () => "ran")).toBe("ran");
});
