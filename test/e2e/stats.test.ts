import { describe, expect, it } from "vitest";
import { keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { fixture, writeProject } from "../fixtures/project.ts";

const project = () => writeProject({ ".mcp.json": { mcpServers: { good: fixture("good") } } });

describe("keyhole stats", () => {
  it("tells what was seen and spared, by day, tool or model, with bars [stats-metering]", async () => {
    const dir = await project();
    await keyhole(dir, ["run", "-e", 'return await good.good0({ value: "1" });']);
    const { stdout, code } = await keyhole(dir, ["stats", "--by", "tool"], { LANG: "C" });
    expect(code).toBe(0);
    expect(stdout).toContain("1 run, 0 failed, 1 call, 0 failed");
    expect(stdout).toMatch(/^ {2}good good_0 {2}#+ {2}/m);
    expect(stdout).toMatch(/^[\n\x20-\x7e]*$/);
    for (const line of stdout.split("\n").filter((text) => text.startsWith("  ")))
      expect(line.length).toBeLessThanOrEqual(80);
    const { stdout: json } = await keyhole(dir, ["stats", "--json", "--by", "day", "--from", "today"]);
    expect(JSON.parse(json)).toMatchObject({
      runs: 1,
      tokens: { savedPercent: expect.any(Number) },
      metering: { by: "day", from: expect.any(String), total: { runs: 1, calls: 1 }, groups: [{ runs: 1 }] },
    });
    const { stdout: none } = await keyhole(dir, ["stats", "--to", "2020-01-01"]);
    expect(none).toBe("No program has run in this time\n");
  });

  it("refuses what it can't do, and names what it can [stats-wrong-use]", async () => {
    const dir = await project();
    const wrong = await keyhole(dir, ["stats", "--by", "weather"]);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--by day, --by server, --by tool"),
    });
    const swapped = await keyhole(dir, ["stats", "--from", "2026-02-01", "--to", "2026-01-01"]);
    expect(swapped).toMatchObject({ code: 2, stderr: expect.stringContaining("--from is not before --to") });
  });
});

describe("keyhole serve", () => {
  it("tells machines what it does in JSON lines on standard error [serve-log]", async () => {
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { good: fixture("good") } },
      "keyhole.config.json": { audit: { telemetry: { prometheus: true } } },
    });
    const child = await startKeyhole(dir, ["serve"], { KEYHOLE_LOG: "json" }, "pipe");
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    const say = (message: object) =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const answered = new Promise((resolve) => {
      let stdout = "";
      child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        if (stdout.includes('"id":2')) resolve(stdout);
      });
    });
    const info = { clientInfo: { name: "raw", version: "1" }, capabilities: {} };
    say({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", ...info } });
    say({ method: "notifications/initialized" });
    say({ id: 2, method: "tools/call", params: { name: "execute_code", arguments: { code: "return 1;" } } });
    await answered;
    child.stdin?.end();
    await ended;
    const lines = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "info", name: "keyhole", msg: "run ended", status: "done" }),
    );
    // A project can't ask for telemetry, and is told so.
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "warn", msg: expect.stringContaining("audit.telemetry") }),
    );
  });

  it("refuses a level that there is none of", async () => {
    const result = await keyhole(await project(), ["serve"], { KEYHOLE_LOG_LEVEL: "loud" });
    expect(result).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("silent, error, warn, info, debug"),
    });
  });
});
