import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine/create-engine.ts";
import { probeTools } from "../../src/engine/probe.ts";
import type { Project } from "../../src/engine/project.ts";
import { readRun, readRuns } from "../../src/engine/runs/runs-of-project.ts";
import { eventsOf } from "../fixtures/audit/events-of.ts";
import { inSession } from "../fixtures/in-session.ts";
import { fixture, homeOf, onCleanup, project, reopen, tempDir } from "../fixtures/project.ts";

async function engineOf(opened: Project) {
  await opened.catalog.read();
  const engine = inSession(createEngine(opened, { poolSize: 0 }));
  const close = async () => {
    await engine.close();
    await opened.close();
  };
  onCleanup(close);
  return { ...engine, close };
}

function toolOf({ catalog }: Project, name: string) {
  return catalog
    .entries()
    .flatMap(({ record }) => record?.tools.filter((tool) => tool.name === name) ?? [])[0];
}

const TRUSTED = { servers: { shop: { trusted: true } } };

describe("types learned from results", () => {
  it("are used by the next program, shown by search, and there after a restart", async () => {
    const first = await project({ shop: fixture("orders") });
    const engine = await engineOf(first);
    const code = "const { orders } = await shop.listOrders();\nreturn orders.length;";
    expect(await engine.run({ code })).toMatchObject({ ok: true, result: 2, logs: [] });
    const typo = await engine.run({ code: "return (await shop.listOrders()).order ?? 'nothing';" });
    expect(typo).toMatchObject({ ok: true, result: "nothing" });
    expect(typo.logs).toEqual([
      {
        level: "warn",
        text: expect.stringMatching(
          /^\(types: 1:34 Property 'order' does not exist on the observed result of shop\.listOrders.*; observed: \{ orders: /,
        ),
      },
    ]);
    expect(typo.text).toContain("observed result of shop.listOrders");
    expect((await engine.search({ query: "list orders" })).text).toMatch(
      /shop\.listOrders\(\): Promise<\{ orders: .*\}> \/\/ result observed in 2 calls/,
    );
    const read =
      'import { readFile } from "node:fs/promises"; return readFile("./servers/shop/listOrders.ts", "utf8");';
    expect((await engine.run({ code: read })).result).toContain("observed in 2 calls");
    await engine.run({ code });
    expect((await engine.run({ code: read })).result).toContain("observed in 3 calls");
    await engine.close();
    const second = await reopen(first.dir);
    const later = await engineOf(second);
    expect(toolOf(second, "list_orders")?.observed?.calls).toBe(3);
    expect((await later.run({ code: "return (await shop.listOrders()).order ?? 0;" })).logs).toHaveLength(1);
  });

  it("are not learned where the config says so", async () => {
    const opened = await project({ shop: fixture("orders") }, { learnTypes: false });
    const engine = await engineOf(opened);
    await engine.run({ code: "return shop.listOrders();" });
    expect(toolOf(opened, "list_orders")?.observed).toBeUndefined();
    await engine.close();
    await expect(readFile(join(opened.dir, ".keyhole/observed/shop.json"))).rejects.toThrow("ENOENT");
  });

  it("hold shapes and no values", async () => {
    const opened = await project({ shop: fixture("orders") });
    const engine = await engineOf(opened);
    await engine.run({
      code: "for (let n = 0; n < 30; n++) { await shop.listOrders(); await shop.getOrder({ id: '#W77' }); } return shop.getTotal();",
    });
    await engine.close();
    const file = await readFile(join(opened.dir, ".keyhole/observed/shop.json"), "utf8");
    // The proof at the end, a tool's hash and when it was learned may have any digits in them.
    const [content = ""] = file.split("\n");
    const text = content.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|"key":"[^"]*"/g, "");
    expect(text).toContain("placed_at");
    expect(text).not.toMatch(/Ada|example\.com|#W|4202497723|342|2024|sk_live|secret/);
  });

  it("widen with what comes later, also with text where there was an object", async () => {
    const opened = await project({ shop: fixture("orders") });
    const engine = await engineOf(opened);
    await engine.run({ code: "return shop.getOrder({ id: 'a' });" });
    expect(toolOf(opened, "get_order")?.observed?.schema).toMatchObject({ type: "object" });
    await engine.run({ code: "return shop.getOrder({ id: 'none' });" });
    expect(toolOf(opened, "get_order")?.observed?.schema).toMatchObject({
      anyOf: [
        { type: "object", properties: { items: { additionalProperties: {} } } },
        { type: "string", "x-constant": "Error: order not found" },
      ],
    });
  });

  it("start anew with another version of the server, and learn nothing from failures", async () => {
    const opened = await project({ shop: fixture("orders", "1.0.0") });
    const engine = await engineOf(opened);
    await engine.run({ code: "await shop.listOrders(); await shop.broken();" });
    expect(toolOf(opened, "list_orders")?.observed?.calls).toBe(1);
    expect(toolOf(opened, "broken")?.observed).toBeUndefined();
    await engine.close();
    await writeFile(
      join(opened.dir, ".mcp.json"),
      JSON.stringify({ mcpServers: { shop: fixture("orders", "2.0.0") } }),
    );
    const other = await reopen(opened.dir);
    await other.catalog.read();
    expect(toolOf(other, "list_orders")?.observed).toBeUndefined();
    const anew = await engineOf(other);
    await anew.run({ code: "await shop.listOrders();" });
    expect(toolOf(other, "list_orders")?.observed?.calls).toBe(1);
    await anew.close();
    const again = await reopen(opened.dir);
    await again.catalog.read();
    expect(toolOf(again, "list_orders")?.observed?.calls).toBe(1);
    expect(toolOf(again, "broken")?.observed).toBeUndefined();
  });

  it("report a declared result type that results contradict, and it refuses no program", async () => {
    const opened = await project({ shop: fixture("orders") });
    const engine = await engineOf(opened);
    const code = "return (await shop.getTotal()).sum ?? 1;";
    expect(await engine.run({ code })).toMatchObject({ ok: false, error: { kind: "types" } });
    await engine.run({ code: "return shop.getTotal();" });
    expect(toolOf(opened, "get_total")).toMatchObject({
      observed: undefined,
      contradictions: [{ path: "total", expected: "number", seen: "string", count: 1 }],
    });
    expect(await engine.run({ code })).toMatchObject({ ok: true, result: 1, logs: [{ level: "warn" }] });
  });
});

describe("probing", () => {
  it("calls what only reads, needs nothing and is trusted, once each, and nothing else", async () => {
    const calls = join(await tempDir(), "calls");
    const opened = await project({ shop: { ...fixture("orders"), env: { CALLS: calls } } }, TRUSTED);
    const probed = await probeTools(opened, await opened.catalog.read());
    expect(probed).toEqual([
      {
        server: "shop",
        tool: "list_orders",
        status: "learned",
        detail: expect.stringContaining("Promise<{ orders:"),
      },
      { server: "shop", tool: "get_order", status: "skipped", detail: "it needs arguments" },
      {
        server: "shop",
        tool: "cancel_order",
        status: "skipped",
        detail: expect.stringMatching(/^not read-only/),
      },
      { server: "shop", tool: "broken", status: "failed", detail: "it does not work" },
      { server: "shop", tool: "get_total", status: "skipped", detail: "it declares what it returns" },
    ]);
    expect(await readFile(calls, "utf8")).toBe("list_orders\nbroken\n");
    expect(toolOf(opened, "list_orders")?.observed?.calls).toBe(1);
  });

  it("leaves a record of each call, and none where nothing was called", async () => {
    const opened = await project({ shop: fixture("orders") }, TRUSTED);
    const home = await homeOf(opened.dir);
    const entries = await opened.catalog.read();
    await probeTools(opened, entries.slice(1));
    expect(await readRuns(opened.dir, 10, home)).toEqual([]);
    await probeTools(opened, entries);
    const told = (await eventsOf(opened.dir)).map(({ action }) => action);
    expect(told.filter((action) => /^(session|run)\./.test(action))).toEqual([
      "session.opened",
      "run.started",
      "run.ended",
      "session.closed",
    ]);
    const [written] = await readRuns(opened.dir, 10, home);
    expect(await readRun(opened.dir, written?.runId ?? "", home)).toMatchObject({
      status: "done",
      client: { name: "keyhole tools --probe" },
      made: [
        { tool: "list_orders", ok: true },
        { tool: "broken", ok: false, code: "tool_failed" },
      ],
    });
  });

  it("calls nothing of a server that is not trusted, and says how to trust it", async () => {
    const calls = join(await tempDir(), "calls");
    const opened = await project({ shop: { ...fixture("orders"), env: { CALLS: calls } } });
    const probed = await probeTools(opened, await opened.catalog.read());
    expect(probed.filter(({ status }) => status !== "skipped")).toEqual([]);
    expect(probed[0]?.detail).toContain('set servers."shop".trusted to true in keyhole.config');
    await expect(readFile(calls)).rejects.toThrow();
  });

  it("calls nothing by what the server said some time ago", async () => {
    const calls = join(await tempDir(), "calls");
    const first = await project({ shop: { ...fixture("claims-to-read"), env: { CALLS: calls } } }, TRUSTED);
    await first.catalog.read();
    const second = await reopen(first.dir);
    const probed = await probeTools(second, await second.catalog.read());
    expect(new Set(probed.map(({ status }) => status))).toEqual(new Set(["skipped"]));
    await expect(readFile(calls)).rejects.toThrow();
  });

  it("calls no tool that changed while others were called", async () => {
    const opened = await project({ shop: fixture("orders") }, TRUSTED);
    const [entry] = await opened.catalog.read();
    const tools = entry?.record?.tools.map((tool) => ({ ...tool, hash: "earlier" })) ?? [];
    const earlier = entry?.record && { ...entry, record: { ...entry.record, tools } };
    const probed = await probeTools(opened, earlier ? [earlier] : []);
    expect(probed[0]).toMatchObject({ status: "skipped", detail: "it has changed meanwhile" });
  });

  it("calls nothing that may need arguments, or that contradicts itself", async () => {
    const calls = join(await tempDir(), "calls");
    const opened = await project({ shop: { ...fixture("claims-to-read"), env: { CALLS: calls } } }, TRUSTED);
    const probed = await probeTools(opened, await opened.catalog.read());
    expect(await readFile(calls, "utf8")).toBe("plain\nannotated\nodd_output\n");
    const reasons = Object.fromEntries(probed.map(({ tool, detail }) => [tool, detail]));
    expect(reasons["needs"]).toBe("it needs arguments");
    expect(reasons["minimum"]).toBe("it may need arguments");
    expect(reasons["unusable"]).toBe("it may need arguments");
    expect(reasons["two_minds"]).toBe("not read-only: it may change something");
    expect(toolOf(opened, "two_minds")?.warnings).toEqual([
      '"annotations" say both that it only reads and that it destroys: it counts as destructive',
    ]);
  });
});
