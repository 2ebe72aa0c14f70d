import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { toLogFolder } from "../../src/audit/log-place.ts";
import { problemsIn, readEvents } from "../fixtures/audit/audit-in.ts";
import { keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { fixture, homeOf, writeProject, writeUserConfig } from "../fixtures/project.ts";

const make = () => writeProject({ ".mcp.json": { mcpServers: { good: fixture("good", "add_thing") } } });
const placeOf = async (dir: string) => ({
  projectDir: dir,
  userDir: join(await homeOf(dir), ".config/keyhole"),
  store: "sqlite",
});

describe("the audit log", () => {
  it("has a call before its server, and a run before its answer, when the gateway is killed in that moment [audit-kill]", async () => {
    const dir = await make();
    const child = await startKeyhole(dir, ["serve"], {}, "pipe");
    if (child.stdin === null || child.stdout === null) throw new Error("No pipes");
    const { stdin, stdout } = child;
    const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "test", version: "1" };
    const code = "return good.addThing0({ value: 'x' })";
    send({
      id: "hello",
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
    });
    for await (const line of createInterface(stdout)) {
      const { id } = JSON.parse(line);
      if (id === "run") break;
      if (id !== "hello") continue;
      send({ method: "notifications/initialized" });
      send({ id: "run", method: "tools/call", params: { name: "execute_code", arguments: { code } } });
    }
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;

    const place = await placeOf(dir);
    const actions = (await readEvents(place)).map(({ action }) => action);
    const order = ["run.started", "call.sent", "call.ended", "run.ended"].map((action) =>
      actions.indexOf(action as never),
    );
    expect(order).not.toContain(-1);
    expect([...order].sort((a, b) => a - b)).toEqual(order);
    expect(await problemsIn(place)).toEqual([]);
  });

  it("that can't be written stops all work, and by the user's config only tells of it [audit-failure]", async () => {
    const dir = await make();
    const folder = toLogFolder(await placeOf(dir));
    await mkdir(dirname(folder), { recursive: true });
    await writeFile(folder, "in the way");
    const refused = await keyhole(dir, ["run", "-e", "return 41 + 1"]);
    expect([refused.code, refused.stdout.trim()]).toEqual([1, ""]);
    expect(refused.stderr).toContain("The audit log can't be written");
    expect(refused.stderr).toContain('"onFailure": "continue"');

    await writeUserConfig(dir, { audit: { onFailure: "continue" } });
    const told = await keyhole(dir, ["run", "-e", "return 41 + 1"]);
    expect([told.code, told.stdout.trim()]).toEqual([0, "42"]);
    expect(told.stderr).toContain("work goes on, and what happens now may be missing in it");
    expect(told.stderr).toMatch(/\d+ events of the audit log were not written down/);
  });
});
