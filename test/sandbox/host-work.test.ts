import { afterAll, describe, expect, it } from "vitest";
import { KeyholeError } from "../../src/errors.ts";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { hostLedger } from "../../src/sandbox/host/ledger.ts";
import type { Host, SandboxRunOptions } from "../../src/sandbox/sandbox.ts";

const sandbox = createSandbox({ poolSize: 0 });
afterAll(() => sandbox.close());

const echo: Host = { callTool: async (_server, _tool, args) => args };
const run = (code: string, host: Host = echo, options: SandboxRunOptions = {}) =>
  sandbox.run({ code, servers: ["s"] }, host, options);
const empties = (count: number) => `Array.from({ length: ${count} }, () => ({}))`;

function burn(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("what the host does for a program", () => {
  it("lets the event loop go round while thousands of calls fail at once", async () => {
    let rounds = 0;
    let isOver = false;
    const count = () => {
      rounds++;
      if (!isOver) setImmediate(count);
    };
    const started: number[] = [];
    const host: Host = {
      async callTool() {
        started.push(rounds);
        if (started.length === 1) count();
        burn(0.1);
        throw new KeyholeError("tool_unknown", "no such tool");
      },
    };
    const code = "return (await Promise.allSettled(Array.from({ length: 3000 }, () => s.x()))).length";
    expect(await run(code, host)).toMatchObject({ ok: true, value: 3000 });
    isOver = true;
    // 0.3 s of work: in turns of 8 ms.
    expect(new Set(started).size).toBeGreaterThan(10);
  });

  it("has a limit of its own, told apart from the program's time", async () => {
    const host: Host = {
      ...echo,
      onLog: () => burn(5),
    };
    const outcome = await run("for (let n = 0; n < 1000; n++) console.log(n)", host, {
      limits: { hostMs: 100 },
    });
    expect(outcome).toMatchObject({ ok: false, error: { kind: "cpu", limit: { allowed: 100, unit: "ms" } } });
    expect(!outcome.ok && outcome.error.message).toContain("work for the host");
  });

  it("reads the result that a program left before its process ended", async () => {
    const code = 'for (let n = 0; n < 5000; n++) console.log("line " + n); process.exit(0)';
    const logs: string[] = [];
    const host: Host = { ...echo, onLog: (_level, text) => logs.push(text) };
    const outcome = await sandbox.run({ code, servers: [], modules: ["process"] }, host);
    expect(outcome).toMatchObject({ ok: true });
    expect(logs).toHaveLength(5000);
  });
});

describe("what the host holds of a program", () => {
  it.each([
    ["a result", `return ${empties(2e6)}`, "The result"],
    ["a block", `emit(${empties(2e6)})`, "An emitted block"],
    ["many blocks", `for (let n = 0; n < 20; n++) emit(${empties(1e5)})`, "An emitted block"],
  ])("is bounded by values, not by bytes: %s", async (_what, code, what) => {
    const outcome = await run(code);
    expect(outcome).toMatchObject({ ok: false, error: { kind: "output" } });
    expect(!outcome.ok && outcome.error.message).toContain(`${what} would take`);
    expect(hostLedger.heldBytes).toBe(0);
  });

  it("refuses a call whose arguments have too many values, and the program goes on", async () => {
    const code = `const code = await s.x({ a: ${empties(2e6)} }).catch((e) => e.code); return [code, await s.x({ a: 1 })]`;
    expect(await run(code)).toMatchObject({ ok: true, value: ["limit", { a: 1 }] });
  });

  it("takes large data that has few values for what it is", async () => {
    const code = "return Array.from({ length: 1e6 }, (_, n) => n + 0.5)";
    expect(await run(code)).toMatchObject({ ok: true });
  });

  it("keeps calls that wait as bytes, and parses each when it is its turn", async () => {
    const seen: number[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const host: Host = {
      async callTool(_server, tool) {
        seen.push(hostLedger.heldBytes);
        if (tool === "open") release();
        else if (seen.length <= 8) await gate;
        return 1;
      },
    };
    // Each is 60 KB, and 2.4 MB when it is parsed.
    const code = `const a = ${empties(20_000)};
      const all = Array.from({ length: 200 }, () => s.x({ a }));
      await t.open();
      return (await Promise.all(all)).length`;
    const outcome = await sandbox.run({ code, servers: ["s", "t"] }, host);
    expect(outcome).toMatchObject({ ok: true, value: 200 });
    // All 200 as values would be 480 MB.
    expect(Math.max(...seen)).toBeLessThan(60e6);
    expect(hostLedger.heldBytes).toBe(0);
  });

  it("says of what is nested too deep that it is", async () => {
    const deep = "let v = []; for (let n = 0; n < 2000; n++) v = [v];";
    const outcome = await run(`${deep} return v`);
    expect(outcome).toMatchObject({ ok: false, error: { kind: "output" } });
    expect(!outcome.ok && outcome.error.message).toContain("512 levels");
    const call = `${deep} return s.x({ v }).catch((e) => [e.code, e.message.includes("512 levels")])`;
    expect(await run(call)).toMatchObject({ ok: true, value: ["limit", true] });
  });
});
