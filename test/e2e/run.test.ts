import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectKeyhole, keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { fixture, reference, writeProject } from "../fixtures/project.ts";

async function memoryProject(): Promise<string> {
  return writeProject({
    ".mcp.json": { mcpServers: { memory: reference("memory"), good: fixture("good") } },
  });
}

describe("keyhole run", () => {
  it("runs a program from the command line, a file, and standard input [run-sources]", async () => {
    const dir = await memoryProject();
    const code = "const graph = await memory.readGraph();\nreturn graph.entities.length + 41;";
    await writeFile(join(dir, "program.ts"), code);
    expect(await keyhole(dir, ["run", "-e", code])).toMatchObject({ code: 0, stdout: "41\n" });
    expect(await keyhole(dir, ["run", "program.ts"])).toMatchObject({ code: 0, stdout: "41\n" });
    const child = await startKeyhole(dir, ["run", "-"], {}, "pipe");
    child.stdin?.end(code);
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    await new Promise((resolve) => child.once("close", resolve));
    expect(stdout).toBe("41\n");
  });

  it("makes a workspace that git passes over [workspace-ignored]", async () => {
    const dir = await memoryProject();
    expect(await keyhole(dir, ["run", "-e", "return 1"])).toMatchObject({ code: 0 });
    expect(await readFile(join(dir, "workspace", ".gitignore"), "utf8")).toBe("*\n");
  });

  it("prints one JSON document with result, logs, calls and receipt [run-json]", async () => {
    const dir = await memoryProject();
    const { code, stdout } = await keyhole(dir, [
      "run",
      "--json",
      "-e",
      "console.log('hi'); return memory.readGraph();",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      status: "done",
      result: { entities: [], relations: [] },
      logs: [{ level: "info", text: "hi" }],
      calls: [{ server: "memory", tool: "read_graph", ok: true }],
      receipt: {
        seenTokens: expect.any(Number),
        keptTokens: expect.any(Number),
        directTokens: expect.any(Number),
      },
    });
  });

  it("ends with 1 when the program fails, and says where and how to go on [run-failure]", async () => {
    const dir = await memoryProject();
    const thrown = await keyhole(dir, ["run", "-e", "const x = 1;\nthrow new Error('no luck');"]);
    expect(thrown.code).toBe(1);
    expect(thrown.stdout).toContain("no luck");
    expect(thrown.stdout).toContain("line 2");
    const typo = await keyhole(dir, ["run", "-e", "return memory.readgrph();"]);
    expect(typo).toMatchObject({ code: 1, stdout: expect.stringContaining("readGraph") });
    const unchecked = await keyhole(dir, ["run", "--no-check", "-e", "const n: number = 'x'; return n;"]);
    expect(unchecked).toMatchObject({ code: 0, stdout: "x\n" });
  });

  it.each([[["run"]], [["run", "no-such-file.ts"]], [["run", "a.ts", "-e", "return 1"]]])(
    "%j ends with 2 and says what to do [run-usage]",
    async (args) => {
      const dir = await memoryProject();
      const { code, stderr } = await keyhole(dir, args);
      expect(code).toBe(2);
      expect(stderr).toContain("→");
    },
  );
});

describe("discovery in a program", () => {
  const code = `import { readdir, readFile } from "node:fs/promises";
const servers = await readdir("./servers");
const tools = await readdir(\`./servers/\${servers[0]}\`);
return (await readFile(\`./servers/\${servers[0]}/\${tools[0]}\`, "utf8")).slice(0, 500);`;

  it("walks from the servers to a wrapper by the file system [run-discovery]", async () => {
    const dir = await memoryProject();
    await writeFile(join(dir, "look.ts"), code);
    const { code: exitCode, stdout } = await keyhole(dir, ["run", "look.ts", "--json"]);
    const { result, calls } = JSON.parse(stdout) as { result: string; calls: unknown[] };
    await keyhole(dir, ["generate"]);
    const written = await readFile(join(dir, "servers/good/good0.ts"), "utf8");
    expect({ exitCode, result, calls }).toEqual({ exitCode: 0, result: written.slice(0, 500), calls: [] });
  });

  it("does the same through execute_code [run-discovery]", async () => {
    const dir = await memoryProject();
    const front = await connectKeyhole(dir);
    const { content, isError, _meta } = await front.callTool({ name: "execute_code", arguments: { code } });
    expect(_meta).toMatchObject({ "keyhole/result": { ok: true, status: "done", calls: [] } });
    expect({ content, isError }).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("export interface Good0Input") }],
      isError: false,
    });
  });
});

describe("keyhole stats", () => {
  it("adds up what was run [stats-sum]", async () => {
    const dir = await memoryProject();
    expect(await keyhole(dir, ["stats"])).toMatchObject({ code: 0, stdout: "No program has run here yet\n" });
    await keyhole(dir, ["run", "-e", "return memory.readGraph();"]);
    await keyhole(dir, ["run", "-e", "throw 1;"]);
    const { stdout } = await keyhole(dir, ["stats", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      runs: 2,
      failed: 1,
      calls: 1,
      tools: [{ tool: "read_graph", calls: 1 }],
    });
  });
});
