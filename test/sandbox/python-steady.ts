import { describe, expect, it } from "vitest";
import type { Happening, Host } from "../../src/sandbox/sandbox.ts";
import type { PythonWorld } from "./python-conformance.ts";

const SEED = "5a".repeat(32);
const TIME = 1_700_000_000_000;
const DELAYS = [30, 5, 20, 1, 12];

/** Python programs that must do the same each time (`Program.steady`): the sister of `testSteady`. */
export function testPythonSteady(world: () => PythonWorld): void {
  describe("a steady program", () => {
    async function run(code: string, past: readonly Happening[] = []) {
      const made: { number: number | undefined; tool: string; args: unknown }[] = [];
      const happened: Happening[] = [];
      const host: Host = {
        async callTool(_server, tool, args, _signal, { number }) {
          made.push({ number, tool, args });
          const delay = DELAYS[made.length % DELAYS.length];
          if (past.length === 0) await new Promise((resolve) => setTimeout(resolve, delay));
          return { tool, number };
        },
        onHappened: (news) => void happened.push(...news),
      };
      const program = { code, servers: ["s"], steady: { seed: SEED, time: TIME, past } };
      const outcome = await world().sandbox.run(program, host);
      if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
      return { value: outcome.value, made, happened };
    }

    it.each([
      [
        "random numbers",
        "import random, uuid, secrets, os\nreturn [random.random(), str(uuid.uuid4()), str(uuid.uuid1()), secrets.token_hex(4), os.urandom(5).hex(), random.Random().random(), random.SystemRandom().random(), os.getrandom(4).hex(), secrets.token_urlsafe(5), secrets.choice(range(1000)), random.SystemRandom().getrandbits(64), str(uuid.uuid4())]",
      ],
      [
        "time",
        "import time, datetime\nreturn [time.time(), time.perf_counter(), datetime.datetime.now().isoformat(), str(datetime.date.today()), time.strftime('%c'), datetime.datetime.now(datetime.timezone.utc).isoformat(), time.clock_gettime(time.CLOCK_REALTIME), time.clock_gettime_ns(time.CLOCK_MONOTONIC), time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)]",
      ],
      ["random bytes of ssl", "import ssl\nreturn ssl.RAND_bytes(4).hex()"],
      ["order of a set", "return list({'a', 'b', 'c', 'd', 'e', 'f'})"],
    ])("has the same %s each time", async (_what, code) => {
      expect((await run(code)).value).toEqual((await run(code)).value);
    });

    it("ends a loop that waits for the clock, and has dates of Python's own kind", async () => {
      const code = `import time, datetime
start = time.time()
while time.time() - start < 0.05: pass
day = datetime.datetime(2020, 1, 2) + datetime.timedelta(days=1)
return [isinstance(day, datetime.datetime), isinstance(datetime.datetime.now(), datetime.date), day.isoformat(), time.time() - start >= 0.05]`;
      expect((await run(code)).value).toEqual([true, true, "2020-01-03T00:00:00", true]);
    });

    it.each([
      [
        "calls one after the other",
        "import time\nat = []\nfor i in range(4):\n    await s.step(i=i, at=time.time())\n    at.append(time.time())\nawait s.end(at=at)",
      ],
      [
        "calls at once, answered in another order",
        `import asyncio, time, random
order = []
async def one(i):
    await s.one(i=i)
    order.append(i)
    await s.two(i=i, order=list(order), at=time.time(), r=random.random())
await asyncio.gather(*[one(i) for i in range(5)])
return order`,
      ],
      [
        "a race of a call and a timer",
        `import asyncio, time
async def slow(): return await s.slow()
try:
    await asyncio.wait_for(slow(), 0.01)
    first = "answer"
except asyncio.TimeoutError: first = "late"
await s.then_(first=first, at=time.time())
return first`,
      ],
      [
        "a ticking task among calls",
        `import asyncio
ticks = 0
async def tick():
    global ticks
    while True:
        await asyncio.sleep(0.007)
        ticks += 1
task = asyncio.create_task(tick())
seen = []
for i in range(5):
    await s.step(i=i, ticks=ticks)
    seen.append(ticks)
task.cancel()
await s.end(seen=seen)`,
      ],
      [
        "calls that block, among others that do not",
        `import asyncio, time
async def waits(i):
    await asyncio.sleep(i * 0.003)
    return s.sync(i=i, at=time.time())["number"]
done = await asyncio.gather(*[waits(i) for i in range(5)])
time.sleep(0.01)
await s.end(done=done, at=time.time())`,
      ],
      [
        "threads",
        `import asyncio, threading
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor() as pool: found = list(pool.map(lambda i: s.get(i=i)["number"], range(4)))
kept = []
threads = [threading.Thread(target=lambda i=i: kept.append(s.of_thread(i=i)["number"])) for i in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
await s.end(found=found, kept=kept, more=await asyncio.to_thread(s.get, {"i": 9}))`,
      ],
      [
        "a loop that never rests",
        `import asyncio
is_done = False
async def spin():
    n = 0
    while not is_done:
        await asyncio.sleep(0)
        n += 1
    return n
task = asyncio.create_task(spin())
await s.one()
is_done = True
await s.two(n=await task)`,
      ],
    ])("does the same again: %s", async (_what, code) => {
      const first = await run(code);
      const again = await run(code, first.happened);
      expect(again.made).toEqual(first.made);
      expect(again.value).toEqual(first.value);
      expect(again.happened).toEqual([]);
    });

    it("goes on from where its past ends, at any point of it", async () => {
      const code = `import asyncio
seen = []
async def later():
    await asyncio.sleep(0.009)
    seen.append("timer")
asyncio.create_task(later())
for i in range(6): seen.append((await s.step(i=i, n=len(seen)))["number"])
return len(seen)`;
      const first = await run(code);
      for (let known = 1; known < first.happened.length; known += 2) {
        const again = await run(code, first.happened.slice(0, known));
        expect(again.made).toHaveLength(6);
      }
    });

    it("is told apart when it goes another way", async () => {
      const code = "await s.one()\nawait s.two()";
      await expect(run(code, [["r7", TIME + 5]])).rejects.toThrow(/another way/);
    });
  });
}
