import { describe, expect, it } from "vitest";
import { type ErrorCode, KeyholeError } from "../../src/errors.ts";
import type { Host, Sandbox, SandboxRunOptions } from "../../src/sandbox/sandbox.ts";

/** The part of the conformance suite about single calls: their limits, their end, their failures, and the clock. */
export function testCalls(sandbox: () => Sandbox, tellsCpu: boolean): void {
  const never: Host["callTool"] = (_server, _tool, _args, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

  async function returned(code: string, callTool: Host["callTool"], options: SandboxRunOptions = {}) {
    const outcome = await sandbox().run({ code, servers: ["github"] }, { callTool }, options);
    if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
    return outcome.value;
  }

  describe("a call", () => {
    it("is cancelled alone by its signal: the program knows at once, and the host is told", async () => {
      const ended: string[] = [];
      const callTool: Host["callTool"] = (server, tool, args, signal, options) => {
        if (tool === "b") return Promise.resolve("answer");
        signal.addEventListener("abort", () => ended.push(tool));
        return never(server, tool, args, signal, options);
      };
      const code = `const one = new AbortController();
        const a = github.a({}, { signal: one.signal }).catch((e) => [e instanceof ToolError, e.code, e.tool, e.cause]);
        setTimeout(() => one.abort("enough"), 5);
        const said = await a;
        return [said, await github.b({}, { signal: new AbortController().signal })]`;
      expect(await returned(code, callTool)).toEqual([[true, "cancelled", "a", "enough"], "answer"]);
      expect(ended).toEqual(["a"]);
    });

    it("is not made when its signal has been aborted, nor when it waited for its turn", async () => {
      let made = 0;
      const callTool: Host["callTool"] = (...call) => {
        made++;
        return never(...call);
      };
      const code = `const { signal } = new AbortController(); const all = new AbortController();
        const first = await github.a({}, { signal: AbortSignal.abort() }).catch((e) => e.code);
        const open = Array.from({ length: 20 }, (_, n) => github.a({ n }, { signal: all.signal }).catch((e) => e.code));
        setTimeout(() => all.abort(), 20);
        return [first, new Set(await Promise.all(open)).size]`;
      expect(await returned(code, callTool)).toEqual(["cancelled", 1]);
      expect(made).toBe(8);
    });

    it("can be one of 9,000 that are cancelled together", async () => {
      const code = `const all = new AbortController();
        const open = Array.from({ length: 9000 }, (_, n) => callMCPTool("s" + (n % 50) + "__x", { n }, { signal: all.signal }).catch((e) => e.code));
        setTimeout(() => all.abort(), 5);
        const codes = await Promise.all(open);
        return [codes.every((code) => code === "cancelled"), await github.last().catch((e) => e.code)]`;
      const callTool: Host["callTool"] = (...call) =>
        call[1] === "last" ? Promise.resolve(1) : never(...call);
      expect(await returned(code, callTool)).toEqual([true, 1]);
    });

    it("hands its own limit to the host, no more than the run has", async () => {
      const seen: unknown[] = [];
      const callTool: Host["callTool"] = async (_server, _tool, _args, _signal, { timeoutMs }) =>
        seen.push(timeoutMs);
      const code = `await github.a({}, { timeoutMs: 1500.2 }); await callMCPTool("github__a", {}, { timeoutMs: Infinity });
        await github.a({}); await Promise.all([{}, {}].map(github.a)); await github.a({}, null);
        return [{ timeoutMs: -1 }, { timeoutMs: "5" }, { timeoutMs: NaN }, { signal: {} }].map((options) =>
          github.a({}, options).catch((e) => e.name))`;
      expect(await returned(code, callTool, { limits: { runMs: 60_000 } })).toEqual(
        Array(4).fill("TypeError"),
      );
      expect(seen).toEqual([1501, 60_000, undefined, undefined, undefined, undefined]);
    });

    it.each([
      ["tool_failed", "tool_failed"],
      ["input_required", "tool_failed"],
      ["tool_unknown", "tool_unknown"],
      ["server_unknown", "tool_unknown"],
      ["usage", "bad_arguments"],
      ["server_unreachable", "server_unavailable"],
      ["variable_unset", "server_unavailable"],
      ["timeout", "timeout"],
      ["cancelled", "cancelled"],
      ["too_large", "limit"],
      [undefined, "tool_failed"],
    ] as const)("that fails with %s has the code %s", async (code: ErrorCode | undefined, expected) => {
      const callTool = () => Promise.reject(code ? new KeyholeError(code, "Why") : new Error("Why"));
      expect(await returned("return github.a().catch((e) => [e.code, e.message])", callTool)).toEqual([
        expected,
        "Why",
      ]);
    });
  });

  describe("the clock", () => {
    const slow: Host["callTool"] = () => new Promise((resolve) => setTimeout(() => resolve("late"), 700));

    it("stands still while a call is open", async () => {
      const limits = { wallMs: 600, sleepMs: 600 };
      expect(await returned("return [await github.a(), await github.a()]", slow, { limits })).toEqual([
        "late",
        "late",
      ]);
    });

    it("counts sleep apart from the program's own time", async () => {
      const code =
        "for (let n = 0; n < 10; n++) await new Promise((resolve) => setTimeout(resolve, 100)); return 1";
      expect(await returned(code, slow, { limits: { wallMs: 900 } })).toBe(1);
    });

    // Of a tier that does not have it there is nothing to try.
    if (tellsCpu)
      it("catches a busy loop while a call is open", async () => {
        const program = { code: "github.a(); await null; for (;;);", servers: ["github"] };
        const outcome = await sandbox().run(program, { callTool: never }, { limits: { cpuMs: 300 } });
        expect(outcome).toMatchObject({ ok: false, error: { kind: "cpu" } });
      });
  });
}
