import { describe, expect, it } from "vitest";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, writeProject } from "../fixtures/project.ts";

describe("results", () => {
  it("that Python printed, or that have NaN, are data in a program [results-parsed]", async () => {
    const dir = await writeProject({ ".mcp.json": { mcpServers: { crm: fixture("pythonic") } } });
    const code =
      "const [first]: any = await crm.searchCustomers(); return [first.revenue, await crm.listAddresses(), await crm.getPacked()];";
    const { stdout } = await keyhole(dir, ["run", "-e", code, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      result: [null, ["a@b.c", "it's"], { a: 1 }],
      logs: [{ text: "(crm.searchCustomers sent NaN, read as null)" }],
    });
  });

  it("that are large are whole, or fail by the key that allows more [large-answers]", async () => {
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { many: fixture("many-values") } },
      "keyhole.config.json": {
        securityLevel: "low",
        servers: { many: { maxMessageValues: 200_000 } },
      },
    });
    const code = `const send = (count: number) => many.send({ as: "structured", count } as any);
      const { a }: any = await send(150_000);
      const { code, message }: any = await send(250_000).catch((error) => error);
      return [a.length, code, message, await many.fine({} as any)];`;
    const { stdout } = await keyhole(dir, ["run", "-e", code, "--json"]);
    expect(JSON.parse(stdout).result).toEqual([
      150_000,
      "limit",
      expect.stringContaining("maxMessageValues"),
      "fine",
    ]);
  });

  it("of writes are told with their arguments when a program fails after them [run-writes]", async () => {
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { mail: fixture("mailbox") } },
      "keyhole.config.json": { securityLevel: "low" },
    });
    const code =
      'await mail.moveMail({ email_id: "00001", folder: "done" }); await mail.deleteMail({ email_id: "00002" });';
    const { code: exit, stdout, stderr } = await keyhole(dir, ["run", "-e", code]);
    expect(exit).toBe(1);
    expect(stdout + stderr).toContain('mail.moveMail done: {email_id:"00001",folder:"done"}');
    expect(stdout + stderr).toContain('mail.deleteMail failed: {email_id:"00002"}');
  });
});
