import { isSpecType } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { toRunResult } from "../../src/server/mcp/tool-result.ts";
import { openEngine } from "../fixtures/engine.ts";
import { fixture } from "../fixtures/project.ts";

const engineWith = async (servers: Record<string, unknown>, config?: unknown) =>
  (await openEngine(servers, { config })).engine;

describe("a program", () => {
  it("ends when nothing is left to do: calls after a timer are made", async () => {
    const engine = await engineWith({ good: fixture("good") });
    const code = `async function main() {
        await good.good0({ value: "first" });
        await new Promise((resolve) => setTimeout(resolve, 50));
        await good.good0({ value: "second" });
        console.log("both");
      }
      main()`;
    const result = await engine.run({ code });
    expect(result).toMatchObject({ ok: true, calls: [{ ok: true }, { ok: true }] });
    expect(result.logs).toContainEqual({ level: "info", text: "both" });
  });

  it("fails by a rejection that nobody handled, at its line", async () => {
    const engine = await engineWith({ results: fixture("results") });
    const result = await engine.run({
      code: "const n: number = 1;\nsetTimeout(() => {\n  results.failure({});\n}, 5);\nreturn n",
    });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "tool_error", location: { line: 3, column: 11 } },
    });
  });

  it("fails when it awaits what nothing can settle", async () => {
    const engine = await engineWith({ good: fixture("good") });
    const result = await engine.run({
      code: "await good.good0({ value: 'x' });\nawait new Promise(() => {})",
    });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "stuck" },
      calls: [{ tool: "good_0", ok: true }],
    });
    expect(result.text).toContain("nothing can settle any more");
  });

  it("sleeps longer than it may work, up to a limit of its own", async () => {
    const engine = await engineWith({ good: fixture("good") }, { maxExecutionTime: 500, maxSleepTime: 2000 });
    const poll = `for (let n = 0; n < 8; n++) { await good.good0({ value: String(n) }); await new Promise((r) => setTimeout(r, 100)) } return "done"`;
    expect(await engine.run({ code: poll })).toMatchObject({ ok: true, result: "done" });
    const endless = await engine.run({ code: "setInterval(() => good.good0({ value: 'x' }), 500)" });
    expect(endless).toMatchObject({ ok: false, error: { kind: "timeout" } });
    expect(endless.text).toContain(
      "Only timers were left for 2 s: does one, or a loop that sleeps, never end?",
    );
  });

  it("emits bytes as content that a client can show", async () => {
    const engine = await engineWith({ good: fixture("good") });
    const code = `emit(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
      emit(Buffer.from("%PDF-1.7"));
      emit(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]).buffer);
      emit({ type: "image", data: new TextEncoder().encode("GIF89a") });
      emit(new TextEncoder().encode("RIFF1234WEBPVP8 "));
      emit(new Uint16Array(3));
      await emit(new Blob(["a,b"], { type: "text/csv" }));
      emit("words");`;
    const result = await engine.run({ code });
    expect(result).toMatchObject({ ok: true });
    const [, ...blocks] = toRunResult(result).content;
    expect(blocks.every((block) => isSpecType.ContentBlock(block))).toBe(true);
    expect(
      blocks.map((block) =>
        "resource" in block ? block.resource.mimeType : "mimeType" in block ? block.mimeType : block.type,
      ),
    ).toEqual([
      "image/png",
      "application/pdf",
      "image/jpeg",
      "image/gif",
      "image/webp",
      "application/octet-stream",
      "text/csv",
      "text",
    ]);
    expect(blocks[0]).toMatchObject({ type: "image", data: "iVBORw0KGgo=" });
    expect(blocks[6]).toMatchObject({ type: "resource", resource: { blob: "YSxi" } });
  });
});

describe("a call", () => {
  it("that its program cancels is cancelled at the server", async () => {
    const engine = await engineWith({ cancellable: fixture("cancellable") });
    const code = `const controller = new AbortController();
      const waiting = cancellable.wait({}, { signal: controller.signal }).catch((e: ToolError) => e.code);
      await cancellable.most({});
      controller.abort();
      const code = await waiting;
      return [code, (await cancellable.cancelled({})).count]`;
    expect(await engine.run({ code })).toMatchObject({
      ok: true,
      result: ["cancelled", 1],
      calls: [
        { tool: "wait", ok: false },
        { tool: "most", ok: true },
        { tool: "cancelled", ok: true },
      ],
    });
  });

  it("can have a limit shorter or longer than the server's", async () => {
    const engine = await engineWith(
      { cancellable: fixture("cancellable") },
      { servers: { cancellable: { timeoutMs: 30 } } },
    );
    const code = `const codeOf = (work: Promise<unknown>) => work.then(() => "ok", (e: ToolError) => e.code);
      return [
        await codeOf(cancellable.wait({}, { timeoutMs: 10 })),
        await codeOf(cancellable.slow({})),
        await codeOf(cancellable.slow({}, { timeoutMs: 20_000 })),
        await codeOf(callMCPTool("cancellable__slow", {}, { timeoutMs: 20_000 })),
      ]`;
    expect(await engine.run({ code })).toMatchObject({
      ok: true,
      result: ["timeout", "timeout", "ok", "ok"],
    });
  });

  it("fails with one of the known codes", async () => {
    const engine = await engineWith({
      results: fixture("results"),
      dead: fixture("dies-at-once"),
      closes: fixture("closes-mid-call"),
    });
    const code = `const codeOf = (name: string, args: unknown = {}) => callMCPTool(name, args).then(() => "ok", (e: ToolError) => [e instanceof ToolError, e.code].join());
      return [await codeOf("results__failure"), await codeOf("results__nope"), await codeOf("nobody__x"), await codeOf("results__failure", 5), await codeOf("dead__x")]`;
    expect(await engine.run({ code })).toMatchObject({
      ok: true,
      result: [
        "true,tool_failed",
        "true,tool_unknown",
        "true,tool_unknown",
        "true,bad_arguments",
        "true,server_unavailable",
      ],
    });
  });
});
