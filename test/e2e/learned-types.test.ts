import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, tempDir, writeProject } from "../fixtures/project.ts";

async function shop(config?: unknown, env: Record<string, string> = {}): Promise<string> {
  return writeProject({
    ".mcp.json": { mcpServers: { shop: { ...fixture("orders"), env } } },
    ...(config === undefined ? {} : { "keyhole.config.json": config }),
  });
}

const read = (dir: string, file: string) => readFile(join(dir, "servers/shop", file), "utf8");

describe("learned types", () => {
  it("are in the wrappers after programs ran, with the number of calls [types-learned]", async () => {
    const dir = await shop();
    await keyhole(dir, ["generate"]);
    expect(await read(dir, "listOrders.ts")).toContain("export type ListOrdersResponse = unknown;");
    const code = "return (await shop.listOrders()).orders.length;";
    for (let run = 0; run < 2; run++)
      expect(await keyhole(dir, ["run", "-e", code])).toMatchObject({ code: 0, stdout: "2\n" });
    const { stdout } = await keyhole(dir, ["generate", "--json"]);
    expect(JSON.parse(stdout).written).toEqual(["shop/listOrders.ts"]);
    const wrapper = await read(dir, "listOrders.ts");
    expect(wrapper).toContain("export interface ListOrdersResponse {");
    expect(wrapper).toContain("placed_at: string;");
    expect(wrapper).toContain("items: { [key: string]: { price: number; [key: string]: unknown } };");
    expect(wrapper).toContain(" * @returns Response type observed in 2 calls; it may have other forms.\n");
    await keyhole(dir, ["generate", "--lang", "python", "--out", "py"]);
    expect(await readFile(join(dir, "py/shop/list_orders.py"), "utf8")).toContain("placed_at: str");
    const listed = JSON.parse((await keyhole(dir, ["tools", "--json"])).stdout);
    expect(listed.tools[0]).toMatchObject({ tool: "list_orders", observed: { calls: 2 } });
    expect(listed.tools[1].observed).toBeUndefined();
  });

  it("warn about a program that does not fit them, and let it run [types-hint]", async () => {
    const dir = await shop();
    await keyhole(dir, ["run", "-e", "return shop.listOrders();"]);
    const { code, stdout } = await keyhole(dir, [
      "run",
      "-e",
      "return (await shop.listOrders()).order ?? 7;",
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /types: 1:\d+ Property 'order' does not exist on the observed result of shop\.listOrders/,
    );
    expect(stdout).toMatch(/^7$/m);
  });

  it("report declared types that results contradict [types-contradicted]", async () => {
    const dir = await shop();
    await keyhole(dir, ["run", "-e", "return shop.getTotal();"]);
    const warning = 'results contradict "outputSchema": "total" is string instead of number (once)';
    expect((await keyhole(dir, ["tools"])).stdout).toContain(`! get_total: ${warning}`);
    expect((await keyhole(dir, ["doctor", "--quick"])).stdout).toContain(`! get_total: ${warning}`);
    const { tools } = JSON.parse((await keyhole(dir, ["tools", "--json"])).stdout);
    expect(tools.at(-1)).toMatchObject({ tool: "get_total", warnings: [warning] });
    await keyhole(dir, ["generate"]);
    expect(await read(dir, "getTotal.ts")).toContain(
      "@returns Results have contradicted the declared response type",
    );
  });

  it("can be had by probing what is safe to call [types-probe]", async () => {
    const calls = join(await tempDir(), "calls");
    const untrusted = await shop(undefined, { CALLS: calls });
    const refused = await keyhole(untrusted, ["tools", "--probe"]);
    expect(refused).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('set servers."shop".trusted to true'),
    });
    await expect(readFile(calls)).rejects.toThrow();
    const dir = await shop({ servers: { shop: { trusted: true } } }, { CALLS: calls });
    const { code, stdout } = await keyhole(dir, ["tools", "--probe", "--json", "shop"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).probed).toMatchObject([
      { tool: "list_orders", status: "learned" },
      { tool: "get_order", status: "skipped", detail: "it needs arguments" },
      { tool: "cancel_order", status: "skipped" },
      { tool: "broken", status: "failed" },
      { tool: "get_total", status: "skipped" },
    ]);
    expect(await readFile(calls, "utf8")).toBe("list_orders\nbroken\n");
    await keyhole(dir, ["generate"]);
    expect(await read(dir, "listOrders.ts")).toContain("observed in 1 call;");
  });

  it("are not had by probing what the server no longer lists as safe [types-probe]", async () => {
    const [calls, changed] = [join(await tempDir(), "calls"), join(await tempDir(), "changed")];
    const server = { ...fixture("claims-to-read"), env: { CALLS: calls, CHANGED: changed } };
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { shop: server } },
      "keyhole.config.json": { servers: { shop: { trusted: true } } },
    });
    await keyhole(dir, ["tools"]);
    await writeFile(changed, "");
    const { stdout } = await keyhole(dir, ["tools", "--probe", "--json", "shop"]);
    expect(JSON.parse(stdout).probed).toMatchObject([
      { tool: "plain", status: "skipped", detail: "not read-only: it may change something" },
      { tool: "annotated", status: "skipped", detail: "it needs arguments" },
    ]);
    await expect(readFile(calls)).rejects.toThrow();
  });
});
