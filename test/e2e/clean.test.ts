import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, tempDir, writeProject } from "../fixtures/project.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

async function projectWith(files: readonly string[]) {
  const dir = await writeProject({ ".mcp.json": { mcpServers: { good: fixture("good") } } });
  // The user's own caches are elsewhere than this machine's.
  const env = { XDG_CACHE_HOME: await tempDir() };
  const shared = join(dir, ".keyhole/results/local/shared");
  mkdirSync(shared, { recursive: true });
  for (const name of files) {
    writeFileSync(join(shared, name), "x".repeat(10_000));
    const at = new Date(Date.now() - 20 * DAY_MS);
    utimesSync(join(shared, name), at, at);
  }
  return {
    shared,
    clean: (...options: string[]) => keyhole(dir, ["clean", ...options], env),
    audit: () => keyhole(dir, ["audit", "list", "--action", "clean.ended", "--json"], env),
  };
}

describe("keyhole clean", () => {
  it("tells in a dry run what would go, why and how much, and removes nothing [clean-dry]", async () => {
    const { shared, clean, audit } = await projectWith(["a.txt", "b.txt"]);
    const { code, stdout } = await clean("--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^saved results: results\/local\/shared\/a\.txt {2}\d+ KB {2}older than 14 days$/m,
    );
    expect(stdout).toContain("2 things would go");
    expect(existsSync(join(shared, "a.txt"))).toBe(true);
    const told = JSON.parse((await clean("--dry-run", "--json")).stdout);
    const done = JSON.parse((await clean("--json")).stdout);
    expect(done.removed).toEqual(told.removed);
    expect([told.dryRun, done.dryRun]).toEqual([true, false]);
    expect(existsSync(join(shared, "a.txt"))).toBe(false);
    expect(JSON.parse((await audit()).stdout).events).toMatchObject([
      { action: "clean.ended", details: { by: "cli", kinds: { "saved results": 2 } } },
    ]);
  });

  it("says so when there is nothing, and refuses what it can't do [clean-wrong-use]", async () => {
    const { clean } = await projectWith([]);
    expect((await clean()).stdout).toContain("Nothing to clean up");
    expect(await clean("everything")).toMatchObject({ code: 2 });
  });

  it("prints names that somebody has planted as plain text [clean-safe]", async () => {
    const { clean } = await projectWith(["\u001b]0;owned\u0007\u001b[31mred.txt"]);
    const { stdout } = await clean("--dry-run");
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("red.txt");
  });
});
