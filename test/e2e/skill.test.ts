import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, homeOf, reference, writeProject } from "../fixtures/project.ts";

const SKILL = ".claude/skills/mcp-progressive-discovery/SKILL.md";
const TSC = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

const memoryProject = () =>
  writeProject({ ".mcp.json": { mcpServers: { memory: reference("memory"), good: fixture("good") } } });

async function shell(dir: string, command: string) {
  const env = { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, HOME: await homeOf(dir) };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile("sh", ["-c", command], { cwd: dir, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe("keyhole init --skill", () => {
  it("adds the skill where there are servers, and a second time changes nothing [init-skill]", async () => {
    const dir = await memoryProject();
    expect(await keyhole(dir, ["init", "--skill"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Wrote ${join(dir, SKILL)}`),
    });
    expect((await readdir(dir)).sort()).toEqual([".claude", ".mcp.json"]);
    const before = await stat(join(dir, SKILL));
    const { stdout } = await keyhole(dir, ["init", "--skill", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      written: null,
      skill: { file: join(dir, SKILL), status: "unchanged", dryRun: false, backups: [] },
    });
    expect((await stat(join(dir, SKILL))).mtimeMs).toBe(before.mtimeMs);
  });

  it("adds it beside the config, and to a project that has one already [init-skill]", async () => {
    const dir = await memoryProject();
    const { stdout } = await keyhole(dir, ["init", "--all", "--skill", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      written: { servers: ["memory", "good"] },
      skill: { status: "written" },
    });
    const config = await readFile(join(dir, "keyhole.config.json"), "utf8");
    const other = await writeProject({ "keyhole.config.json": config });
    expect(await keyhole(other, ["init", "--skill"])).toMatchObject({ code: 0 });
    expect(await readFile(join(other, SKILL), "utf8")).toBe(await readFile(join(dir, SKILL), "utf8"));
    expect(await readFile(join(other, "keyhole.config.json"), "utf8")).toBe(config);
  });

  it("writes the skill alone a second time, also by --yes, which set up the rest the first time [init-skill]", async () => {
    const dir = await memoryProject();
    const first = await keyhole(dir, ["init", "--skill", "--all", "--yes", "--json"]);
    expect(JSON.parse(first.stdout)).toMatchObject({
      written: { servers: ["memory", "good"] },
      skill: { status: "written" },
    });
    const config = await readFile(join(dir, "keyhole.config.json"), "utf8");
    await rm(join(dir, SKILL));
    for (const status of ["written", "unchanged"]) {
      const { code, stdout } = await keyhole(dir, ["init", "--skill", "--yes", "--json"]);
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, written: null, skill: { status } });
    }
    expect(await readFile(join(dir, "keyhole.config.json"), "utf8")).toBe(config);
    expect(await keyhole(dir, ["init", "--skill", "--all"])).toMatchObject({ code: 1 });
    const forced = await keyhole(dir, ["init", "--skill", "--all", "--force", "--json"]);
    expect(JSON.parse(forced.stdout)).toMatchObject({ written: { servers: ["memory", "good"] } });
  });

  it("writes nothing by --dry-run, and says what is missing where nothing is set up [init-skill]", async () => {
    const dir = await memoryProject();
    const { code, stdout } = await keyhole(dir, ["init", "--skill", "--dry-run"]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("Would write") });
    expect(await readdir(dir)).toEqual([".mcp.json"]);
    const empty = await writeProject({});
    expect(await keyhole(empty, ["init", "--skill"])).toMatchObject({ code: 2 });
    expect(await readdir(empty)).toEqual([]);
  });

  it("leaves a file that somebody changed, unless it is told to replace it [init-skill]", async () => {
    const dir = await memoryProject();
    await keyhole(dir, ["init", "--skill"]);
    const mine = `${await readFile(join(dir, SKILL), "utf8")}\nMy own line\n`;
    await writeFile(join(dir, SKILL), mine);
    const { code, stderr } = await keyhole(dir, ["init", "--skill"]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("--force") });
    const both = await keyhole(dir, ["init", "--all", "--skill", "--json"]);
    expect(JSON.parse(both.stdout)).toMatchObject({ error: { code: "file_conflict" } });
    expect(await readFile(join(dir, SKILL), "utf8")).toBe(mine);
    expect((await readdir(dir)).sort()).toEqual([".claude", ".mcp.json"]);
    const forced = await keyhole(dir, ["init", "--skill", "--force", "--json"]);
    expect(JSON.parse(forced.stdout)).toMatchObject({ skill: { status: "replaced" } });
    expect(await readFile(join(dir, `${SKILL}.bak`), "utf8")).toBe(mine);
  });
});

describe("the skill", () => {
  it("says nothing but what works, command by command [skill-works]", async () => {
    const dir = await memoryProject();
    await keyhole(dir, ["init", "--skill"]);
    await keyhole(dir, ["trust", "--yes"]);
    const text = (await readFile(join(dir, SKILL), "utf8"))
      .replaceAll("SERVER", "memory")
      .replaceAll("TOOL", "readGraph");
    const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, body]) => ({
      kind,
      body,
    }));
    const [program = ""] = blocks.flatMap(({ kind, body }) => (kind === "ts" ? [body ?? ""] : []));
    const inText = [...text.matchAll(/`((?:node|npx) [^`]+)`/g)].map(([, command]) => command ?? "");
    const commands = blocks.flatMap(({ kind, body = "" }) => (kind === "sh" ? body.trim().split("\n") : []));
    expect([commands.length, inText.length, program.includes("readGraph")]).toEqual([9, 2, true]);

    await mkdir(join(dir, "scripts"));
    await writeFile(join(dir, "scripts/task.ts"), program);
    const seen = new Map<string, string>();
    for (const command of [...commands, ...inText]) {
      const { code, stdout, stderr } = await shell(dir, command);
      expect({ command, code, stderr: code === 0 ? "" : stderr }).toEqual({ command, code: 0, stderr: "" });
      expect(stdout.trim()).not.toBe("");
      seen.set(command, stdout);
    }
    const printed = [...seen.values()];
    expect(printed[0]).toContain("memory");
    expect(printed.find((_, n) => commands[n]?.startsWith("ls "))).toContain("readGraph.ts");
    expect(printed.filter((_, n) => commands[n]?.includes(" run "))).toEqual([
      '{"entities":[],"relations":[]}\n',
      expect.stringContaining('"ok": true'),
      '{"entities":[],"relations":[]}\n',
    ]);
  });

  it("reads a tree that compiles in an editor together with the program [skill-works]", async () => {
    const dir = await memoryProject();
    await keyhole(dir, ["init", "--skill"]);
    await keyhole(dir, ["generate"]);
    const [, program = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(await readFile(join(dir, SKILL), "utf8")) ?? [];
    await mkdir(join(dir, "scripts"));
    const task = program.replaceAll("SERVER", "memory").replaceAll("TOOL", "readGraph");
    await writeFile(join(dir, "scripts/task.ts"), task);
    await writeFile(join(dir, "scripts/wrong.ts"), task.replace("readGraph({})", "readGraph({ no: 1 })"));
    for (const [module, resolution] of [
      ["esnext", "bundler"],
      ["nodenext", "nodenext"],
    ]) {
      await writeFile(join(dir, "package.json"), '{ "type": "module" }');
      const flags = `--noEmit --strict --target es2023 --lib es2023,dom --module ${module} --moduleResolution ${resolution}`;
      const compile = (file: string) => shell(dir, `node ${TSC} ${flags} --ignoreConfig scripts/${file}`);
      expect(await compile("task.ts")).toMatchObject({ code: 0, stdout: "" });
      expect((await compile("wrong.ts")).stdout).toContain("scripts/wrong.ts(3,");
    }
  });

  it("lets a program lie anywhere, and the tree where it was put [skill-works]", async () => {
    const dir = await memoryProject();
    await keyhole(dir, ["generate", "--out", ".claude/mcp-api"]);
    const programs = {
      "scripts/a.ts": "../servers/memory/index.ts",
      "scripts/deep/b.ts": "./servers/memory",
      "scripts/deep/c.ts": "../../servers/memory/readGraph.ts",
      "scripts/d.ts": "../.claude/mcp-api/memory/index.js",
      "e.ts": "./.claude/mcp-api/memory/readGraph.js",
    };
    for (const [path, specifier] of Object.entries(programs)) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      const code = `import { readGraph } from "${specifier}";\nconsole.log((await readGraph({})).entities.length);\n`;
      await writeFile(join(dir, path), code);
      expect([path, await keyhole(dir, ["run", path])]).toMatchObject([path, { code: 0, stdout: "0\n" }]);
    }
    await writeFile(join(dir, "f.ts"), 'import { x } from "./lib/memory";\nx();\n');
    expect(await keyhole(dir, ["run", "f.ts"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"./servers/<server>"'),
    });
  });
});
