import { describe, expect, it } from "vitest";
import { connectKeyhole, keyhole } from "../fixtures/keyhole.ts";
import { fixture, writeProject } from "../fixtures/project.ts";

describe("a program's end", () => {
  it("comes when nothing is left to do, and no sooner [run-ends]", async () => {
    const dir = await writeProject({ ".mcp.json": { mcpServers: { good: fixture("good") } } });
    const code = `const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      async function main() { await good.good0({ value: "a" }); await wait(100); await good.good0({ value: "b" }) }
      main().then(() => wait(20)).then(() => console.log("all done"))`;
    const { code: exit, stdout } = await keyhole(dir, ["run", "--json", "-e", code]);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, calls: [{ ok: true }, { ok: true }] });
    expect(stdout).toContain("all done");
    const stuck = await keyhole(dir, ["run", "-e", "await new Promise(() => {})"]);
    expect(stuck).toMatchObject({ code: 1, stdout: expect.stringContaining("nothing can settle any more") });
  });

  it("does not come while it waits for calls, and has a limit for sleep of its own [run-clock]", async () => {
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { cancellable: fixture("cancellable") } },
      "keyhole.config.json": { maxExecutionTime: 900, maxSleepTime: 1500 },
    });
    const waits = "for (let n = 0; n < 20; n++) await cancellable.slow({}); return 'done'";
    expect(await keyhole(dir, ["run", "-e", waits])).toMatchObject({ code: 0, stdout: "done\n" });
    const sleeps = await keyhole(dir, ["run", "-e", "setInterval(() => {}, 100)"]);
    expect(sleeps).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("does one, or a loop that sleeps, never end?"),
    });
  });
});

describe("a call of a program", () => {
  it("takes a limit and a signal, and fails with a code [call-options]", async () => {
    const dir = await writeProject({ ".mcp.json": { mcpServers: { cancellable: fixture("cancellable") } } });
    const code = `const codeOf = (work: Promise<unknown>) => work.then(() => "ok", (error: ToolError) => error.code);
      const stop = new AbortController();
      const waiting = codeOf(cancellable.wait({}, { signal: stop.signal }));
      await cancellable.most({});
      stop.abort();
      return [await waiting, await cancellable.cancelled({}), await codeOf(cancellable.wait({}, { timeoutMs: 20 }))]`;
    const { stdout } = await keyhole(dir, ["run", "--json", "-e", code]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, result: ["cancelled", { count: 1 }, "timeout"] });
  });
});

describe("bytes", () => {
  it("are emitted as images and files, and told by kind and size in logs [emit-bytes]", async () => {
    const client = await connectKeyhole(
      await writeProject({ ".mcp.json": { mcpServers: { good: fixture("good") } } }),
    );
    const code = `const png = new Uint8Array(5200); png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
      emit(png.slice(0, 8)); emit(new TextEncoder().encode("%PDF-1.7"));
      console.log({ png, other: new Uint8Array(5200) }); return 1`;
    const { content } = await client.callTool({ name: "execute_code", arguments: { code } });
    expect(content).toMatchObject([
      { type: "text", text: expect.stringContaining("{ png: <image/png, 5.2 KB>, other: <bytes, 5.2 KB> }") },
      { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
      { type: "resource", resource: { mimeType: "application/pdf", blob: "JVBERi0xLjc=" } },
    ]);
  });
});
