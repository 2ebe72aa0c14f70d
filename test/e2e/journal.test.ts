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

/** Has programs run by a gateway, and kills it in the moment in which all are answered. */
async function answersBeforeKill(dir: string, programs: readonly string[]): Promise<string[]> {
  const child = await startKeyhole(dir, ["serve"], {}, "pipe");
  if (child.stdin === null || child.stdout === null) throw new Error("No pipes");
  const { stdin, stdout } = child;
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  send({ id: "hello", method: "initialize", params });
  const answers: string[] = [];
  for await (const line of createInterface(stdout)) {
    const { id } = JSON.parse(line);
    if (typeof id === "number") answers.push(line);
    if (answers.length === programs.length) break;
    if (id !== "hello") continue;
    send({ method: "notifications/initialized" });
    for (const [n, code] of programs.entries())
      send({ id: n, method: "tools/call", params: { name: "execute_code", arguments: { code } } });
  }
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  return answers;
}

describe("the journal", () => {
  it("has a run whose answer was given, also when the gateway is killed in that moment [journal-kill]", async () => {
    const dir = await make();
    for (let runs = 1; runs <= 3; runs++) {
      await answersBeforeKill(dir, ["return good.good0({ value: 'x' })"]);
      expect(await stats(dir)).toMatchObject({ runs, failed: 0, calls: runs });
    }
  });

  it("has a run that was answered before its end, also before its turn, when the gateway is killed then", async () => {
    const dir = await make({ output: { answerAfterMs: 1_000 }, maxConcurrentTasks: 1 });
    const forever = "while (true) await new Promise((resolve) => setTimeout(resolve, 100))";
    const answers = await answersBeforeKill(dir, [forever, forever, forever]);
    const told = answers.map((line) => /r_[0-9a-f]{16}/.exec(line)?.[0]);
    const { runs } = JSON.parse((await keyhole(dir, ["runs", "list", "--json"])).stdout);
    const written = runs.map(({ runId, status }: Record<string, string>) => [runId, status]);
    expect(written.sort()).toEqual(told.map((id) => [id, "lost"]).sort());
  });

  it("that can't be written is told of; by config nothing is run then [journal-failure]", async () => {
    for (const onFailure of ["continue", "stop"]) {
      // The audit log would stop it in any case.
      const dir = await make({ journal: { onFailure }, auditLogging: false });
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
    // Whoever only reads leaves it where it is.
    const names = () => readdir(join(dir, ".keyhole"));
    for (const args of [["stats"], ["runs", "list"], ["search", "good"]]) {
      const reading = await keyhole(dir, args);
      expect(reading.code).toBe(args[0] === "search" ? 0 : 1);
      expect(reading.stderr).toContain("was not made by this user's Keyhole in this place, and is not read");
      expect((await names()).filter((name) => name.startsWith("keyhole.db"))).toEqual(["keyhole.db"]);
    }
    const { code, stdout, stderr } = await keyhole(dir, ["run", "-e", "return 41 + 1"]);
    expect([code, stdout.trim()]).toEqual([0, "42"]);
    expect(stderr).toContain("was not made by this user's Keyhole in this place");
    expect(await names()).toContainEqual(expect.stringMatching(/^keyhole\.db\.aside-/));
    expect(await stats(dir)).toMatchObject({ runs: 1 });
  });

  it("is not kept where it is turned off", async () => {
    const dir = await make({ journal: { enabled: false } });
    await keyhole(dir, ["run", "-e", "return 1"]);
    expect(await stats(dir)).toMatchObject({ runs: 0 });
  });
});
