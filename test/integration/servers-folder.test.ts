import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine/create-engine.ts";
import { generateTree } from "../../src/engine/generate.ts";
import type { Project } from "../../src/engine/project.ts";
import { inSession } from "../fixtures/in-session.ts";
import {
  fixture,
  fixturePath,
  onCleanup,
  project,
  reference,
  reopen,
  tempDir,
  writeProject,
} from "../fixtures/project.ts";

async function engineOf(opened: Project) {
  await opened.catalog.read();
  const engine = inSession(createEngine(opened, { poolSize: 0 }));
  onCleanup(() => engine.close());
  return engine;
}

/** What `keyhole generate` writes, by path; its own list of what it wrote is no part of the tree. */
async function written(opened: Project): Promise<Record<string, string>> {
  const dir = await tempDir();
  await generateTree(dir, opened.catalog.entries(), "typescript");
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith(".keyhole-"))
    .map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  return Object.fromEntries(paths.map((path, index) => [path.slice(dir.length + 1), texts[index] ?? ""]));
}

const READ_ALL = `
  import { readdir, readFile, writeFile } from "node:fs/promises";
  const all = await readdir("./servers", { recursive: true, withFileTypes: true });
  const paths = all.filter((entry) => entry.isFile()).map((entry) => \`\${entry.parentPath}/\${entry.name}\`);
  paths.push("./servers/_keyhole.ts");
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  await writeFile("./workspace/all.json", JSON.stringify(Object.fromEntries(paths.map((path, n) => [path, texts[n]]))));
  return paths.length;
`;

describe("./servers in a program", () => {
  it("is, byte for byte, the tree that generate writes", async () => {
    const opened = await project({
      everything: reference("everything"),
      memory: reference("memory"),
      filesystem: reference("filesystem", await tempDir()),
      odd: fixture("odd-tools"),
      "many-tools": fixture("good", "good", "40"),
      gone: { command: "no-such-command-anywhere" },
    });
    const engine = await engineOf(opened);
    const tree = await written(opened);
    const result = await engine.run({ code: READ_ALL });
    expect(result).toMatchObject({ ok: true, result: Object.keys(tree).length, calls: [] });
    const read = JSON.parse(await readFile(join(opened.dir, "workspace/all.json"), "utf8"));
    expect(read).toEqual(
      Object.fromEntries(Object.entries(tree).map(([path, text]) => [`./servers/${path}`, text])),
    );
    expect(Object.keys(tree).length).toBeGreaterThan(70);
    expect((await readdir(opened.dir)).sort()).toEqual([".keyhole", ".mcp.json", "workspace"]);
  });

  it("is no call in the receipt, nor for whoever listens", async () => {
    const engine = await engineOf(await project({ memory: reference("memory") }));
    const events: string[] = [];
    const code = `import { readFile } from "fs/promises";
      const texts = await Promise.all(Array.from({ length: 100 }, () => readFile("./servers/memory/readGraph.ts", "utf8")));
      return [texts.length, (await memory.readGraph()).entities.length];`;
    engine.events.subscribe({}, ({ kind }) => events.push(kind));
    const result = await engine.run({ code });
    expect(result).toMatchObject({
      ok: true,
      result: [100, 0],
      calls: [{ tool: "read_graph" }],
      receipt: { calls: 1 },
    });
    expect(events).toEqual(["queued", "started", "call", "called", "ended"]);
  });

  it("names what was meant when a server, or a file, is not there", async () => {
    const engine = await engineOf(await project({ memory: reference("memory") }));
    const seen = async (path: string) => {
      const code = `import { readFile } from "fs/promises";\nreturn await readFile(${JSON.stringify(path)}, "utf8");`;
      return (await engine.run({ code })).text;
    };
    expect(await seen("./servers/memroy/readGraph.ts")).toContain("Did you mean 'memory'?");
    const text = await seen("./servers/memory/read_grph.ts");
    expect(text).toContain("ENOENT");
    expect(text).toContain("'readGraph.ts'");
    expect(text).toContain("line 2");
  });

  it("keeps the folder of a server that does not answer any more, as generate keeps its files", async () => {
    const dir = await writeProject({ "server.js": `await import(${JSON.stringify(fixturePath("good"))});` });
    const server = { command: process.execPath, args: [join(dir, "server.js")] };
    await writeFile(join(dir, ".mcp.json"), JSON.stringify({ mcpServers: { good: server } }));
    const opened = await reopen(dir);
    await opened.catalog.read();
    await rm(join(dir, "server.js"));
    await opened.close();
    const again = await reopen(dir);
    expect(await again.catalog.read({ refresh: true })).toMatchObject([{ status: "failed", record: {} }]);
    const engine = inSession(createEngine(again, { poolSize: 0 }));
    onCleanup(() => engine.close());
    const code = 'import { readdir } from "fs/promises"; return readdir("./servers", { recursive: true });';
    expect(Object.keys(await written(again))).toContain("good/good0.ts");
    expect(await engine.run({ code })).toMatchObject({
      ok: true,
      result: ["good", "good/good0.ts", "good/index.ts"],
    });
  });

  it("leaves imports of the same names as they are", async () => {
    const engine = await engineOf(await project({ memory: reference("memory") }));
    const code = `import { readFile } from "node:fs/promises";
      import { readGraph } from "./servers/memory/readGraph.ts";
      import * as all from "./servers/memory/index.ts";
      const text = await readFile("./servers/memory/readGraph.ts", "utf8");
      return [text.includes("readGraph"), await readGraph(), typeof all.createEntities];`;
    const empty = { entities: [], relations: [] };
    expect(await engine.run({ code })).toMatchObject({ ok: true, result: [true, empty, "function"] });
  });

  it("is not reached as a tool of a server, by any name", async () => {
    const engine = await engineOf(await project({ memory: reference("memory") }));
    const code = `
      const { callTool } = (globalThis as any).__keyhole;
      const call = (server, tool) => callTool(server, tool, { folder: "servers", path: "" }).catch((error) => error.message);
      return [await call("", "readFolder"), await call("memory", "readFolder"), await call("keyhole", "readFolder")];`;
    const { result } = await engine.run({ code });
    expect(result).toEqual([
      expect.stringContaining("no server and no tool with a name of 0 characters"),
      expect.stringContaining('no tool "readFolder"'),
      expect.stringContaining('no server "keyhole"'),
    ]);
  });
});

describe("searchTools in a program", () => {
  it("lists the servers without a query, and gives definitions when asked for all", async () => {
    const engine = await engineOf(await project({ memory: reference("memory"), good: fixture("good") }));
    const code = `
      const { servers } = await searchTools();
      const full = await searchTools("delete entities", "full", 1);
      const named = await searchTools("delete entities", { detail: "name", limit: 2 });
      return { servers, full: full.tools, named: named.tools };`;
    const { result } = await engine.run({ code });
    expect(result).toMatchObject({
      servers: [
        { name: "memory", tools: 9, status: "ready" },
        { name: "good", tools: 1, status: "ready" },
      ],
      full: [
        {
          function: "memory.deleteEntities",
          definition: expect.stringMatching(/entityNames: string\[\]; \/\/ An array of entity names/),
        },
      ],
      named: [{ function: "memory.deleteEntities" }, {}],
    });
  });
});
