import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { connectKeyhole, keyhole } from "../fixtures/keyhole.ts";
import { fixture, reference, writeProject } from "../fixtures/project.ts";

async function project(config: object = {}): Promise<string> {
  return writeProject({
    ".mcp.json": {
      mcpServers: {
        memory: reference("memory"),
        // Whoever starts it finds its mark.
        unneeded: { command: "node", args: ["-e", 'require("fs").writeFileSync("started", "")'] },
      },
    },
    "keyhole.config.json": config,
  });
}

/** What they hand to `run` and to tasks: the texts in them that are programs. */
async function loadExamplePrograms(): Promise<{ name: string; code: string }[]> {
  const folder = new URL("../../examples/", import.meta.url);
  return Promise.all(
    ["library.js", "servers.js", "task.js"].map(async (name) => {
      const source = await readFile(new URL(name, folder), "utf8");
      const texts: string[] = [];
      new Visitor({
        TemplateLiteral: ({ quasis }) => void texts.push(quasis.map(({ value }) => value.cooked).join("")),
        Literal: ({ value }) => void (typeof value === "string" && texts.push(value)),
      }).visit(parseSync(name, source).program);
      return { name, code: texts.find((text) => /\breturn\b/.test(text)) ?? "" };
    }),
  );
}

async function check(dir: string, file: string, code: string) {
  await writeFile(join(dir, file), code);
  const { code: exit, stdout } = await keyhole(dir, ["check", file, "--json"]);
  return { exit, ...JSON.parse(stdout) };
}

describe("keyhole check", () => {
  it("tells of a Python program that changes its own files, and of no more", async () => {
    const dir = await project();
    const code = 'from pathlib import Path\np = Path("workspace") / "a"\np.write_text("x")\n';
    await writeFile(join(dir, "a.py"), code);
    const { stdout } = await keyhole(dir, ["check", "a.py"]);
    expect(stdout).toContain("Impact: changes files of its workspace alone\n  write workspace/a\n");
  });

  it("allows what only reads, and starts no server that is not named", async () => {
    const dir = await project();
    const checked = await check(dir, "a.ts", "return (await memory.readGraph({})).entities.length");
    expect(checked).toEqual({
      exit: 0,
      ok: true,
      findings: [],
      types: [],
      risk: { score: 0, level: "low", reasons: [] },
      impact: {
        tools: [
          {
            server: "memory",
            tool: "read_graph",
            effect: "reads",
            inLoop: false,
            line: 1,
            column: 15,
            decision: "allow",
            reason: expect.any(String),
          },
        ],
        dynamic: false,
        files: [],
        hosts: [],
        commands: [],
        modifies: false,
        reversible: true,
      },
      decision: "allow",
      tier: { name: "process", by: "level" },
    });
    await expect(access(join(dir, "started"))).rejects.toThrow();
  });

  it.each([
    ["a.ts", "for (const n of ['a']) await memory.deleteEntities({ entityNames: [n] })"],
    [
      "a.py",
      "from servers.memory import delete_entities\nfor n in ['a']:\n    await delete_entities(entityNames=[n])",
    ],
  ])("says of %s what it destroys, and that it asks", async (file, code) => {
    const checked = await check(await project(), file, code);
    expect(checked).toMatchObject({ exit: 0, ok: true, decision: "ask", risk: { level: "high" } });
    expect(checked.impact).toMatchObject({ modifies: true, reversible: false });
    expect(checked.impact.tools).toMatchObject([
      { tool: "delete_entities", effect: "destroys", inLoop: true },
    ]);
  });

  it.each([
    'const [found] = (await searchTools("delete")).tools; return callMCPTool(found.server + "__" + found.tool, {})',
    'const run = eval; return run("1")',
  ])("asks where any tool may be meant, also of servers that it did not read: %s", async (code) => {
    const dir = await project();
    expect(await check(dir, "a.ts", code)).toMatchObject({ decision: "ask", impact: { dynamic: true } });
    await expect(access(join(dir, "started"))).rejects.toThrow();
  });

  it("says of commands and hosts what the config does", async () => {
    const program = 'await runCommand("git", ["push", "origin"]); await fetch("https://api.example/")';
    expect(await check(await project(), "a.ts", program)).toMatchObject({
      exit: 3,
      decision: "deny",
      impact: {
        commands: [{ command: "git push origin", decision: "deny", reason: "Commands are switched off" }],
        hosts: [{ host: "api.example", decision: "deny", reason: expect.stringContaining("no network") }],
      },
    });
    const dir = await project({
      commands: { allow: [{ command: "git", args: ["status", "log *"] }] },
      network: { allow: ["api.example", "127.0.0.1:45671"] },
    });
    const decided = async (code: string) => {
      const { exit, decision, impact } = await check(dir, "a.ts", code);
      const [use] = [...impact.commands, ...impact.hosts];
      return [exit, decision, use.decision];
    };
    const denied = [3, "deny", "deny"];
    expect(await decided('await runCommand("git", ["push", "origin"])')).toEqual(denied);
    expect(await decided('await runCommand("git", ["status"])')).toEqual([0, "allow", "allow"]);
    expect(await decided('await runCommand("rm", [String(Date.now())])')).toEqual(denied);
    expect(await decided('await runCommand("git", ["log", String(Date.now())])')).toEqual([
      0,
      "allow",
      undefined,
    ]);
    expect(await decided('await fetch("https://api.example/x")')).toEqual([0, "allow", "allow"]);
    expect(await decided('await fetch("http://127.0.0.1:45671/")')).toEqual([0, "allow", "allow"]);
    expect(await decided('await fetch("http://127.0.0.1:45672/")')).toEqual(denied);
    expect(await decided('await fetch("https://other.example/")')).toEqual(denied);
    expect(await decided("await fetch(String(Date.now()))")).toEqual([0, "allow", undefined]);
  });

  it.each(["moderate", "high"])(
    "lets those programs of examples/ pass at %s which only read",
    async (level) => {
      const dir = await writeProject({
        ".mcp.json": {
          mcpServers: { everything: reference("everything"), filesystem: reference("filesystem", ".") },
        },
        "keyhole.config.json": { securityLevel: level },
      });
      for (const { name, code } of await loadExamplePrograms())
        expect({ name, ...(await check(dir, "a.ts", code)) }).toMatchObject({
          name,
          types: [],
          findings: [],
          risk: { score: 0 },
          decision: "allow",
        });
    },
  );

  it("lists processes as commands", async () => {
    const program = 'const { execSync } = require("node:child_process"); execSync("id")';
    const { impact } = await check(await project(), "a.ts", program);
    expect(impact).toMatchObject({ commands: [{ command: "id", isPrevented: true }], modifies: true });
  });

  it.each([
    ["a.ts", 'globalThis["ev" + "al"]("1")', "hidden-name"],
    ["a.py", "().__class__.__bases__[0].__subclasses__()", "constructor-walk"],
  ])("refuses what has no honest use, in %s", async (file, code, rule) => {
    const checked = await check(await project(), file, code);
    expect(checked).toMatchObject({ exit: 3, ok: false, decision: "deny" });
    expect(checked.findings[0]).toMatchObject({ rule, severity: "error", line: 1, fix: expect.any(String) });
  });

  it("ends with 3 where a rule denies a tool, with 1 for a mistake, with 2 for wrong use", async () => {
    const rules = [{ server: "memory", tool: "read_graph", decision: "deny" }];
    const dir = await project({ permissions: { rules } });
    expect(await check(dir, "a.ts", "await memory.readGraph({})")).toMatchObject({
      exit: 3,
      decision: "deny",
    });
    expect(await check(dir, "b.ts", "await memory.searchNodes({ query: 5 })")).toMatchObject({
      exit: 1,
      ok: false,
    });
    expect(await check(dir, "c.ts", "return 1 +")).toMatchObject({ exit: 1, types: [{ kind: "syntax" }] });
    expect(await check(dir, "d.py", "def f(:\n  pass")).toMatchObject({
      exit: 1,
      types: [{ kind: "syntax" }],
    });
    expect(await keyhole(dir, ["check", "missing.ts"])).toMatchObject({ code: 2 });
    expect(await keyhole(dir, ["check"])).toMatchObject({ code: 2 });
  });

  it("tells findings of a program whose imports are not there", async () => {
    const checked = await check(await project(), "a.ts", 'import { exec } from "child_process"; exec("id")');
    expect(checked).toMatchObject({ exit: 1, types: [{ kind: "import" }] });
    expect(checked.findings[0]).toMatchObject({ rule: "process", severity: "warning" });
  });
});

describe("a run", () => {
  it("of a program that is refused makes no call, and ends with 3", async () => {
    const dir = await project();
    const code = 'await memory.readGraph({});\nreturn [].map.constructor("return 1")()';
    const { code: exit, stdout } = await keyhole(dir, ["run", "--json", "-e", code]);
    const run = JSON.parse(stdout);
    expect(exit).toBe(3);
    expect(run).toMatchObject({
      status: "failed",
      error: { kind: "denied", location: { line: 2 }, findings: [{ rule: "constructor-walk" }] },
      calls: [],
      risk: { level: "high" },
    });
    const shown = JSON.parse((await keyhole(dir, ["runs", "show", run.runId, "--json"])).stdout);
    expect(JSON.stringify(shown)).toContain('"risk":{"score":62,"level":"high"');
  });

  it("is stricter by securityLevel", async () => {
    const code = "return eval('1 + 1')";
    const moderate = await project();
    expect(await keyhole(moderate, ["run", "-e", code])).toMatchObject({ code: 0, stdout: "2\n" });
    const high = await project({ securityLevel: "high" });
    expect(await keyhole(high, ["run", "-e", code])).toMatchObject({ code: 3 });
  });

  it("tells its risk to clients, not to the model", async () => {
    const dir = await writeProject({ ".mcp.json": { mcpServers: { good: fixture("good") } } });
    const client = await connectKeyhole(dir);
    try {
      const result = await client.callTool({ name: "execute_code", arguments: { code: "return 7" } });
      expect(result._meta).toMatchObject({
        "keyhole/result": { risk: { score: 0, level: "low", reasons: [] } },
      });
      expect(result.content).toEqual([{ type: "text", text: "7" }]);
    } finally {
      await client.close();
    }
  });
});
