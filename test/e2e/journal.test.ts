import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { fixture, writeProject } from "../fixtures/project.ts";

const make = (config: unknown = {}) =>
  writeProject({ ".mcp.json": { mcpServers: { good: fixture("good") } }, "keyhole.config.json": config });
const stats = async (dir: string) => JSON.parse((await keyhole(dir, ["stats", "--json"])).stdout);

describe("the journal", () => {
  it("has a run whose answer was given, also when the gateway is killed in that moment [journal-kill]", async () => {
    const dir = await make();
    for (let runs = 1; runs <= 3; runs++) {
      const child = await startKeyhole(dir, ["serve"], {}, "pipe");
      if (child.stdin === null || child.stdout === null) throw new Error("No pipes");
      const { stdin, stdout } = child;
      const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      const clientInfo = { name: "test", version: "1" };
      send({
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
      });
      for await (const line of createInterface(stdout)) {
        const { id } = JSON.parse(line);
        if (id === 2) break;
        if (id !== 1) continue;
        send({ method: "notifications/initialized" });
        const code = "return good.good0({ value: 'x' })";
        send({ id: 2, method: "tools/call", params: { name: "execute_code", arguments: { code } } });
      }
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      expect(await stats(dir)).toMatchObject({ runs, failed: 0, calls: runs });
    }
  });

  it("that can't be written is told of; by config nothing is run then [journal-failure]", async () => {
    for (const onFailure of ["continue", "stop"]) {
      const dir = await make({ journal: { onFailure } });
      await writeFile(join(dir, ".keyhole"), "a file in the way");
      const { code, stdout, stderr } = await keyhole(dir, ["run", "-e", "return 41 + 1"]);
      expect([code, stdout.trim()]).toEqual(onFailure === "stop" ? [1, ""] : [0, "42"]);
      expect(stderr).toContain('.keyhole" is not a folder');
    }
  });

  it("that a repository brings along is moved aside, and told of", async () => {
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { good: fixture("good") } },
      ".keyhole/keyhole.db": "SQLite format 3\u0000 and what an attacker likes",
    });
    const { code, stdout, stderr } = await keyhole(dir, ["run", "-e", "return 41 + 1"]);
    expect([code, stdout.trim()]).toEqual([0, "42"]);
    expect(stderr).toContain("was not made by this user's Keyhole in this place");
    expect(await readdir(join(dir, ".keyhole"))).toContainEqual(
      expect.stringMatching(/^keyhole\.db\.aside-/),
    );
    expect(await stats(dir)).toMatchObject({ runs: 1 });
  });

  it("is not kept where it is turned off", async () => {
    const dir = await make({ journal: { enabled: false } });
    await keyhole(dir, ["run", "-e", "return 1"]);
    expect(await stats(dir)).toMatchObject({ runs: 0 });
  });
});
