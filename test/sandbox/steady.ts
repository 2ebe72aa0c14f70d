import { describe, expect, it } from "vitest";
import type { Happening, Host, Sandbox } from "../../src/sandbox/sandbox.ts";

const SEED = "5a".repeat(32);
const TIME = 1_700_000_000_000;
const DELAYS = [30, 5, 20, 1, 12];

type Made = { readonly number: number | undefined; readonly tool: string; readonly args: unknown };

/** The part of the conformance suite about programs that must do the same each time (`Program.steady`). */
export function testSteady(world: () => { sandbox: Sandbox }): void {
  describe("a steady program", () => {
    /**
     * @param past empty for the first time; then answers come at once, as from a record
     * @param modules of Node's
     */
    async function run(code: string, past: readonly Happening[] = [], modules: readonly string[] = []) {
      const made: Made[] = [];
      const happened: Happening[] = [];
      const waiting: (() => void)[] = [];
      const host: Host = {
        async callTool(_server, tool, args, _signal, { number }) {
          made.push({ number, tool, args });
          const { length } = made;
          if (past.length === 0 && tool === "together") {
            await new Promise<void>((resolve) => waiting.push(resolve));
            return { tool, number };
          }
          if (past.length === 0 && waiting.length > 0) for (const answer of waiting.splice(0)) answer();
          if (past.length === 0)
            await new Promise((resolve) => setTimeout(resolve, DELAYS[length % DELAYS.length]));
          return { tool, number };
        },
        onHappened: (news) => void happened.push(...news),
      };
      const program = { code, servers: ["s"], modules, steady: { seed: SEED, time: TIME, past } };
      const outcome = await world().sandbox.run(program, host);
      return { outcome, made, happened };
    }

    const value = ({ outcome }: Awaited<ReturnType<typeof run>>) => {
      if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
      return outcome.value;
    };

    it.each([
      [
        "random numbers",
        "return [Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(5))]]",
      ],
      [
        "the time",
        "return [Date.now(), new Date().toISOString(), performance.now(), Date(), new Date(5).getTime()]",
      ],
      [
        "the time in words",
        "return [new Intl.DateTimeFormat('en').format(), String(Temporal.Now.instant())]",
      ],
    ])("has the same %s each time", async (_what, code) => {
      expect(value(await run(code))).toEqual(value(await run(code)));
    });

    it("has the random numbers of node:crypto likewise", async () => {
      const code = `const { randomBytes, randomInt, randomUUID } = __keyhole.modules.crypto;
        return [randomBytes(70000).toString("hex").slice(-20), randomInt(5, 1e9), randomUUID()]`;
      expect(value(await run(code, [], ["crypto"]))).toEqual(value(await run(code, [], ["crypto"])));
    });

    it("draws each number, and all over the range", async () => {
      const code = `const drawn = Array.from({ length: 20000 }, () => Math.random());
        const mean = drawn.reduce((a, b) => a + b) / drawn.length;
        return { mean, least: Math.min(...drawn), most: Math.max(...drawn), different: new Set(drawn).size }`;
      expect(value(await run(code))).toMatchObject({
        mean: expect.closeTo(0.5, 1),
        least: expect.closeTo(0, 2),
        most: expect.closeTo(1, 2),
        different: 20_000,
      });
    });

    it("ends a loop that waits for the clock, and sleeps for real", async () => {
      const code = `const start = Date.now(); while (Date.now() - start < 50);
        await new Promise((resolve) => setTimeout(resolve, 40));
        return [new Date(start) instanceof Date, Date.now() - start >= 50, new Date().constructor === Date]`;
      expect(value(await run(code))).toEqual([true, true, true]);
    });

    it.each([
      [
        "calls one after the other",
        "const at = []; for (let i = 0; i < 4; i++) { await s.step({ i, at: Date.now() }); at.push(Date.now()); } await s.end({ at })",
      ],
      [
        "calls at once, answered in another order",
        `const order = []; await Promise.all([1, 2, 3, 4, 5].map(async (i) => { await s.one({ i }); order.push(i); await s.two({ i, order: [...order], at: Date.now(), r: Math.random() }); })); return order`,
      ],
      [
        "calls at once, answered together",
        `let n = 0; const all = Array.from({ length: 5 }, async (_, i) => { await s.together({ i }); const before = n++; await null; await null;
           await s.two({ i, before, after: n++ }); }); await s.now({}); await Promise.all(all); return n`,
      ],
      [
        "a race of a call and a timer",
        `const late = new Promise((resolve) => setTimeout(resolve, 10, "late"));
         const first = await Promise.race([s.slow({}).then(() => "answer"), late]);
         await s.then_({ first, at: Date.now() }); return first`,
      ],
      [
        "an interval among calls",
        `let ticks = 0; const id = setInterval(() => ticks++, 7); const seen = [];
         for (let i = 0; i < 5; i++) { await s.step({ i, ticks }); seen.push(ticks); } clearInterval(id); await s.end({ seen })`,
      ],
      [
        "a time-out that is aborted",
        `const signal = AbortSignal.timeout(15); let told = 0; signal.addEventListener("abort", () => told++);
         const seen = []; for (let i = 0; i < 5; i++) { await s.step({ i, told }); seen.push(told); } return seen`,
      ],
      [
        "digests and blobs beside calls",
        `const one = async (i) => { const bytes = new Uint8Array(i % 2 ? 5e6 : 10); await crypto.subtle.digest("SHA-256", bytes);
           await new Blob([bytes]).text(); return s.one({ i, at: Date.now() }); };
         await Promise.all([1, 2, 3, 4, 5, 6].map(one)); return new File([], "x").lastModified === Date.now()`,
      ],
      [
        "messages beside calls and timers",
        `const log = []; const { port1, port2 } = new MessageChannel();
         const got = new Promise((resolve) => { port1.onmessage = async ({ data }) => { log.push("m" + data);
           if (data === 5) { port1.close(); resolve(); } else if (data % 2) await s.one({ data, at: Date.now() }); }; });
         for (let i = 0; i < 3; i++) port2.postMessage(i);
         const timer = new Promise((resolve) => setTimeout(() => { log.push("timer"); port2.postMessage(3); resolve(); }, 1));
         const call = s.two({}).then(() => { log.push("call"); port2.postMessage(4); });
         await Promise.all([timer, call]); port2.postMessage(5); port2.postMessage(6); await got;
         await s.end({ log, at: Date.now() }); return log`,
      ],
    ])("does the same again: %s", async (_what, code) => {
      const first = await run(code);
      const result = value(first);
      const again = await run(code, first.happened);
      expect(again.made).toEqual(first.made);
      expect(value(again)).toEqual(result);
      // What happens after the last call has no effect that anybody saw. Nothing that was known already is told as new.
      expect(again.happened).toEqual([]);
    });

    it("goes on from where its past ends, at any point of it", async () => {
      const code = `const seen = []; setTimeout(() => seen.push("timer"), 9);
        for (let i = 0; i < 6; i++) { seen.push(await s.step({ i, n: seen.length })); } return seen.length`;
      const first = await run(code);
      for (let known = 1; known < first.happened.length; known++) {
        const again = await run(code, first.happened.slice(0, known));
        expect(value(again)).toBe(7);
        expect(again.made.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
      }
    });

    it("has messages that were on their way when its past ends", async () => {
      const code = `const log = []; const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", ({ data }) => { log.push(data); if (data === 3) port1.close(); }); port1.start();
        for (let i = 0; i < 6; i++) { port2.postMessage(i); await s.step({ i }); }
        return [log, port1 instanceof MessagePort, new MessageChannel() instanceof MessageChannel]`;
      const first = await run(code);
      expect(value(first)).toEqual([[0, 1, 2, 3], true, true]);
      for (let known = 1; known < first.happened.length; known++) {
        const again = await run(code, first.happened.slice(0, known));
        expect(value(again)).toEqual(value(first));
      }
    });

    it("that waits for something else than it did before is told so, and does not hang", async () => {
      const past: Happening[] = [
        ["r1", TIME + 1],
        ["t9", TIME + 2],
      ];
      const { outcome } = await run("return await s.step({})", past);
      expect(outcome).toMatchObject({ ok: false, error: { name: "Diverged" } });
    });
  });
}
