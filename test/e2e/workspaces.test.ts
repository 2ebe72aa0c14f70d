import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { fixture, writeProject } from "../fixtures/project.ts";

function open(config: object = {}): Promise<string> {
  return writeProject({
    ".mcp.json": { mcpServers: { good: fixture("good") } },
    "keyhole.config.json": config,
  });
}

async function ran(dir: string, code: string, ...more: string[]): Promise<string> {
  const { code: exit, stdout, stderr } = await keyhole(dir, ["run", "-e", code, ...more]);
  expect(exit, stderr).toBe(0);
  return stdout.trim();
}

async function json(dir: string, ...args: string[]) {
  const { code, stdout, stderr } = await keyhole(dir, ["workspace", ...args, "--json"]);
  expect(code, stdout + stderr).toBe(0);
  return JSON.parse(stdout);
}

describe("keyhole workspace", () => {
  it("lists, shows, keeps, restores and removes what programs keep [workspace-kept]", async () => {
    const dir = await open({ workspace: { shared: { notes: { write: ["local"] } } } });
    expect(await json(dir, "list")).toEqual({ workspaces: [] });
    await ran(
      dir,
      `await fs.promises.writeFile("workspace/a.txt", "one"); await fs.promises.writeFile("shared/notes/n.txt", "note"); await state.set("k", 1)`,
    );
    const { workspaces } = await json(dir, "list");
    expect(workspaces).toMatchObject([
      { name: "local", entries: 2, state: { keys: 1 }, snapshots: 0, usedAt: expect.any(String) },
      { name: "shared/notes", entries: 2, state: { keys: 0 } },
    ]);
    const { snapshot } = await json(dir, "snapshot", "local", "--note", "before");
    expect(snapshot).toMatchObject({ id: expect.stringMatching(/^w_/), note: "before", removed: [] });
    await ran(dir, `await fs.promises.writeFile("workspace/a.txt", "two")`);
    const unasked = await keyhole(dir, ["workspace", "restore", "local", snapshot.id]);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("--yes")]);
    expect(await readFile(join(dir, "workspace/a.txt"), "utf8")).toBe("two");
    const { saved } = await json(dir, "restore", "local", snapshot.id, "--yes");
    expect(await readFile(join(dir, "workspace/a.txt"), "utf8")).toBe("one");
    const shown = await json(dir, "show");
    expect(shown.snapshots.map(({ id }: { id: string }) => id)).toEqual([saved.id, snapshot.id]);
    expect(shown.files.map(({ path }: { path: string }) => path)).toEqual([".gitignore", "a.txt"]);
    expect((await keyhole(dir, ["workspace", "show", "local", "a.txt"])).stdout).toBe("one");
    expect((await keyhole(dir, ["workspace", "show", "shared/notes"])).stdout).toContain("n.txt");
    await json(dir, "remove", "local", saved.id, "--yes");
    await json(dir, "remove", "shared/notes", "--yes");
    expect(existsSync(join(dir, ".keyhole/shared/notes/n.txt"))).toBe(false);
    await json(dir, "remove", "local", "--yes");
    expect(
      await ran(dir, `return [await state.get("k", "gone"), fs.existsSync("workspace/a.txt")]`),
    ).toContain("gone");
    const { events } = JSON.parse(
      (await keyhole(dir, ["audit", "list", "--action", "workspace.changed", "--json"])).stdout,
    );
    expect(events.map(({ details }: { details: { change: string } }) => details.change).sort()).toEqual([
      "kept",
      "removed",
      "removed",
      "restored",
      "snapshot removed",
    ]);
  });

  it.each([
    ["show", "nobody"],
    ["show", "../.."],
    ["show", "shared/../../x"],
    ["show", "local", "../.mcp.json"],
    ["show", "local", "/etc/passwd"],
    ["restore", "local"],
    ["restore", "local", "w_0000000000000000", "--yes"],
    ["restore", "local", "../../..", "--yes"],
    ["remove", "--yes"],
    ["remove", "local", "../../workspace", "--yes"],
    ["list", "local"],
    ["grow"],
  ])("is used wrongly by %s %s [workspace-wrong]", async (...args) => {
    const dir = await open();
    await ran(dir, `await fs.promises.writeFile("workspace/a.txt", "one")`);
    const { code, stdout } = await keyhole(dir, ["workspace", ...args, "--json"]);
    expect([code, JSON.parse(stdout).error.code]).toEqual([2, "usage"]);
    expect(await readFile(join(dir, "workspace/a.txt"), "utf8")).toBe("one");
  });
});

it("state is there in the next run, in either language, also after a kill [state-kept]", async () => {
  const dir = await open();
  const child = await startKeyhole(dir, [
    "run",
    "-e",
    `for (let n = 1; ; n++) { await state.set("n", n); console.log("kept", n); await new Promise((done) => setTimeout(done, 5)); }`,
  ]);
  // It is on the disk before the program goes on.
  while (!existsSync(join(dir, ".keyhole/memory.db-wal"))) await new Promise((done) => setImmediate(done));
  let found = 0;
  while (found < 5) {
    const text = await ran(dir, `return await state.get("n", 0)`);
    found = Number(text);
  }
  child.kill("SIGKILL");
  const kept = Number(await ran(dir, `state.get("n", 0)`, "--lang", "python"));
  expect(kept).toBeGreaterThanOrEqual(found);
  expect(await ran(dir, `state.update("n", lambda n: n + 1)`, "--lang", "python")).toBe(String(kept + 1));
});
