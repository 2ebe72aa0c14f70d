import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, writeProject } from "../fixtures/project.ts";

const clientFiles = () => ({
  ".cursor/mcp.json": { mcpServers: { good: fixture("good", "good", "2") } },
  ".vscode/mcp.json": { servers: { other: { type: "stdio", ...fixture("good", "other") } } },
});

describe("keyhole init", () => {
  it("lists what it found, and ends with 2 when a script has not chosen [init-choose]", async () => {
    const dir = await writeProject(clientFiles());
    const { code, stdout, stderr } = await keyhole(dir, ["init"]);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain("good");
    expect(stdout + stderr).toContain("--all");
  });

  it("writes the chosen servers so that the next command uses them [init-choose]", async () => {
    const dir = await writeProject(clientFiles());
    expect(await keyhole(dir, ["init", "--server", "good"])).toMatchObject({ code: 0 });
    const { code, stdout } = await keyhole(dir, ["tools", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ servers: [{ name: "good", tools: 2, status: "ready" }] });
  });

  it("shows what to paste, and changes no other client's file [init-leaves]", async () => {
    const dir = await writeProject(clientFiles());
    const paths = [".cursor/mcp.json", ".vscode/mcp.json"].map((path) => join(dir, path));
    const before = await Promise.all(paths.map((path) => readFile(path, "utf8")));
    const times = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs));
    const { stdout } = await keyhole(dir, ["init", "--all"]);
    expect(stdout).toContain("mcpServers");
    expect(stdout).toContain("serve");
    expect(await Promise.all(paths.map((path) => readFile(path, "utf8")))).toEqual(before);
    expect(await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs))).toEqual(times);
  });
});
