import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, tempDir, writeProject } from "../fixtures/project.ts";

async function projectWith(cache: unknown) {
  const folder = await tempDir();
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { board: fixture("board", folder) } },
    "keyhole.config.json": { cache },
  });
  const run = async (code: string, ...options: string[]) => {
    const { stdout } = await keyhole(dir, ["run", "-e", code, "--json", ...options]);
    return JSON.parse(stdout);
  };
  return { dir, run, calls: () => readFileSync(join(folder, "calls"), "utf8").trim().split("\n") };
}

const KEPT = { rules: [{ server: "board", tool: "get_*", ttlMs: 600_000 }] };
const GET = "return await board.getNote({ id: 'a' })";

describe("the result cache", () => {
  it("answers an equal call in a later process, and says so [cache-answers]", async () => {
    const { dir, run, calls } = await projectWith(KEPT);
    const first = await run(GET);
    const second = await run(GET);
    expect(second.result).toEqual(first.result);
    expect(first.calls[0]).not.toHaveProperty("cached");
    expect(second.calls).toMatchObject([{ server: "board", tool: "get_note", ok: true, cached: true }]);
    expect(calls()).toHaveLength(1);
    const shown = await keyhole(dir, ["run", "-e", GET]);
    expect(shown.stderr).toContain("1 call (1 cached)");
    const stats = await keyhole(dir, ["stats"]);
    expect(stats.stdout).toContain("2 of 3 calls that may be answered from the cache were (66.7%)");
    const { stdout } = await keyhole(dir, ["stats", "--json"]);
    expect(JSON.parse(stdout).cache).toEqual({ calls: 3, hits: 2, hitPercent: 66.7 });
  });

  it("is off for one run by --no-cache [cache-off]", async () => {
    const { run, calls } = await projectWith(KEPT);
    await run(GET);
    const sent = await run(GET, "--no-cache");
    expect(sent.calls[0]).not.toHaveProperty("cached");
    expect(calls()).toHaveLength(2);
  });

  it("forgets by a write of another process what was read before it [cache-invalid]", async () => {
    const { run } = await projectWith(KEPT);
    await run(GET);
    await run("await board.setNote({ id: 'a', text: 'new' })", "--no-cache");
    expect(await run(GET)).toMatchObject({ result: { text: "new" } });
  });

  it("tells of a wrong rule with its place, and starts nothing [cache-wrong]", async () => {
    const { dir } = await projectWith({ rules: [{ tool: "get_*", ttl: 5 }] });
    const { code, stderr } = await keyhole(dir, ["run", "-e", GET]);
    expect(code).toBe(2);
    expect(stderr).toContain("keyhole.config.json");
    expect(stderr).toContain("cache.rules");
    expect(stderr).toContain('"ttlMs"');
  });
});
