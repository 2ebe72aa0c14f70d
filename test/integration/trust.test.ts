import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withAudit } from "../../src/engine/audit/audit-of-project.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import { openProject, type Project } from "../../src/engine/project.ts";
import { tellOnce } from "../../src/engine/tell-once.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { startEmbeddingsEndpoint } from "../fixtures/embeddings-endpoint.ts";
import { inSession } from "../fixtures/in-session.ts";
import { fixture, homeOf, onCleanup, tempDir, writeProject } from "../fixtures/project.ts";

async function open(dir: string, homeDir: string, trust?: boolean) {
  const project = await openProject({ dir, homeDir, env: { PATH: process.env["PATH"] }, trust });
  onCleanup(() => project.close());
  await project.catalog.read();
  const engine = createEngine(project, { poolSize: 0 });
  onCleanup(() => engine.close());
  return { project, engine, ask: inSession(engine) };
}

const statusOf = ({ catalog }: Project, name: string) => catalog.entry(name)?.status;

describe("engine.trust", () => {
  const files = { ".mcp.json": { mcpServers: { math: fixture("math"), good: fixture("good") } } };

  it("has what is pending, and starts the servers that a person accepts", async () => {
    const dir = await writeProject(files);
    const { project, engine, ask } = await open(dir, await homeOf(dir));
    expect(engine.trust.pending().map(({ id, state }) => [id, state])).toEqual([
      ["server math", "new"],
      ["server good", "new"],
    ]);
    expect(() => project.catalog.connection("math")).toThrow("Unknown server");
    expect(await engine.trust.accept(["server math"])).toEqual({ needsRestart: false });
    expect(await ask.run({ code: "return math.addUp({ numbers: [1, 2] })" })).toMatchObject({
      result: { sum: 3 },
    });
    expect([statusOf(project, "math"), statusOf(project, "good")]).toEqual(["ready", "failed"]);
    expect(engine.trust.pending().map(({ id }) => id)).toEqual(["server good"]);
  });

  it("starts no server without the settings that were accepted with it", async () => {
    const permissions = { rules: [{ server: "math", decision: "deny" }] };
    const dir = await writeProject({ ...files, "keyhole.config.json": { permissions } });
    const home = await homeOf(dir);
    const { project, engine, ask } = await open(dir, home);
    expect(await engine.trust.accept()).toEqual({ needsRestart: true });
    await ask.search({ query: "add" });
    expect(statusOf(project, "math")).toBe("failed");
    const again = await open(dir, home);
    expect(again.engine.trust.pending()).toEqual([]);
    expect(await again.ask.run({ code: "return math.addUp({ numbers: [1, 2] })" })).toMatchObject({
      error: { code: "denied" },
    });
  });

  it("accepts what was shown, and not what stands there by then", async () => {
    const dir = await writeProject(files);
    const home = await homeOf(dir);
    const { engine } = await open(dir, home);
    const evil = { mcpServers: { math: fixture("math", "evil"), good: fixture("good") } };
    await writeFile(join(dir, ".mcp.json"), JSON.stringify(evil));
    await engine.trust.accept();
    const { project } = await open(dir, home);
    expect([statusOf(project, "math"), statusOf(project, "good")]).toEqual(["failed", "ready"]);
  });

  it("is out of reach for programs and their tools", async () => {
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { math: fixture("math"), evil: fixture("good", "evil") } },
    });
    const home = await homeOf(dir);
    const { engine, ask } = await open(dir, home);
    await engine.trust.accept(["server math"]);
    const code = `const tried = [];
      for (const name of ["trust", "accept", "acceptTrust", "engine.trust.accept"])
        tried.push(await callMCPTool("keyhole", name, {}).then(() => "done", (error) => error.name));
      tried.push(await evil.evil0({ value: "x" }).then(() => "done", () => "no"));
      return tried`;
    const result = await ask.run({ code, language: "typescript" });
    expect(JSON.stringify(result)).not.toContain('"done"');
    expect(engine.trust.pending().map(({ id }) => id)).toEqual(["server evil"]);
  });
});

describe("a state that a repository brings along", () => {
  const KEPT = [
    ".gitignore",
    "allowed-tools.json",
    "audit.db",
    "audit.json",
    "catalog",
    "database.json",
    "embeddings.json",
    "eras",
    "keyhole.db",
    "memory.db",
    "memory.json",
    "observed",
    "told.txt",
    "vault.db",
    "vault.json",
  ];

  /** As an attacker fills it on a machine where the folder has the same path: all that is kept is there. */
  async function planted() {
    const endpoint = await startEmbeddingsEndpoint([["add", "sum"], ["mail"], ["file"]]);
    onCleanup(() => endpoint.close());
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { math: fixture("math"), good: fixture("good") } },
      "keyhole.config.json": {
        search: { embeddings: { url: endpoint.url, model: "concepts", timeoutMs: 10_000 } },
        permissions: { rules: [{ server: "good", decision: "allow" }] },
      },
    });
    const attacker = await tempDir();
    const { project, engine, ask } = await open(dir, attacker, true);
    await engine.warm();
    await ask.search({ query: "sum" });
    const code = `await math.addUp({ numbers: [1, 2] }); return good.good0({ value: "x" })`;
    expect(await ask.run({ code })).toMatchObject({ ok: true });
    await tellOnce(project.state, "a warning", () => {});
    await engine.close();
    await project.close();
    // The audit log's tables are written later than the rest.
    await withAudit({ projectDir: dir, homeDir: attacker, onNotice: () => {} }, async () => {});
    // It is of use to whoever wrote it.
    expect(await observedIn(dir, attacker)).toEqual(["good_0"]);
    return { dir, victim: await tempDir() };
  }

  async function observedIn(dir: string, homeDir: string): Promise<string[]> {
    const project = await openProject({ dir, homeDir, trust: true });
    const entries = await project.catalog.read();
    const tools = entries.flatMap(({ record }) => record?.tools ?? []);
    const names = tools.filter(({ observed }) => observed !== undefined).map(({ name }) => name);
    await project.close();
    return names;
  }

  const filesIn = async (dir: string) =>
    (await readdir(join(dir, ".keyhole"), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(dir, ".keyhole").length + 1))
      .sort();

  it("gains nothing by any file in it: none is believed", async () => {
    const { dir, victim } = await planted();
    const files = await filesIn(dir);
    const json = files.filter((file) => file.endsWith(".json"));
    // What is kept, each kind once: a new one that is not believed by proof shall be looked at here.
    const kinds = [...new Set(files.map((file) => file.replace(/\/.*|-(shm|wal)$/, "")))].sort();
    expect(kinds).toEqual(KEPT);
    const state = await openStateDir(dir, join(victim, ".config/keyhole"));
    expect(await Promise.all(json.map((file) => state.readJson(file)))).toEqual(json.map(() => undefined));
    const own = await openStateDir(dir, join(victim, ".config/other"));
    expect(await Promise.all(json.map((file) => own.readJson(file)))).toEqual(json.map(() => undefined));
  });

  it("has no catalogue, no learned type, no allowed tool and no journal for this user", async () => {
    const { dir, victim } = await planted();
    const notices: string[] = [];
    const project = await openProject({ dir, homeDir: victim, trust: true });
    onCleanup(() => project.close());
    const entries = await project.catalog.read();
    expect(entries.map(({ from }) => from)).toEqual(["server", "server"]);
    const engine = createEngine(project, { poolSize: 0, onNotice: (text) => notices.push(text) });
    onCleanup(() => engine.close());
    expect(await engine.stats()).toMatchObject({ runs: 0, calls: 0 });
    expect(notices.join()).toContain("keyhole.db");
    const observed = await observedIn(dir, victim);
    expect(observed).toEqual([]);
  });

  it("can't keep a warning from being told", async () => {
    const { dir, victim } = await planted();
    const told: string[] = [];
    const state = await openStateDir(dir, join(victim, ".config/keyhole"));
    await tellOnce(state, "a warning", (text) => told.push(text));
    expect(told).toEqual(["a warning"]);
    expect(await readFile(join(dir, ".keyhole/told.txt"), "utf8")).not.toBe("");
  });

  it("says nothing about trust", async () => {
    const { dir, victim } = await planted();
    const { project } = await open(dir, victim);
    expect(project.config.servers).toEqual([]);
    expect(project.trust.pending()).toHaveLength(3);
  });
});
