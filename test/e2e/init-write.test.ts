import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, tempDir, writeProject } from "../fixtures/project.ts";

const KILLER = pathToFileURL(fileURLToPath(new URL("../fixtures/kill-at-write.js", import.meta.url))).href;

async function setUp() {
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { good: fixture("good", "good", "2") } },
    ".vscode/mcp.json": '{\n  // mine\n  "servers": { "other": { "command": "other" } }\n}\n',
    "keyhole.config.json": "{}",
  });
  const home = await tempDir();
  await mkdir(join(home, ".codex"));
  await writeFile(join(home, ".codex", "config.toml"), '[mcp_servers.docs]\nurl = "https://docs/mcp" # x\n');
  return { dir, home };
}

/** The files that matter: not the backups and half-written files that a killed process may leave behind. */
async function contents(...dirs: string[]): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const dir of dirs) {
    for (const entry of await readdir(dir, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      const isLeft = /\.bak(\.\d+)?$|\.keyhole-.*\.tmp$|[\\/]\.config[\\/]keyhole[\\/]/.test(path);
      if (entry.isFile() && !isLeft) all[path] = await readFile(path, "utf8");
    }
  }
  return all;
}

describe("keyhole init --write", () => {
  it("puts Keyhole before the servers, so that the next command reaches them, and --undo takes it back [init-write]", async () => {
    const { dir, home } = await setUp();
    const start = await contents(dir, home);
    const env = { HOME: home };
    const refused = await keyhole(dir, ["init", "--write", "--all"], env);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(await contents(dir, home)).toEqual(start);

    const written = await keyhole(dir, ["init", "--write", "--all", "--yes"], env);
    expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining('+     "keyhole": {') });
    // It stood in the folder: it is started once somebody has looked at it.
    expect(written.stderr).toContain("keyhole trust");
    expect((await keyhole(dir, ["trust", "--yes"], env)).code).toBe(0);
    const { stdout } = await keyhole(dir, ["tools", "good", "--json"], env);
    expect(JSON.parse(stdout)).toMatchObject({ servers: [{ name: "good", tools: 2, status: "ready" }] });

    expect(await keyhole(dir, ["init", "--undo"], env)).toMatchObject({ code: 0 });
    const end = await contents(dir, home);
    for (const path of Object.keys(start)) expect(end[path]).toBe(start[path]);
    const again = await keyhole(dir, ["init", "--undo"], env);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing to undo") });
  });

  it("killed between any two steps leaves what --undo puts back, also when that is killed [init-write]", async () => {
    let isWhole = false;
    for (let step = 1; !isWhole; step++) {
      expect(step).toBeLessThan(40);
      const { dir, home } = await setUp();
      const start = await contents(dir, home);
      const env = { HOME: home };
      const killed = (at: number) => ({ ...env, KILL_AT: String(at), NODE_OPTIONS: `--import=${KILLER}` });
      isWhole = (await keyhole(dir, ["init", "--write", "--all", "--yes"], killed(step))).code === 0;
      // Undone by a process that is killed too, and by one that is not.
      await keyhole(dir, ["init", "--undo"], killed(1 + (step % 6)));
      expect(await keyhole(dir, ["init", "--undo"], env)).toMatchObject({ code: 0 });
      expect(await contents(dir, home)).toEqual(start);
    }
  }, 120_000);
});
