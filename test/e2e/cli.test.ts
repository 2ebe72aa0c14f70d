import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { fixture, reference, tempDir, writeProject, writeUserConfig } from "../fixtures/project.ts";

type Json = {
  tools: { server: string; tool: string; function: string }[];
  servers: Record<string, unknown>[];
};

async function mcpProject(
  servers: Record<string, unknown>,
  files: Record<string, unknown> = {},
): Promise<string> {
  return writeProject({ ".mcp.json": { mcpServers: servers }, ...files });
}

describe("keyhole tools", () => {
  it("lists the tools of the four reference servers, as text and as data [tools-reference]", async () => {
    const dir = await mcpProject({
      everything: reference("everything"),
      filesystem: reference("filesystem", "."),
      memory: reference("memory"),
      "sequential-thinking": reference("sequential-thinking"),
    });
    const { code, stdout } = await keyhole(dir, ["tools", "--json"]);
    expect(code).toBe(0);
    const { tools, servers }: Json = JSON.parse(stdout);
    expect(servers.map(({ name, status, identifier }) => [name, status, identifier])).toEqual([
      ["everything", "ready", "everything"],
      ["filesystem", "ready", "filesystem"],
      ["memory", "ready", "memory"],
      ["sequential-thinking", "ready", "sequentialThinking"],
    ]);
    expect(tools).toContainEqual(
      expect.objectContaining({
        server: "filesystem",
        tool: "read_text_file",
        function: "filesystem.readTextFile",
      }),
    );
    const text = await keyhole(dir, ["tools", "memory"]);
    expect(text.stdout).toContain("memory.createEntities");
    expect(text.stdout).not.toContain("readTextFile");
  });

  it("shows the names to write, and takes a server's in any spelling [names-shown]", async () => {
    const dir = await mcpProject({
      "google-drive": fixture("drive", "get_sheet"),
      fs: fixture("drive", "read_file"),
    });
    for (const name of ["google-drive", "google_drive", "googleDrive", "GoogleDrive"]) {
      const { code, stdout } = await keyhole(dir, ["tools", name]);
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("googleDrive.getSheet"),
      });
      expect(stdout).not.toContain("fs_.readFile");
    }
    const { stdout } = await keyhole(dir, ["servers"]);
    expect(stdout).toMatch(/google-drive\s+googleDrive in programs/);
    expect(stdout).toMatch(/fs\s+fs_ in programs/);
    expect((await keyhole(dir, ["search", "server:google_drive"])).stdout).toContain("googleDrive.getSheet(");
    expect((await keyhole(dir, ["generate"])).code).toBe(0);
    expect((await readdir(join(dir, "servers"))).sort()).toEqual(
      expect.arrayContaining(["fs", "google-drive"]),
    );
    expect((await keyhole(dir, ["generate", "--lang", "python", "--out", "py"])).code).toBe(0);
    expect(await readFile(join(dir, "py/google_drive/get_sheet.py"), "utf8")).toContain(
      "async def get_sheet",
    );
  });

  it("needs no server when the cache is warm, and asks again with --refresh [tools-cache]", async () => {
    const dir = await mcpProject({ good: fixture("good") });
    await keyhole(dir, ["tools"]);
    const cached: Json = JSON.parse((await keyhole(dir, ["tools", "--json"])).stdout);
    expect(cached.servers[0]).toMatchObject({ status: "ready", from: "cache" });
    const fresh: Json = JSON.parse((await keyhole(dir, ["tools", "--json", "--refresh"])).stdout);
    expect(fresh.servers[0]).toMatchObject({ status: "ready", from: "server" });
  });

  it("shows both eras [tools-eras]", async () => {
    const dir = await mcpProject({ old: fixture("good"), new: fixture("modern") });
    const { servers }: Json = JSON.parse((await keyhole(dir, ["tools", "--json"])).stdout);
    expect(servers.map(({ name, era }) => [name, era])).toEqual([
      ["old", "legacy"],
      ["new", "modern"],
    ]);
  });

  it("says what is wrong with one server and lists the others [tools-failure]", async () => {
    const dir = await mcpProject({ good: fixture("good"), dead: fixture("dies-at-once") });
    const { code, stdout } = await keyhole(dir, ["tools"]);
    expect(code).toBe(0);
    expect(stdout).toContain("good0");
    expect(stdout).toContain("exit code 3");
    expect(stdout).toContain("API_TOKEN is not set");
  });

  it("ends with 1 when no server is left [tools-all-failed]", async () => {
    const dir = await mcpProject({ dead: { command: "no-such-command-anywhere" } });
    expect(await keyhole(dir, ["tools"])).toMatchObject({ code: 1 });
  });

  it("names the nearest server for a wrong name, and ends with 2 [tools-unknown]", async () => {
    const dir = await mcpProject({ github: fixture("good") });
    expect(await keyhole(dir, ["tools", "githb"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "github"?'),
    });
  });

  it("has no colours where nobody is watching [output-colours]", async () => {
    const dir = await mcpProject({ good: fixture("good"), dead: fixture("dies-at-once") });
    const { stdout, stderr } = await keyhole(dir, ["tools"]);
    expect(stdout + stderr).not.toContain("\u001b");
  });

  it("tells of a tool that changed since the last time [tools-changes]", async () => {
    const dir = await mcpProject({ changing: fixture("changing", "memory") });
    await keyhole(dir, ["tools"]);
    await writeFile(join(dir, "memory"), "");
    const { stdout } = await keyhole(dir, ["tools", "--refresh"]);
    expect(stdout).toMatch(
      /changed change: description, inputSchema\.properties\.force \(noticed just now, as it was since \d{4}-/,
    );
  });
});

describe("text of a server", () => {
  it("reaches the terminal without escapes, and can't fake a line of ours [output-safe]", async () => {
    const dir = await mcpProject({ impostor: fixture("impostor", "changed") });
    const outputs = [await keyhole(dir, ["tools"])];
    await writeFile(join(dir, "changed"), "");
    for (const args of [["servers"], ["doctor", "--quick"], ["tools"], ["generate"]])
      outputs.push(await keyhole(dir, args));
    const printed = outputs.map(({ stdout, stderr }) => stdout + stderr).join("");
    expect(printed).toContain("changed fine");
    expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(printed).not.toMatch(/^\s*✓ faked line/m);
  });
});

describe("keyhole servers", () => {
  it("asks each server, and shows those that fail beside the others [servers-list]", async () => {
    const dir = await mcpProject({ good: fixture("good"), dead: { command: "no-such-command-anywhere" } });
    const { code, stdout } = await keyhole(dir, ["servers", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      servers: [
        { name: "good", tools: 1, status: "ready", transport: "stdio", protocolVersion: "2025-06-18" },
        { name: "dead", tools: 0, status: "failed", error: { code: "command_not_found" } },
      ],
    });
  });
});

describe("keyhole doctor", () => {
  it("tries what it reports, and ends with 0 when all is well [doctor-well]", async () => {
    const dir = await mcpProject({ good: fixture("good") });
    await writeUserConfig(dir, { docker: { socket: "/nowhere/docker.sock" } });
    const { code, stdout } = await keyhole(dir, ["doctor", "--json"]);
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { id: string; status: string }[] };
    expect([code, ok]).toEqual([0, true]);
    const docker = checks.find(({ id }) => id === "sandbox docker");
    expect(docker).toMatchObject({ status: "limited", detail: 'Nothing listens at "/nowhere/docker.sock"' });
    const basic = checks.filter(({ id }) => !/^(sandbox|language|commands)/.test(id));
    expect(checks.some(({ id, status }) => id === "sandbox" && status !== "failed")).toBe(true);
    expect(basic.map(({ id, status }) => [id, status])).toEqual([
      ["node", "ok"],
      ["watchdog", "ok"],
      ["reading", "ok"],
      ["state", "ok"],
      ["config", "ok"],
      ["journal", "ok"],
      ["audit", "ok"],
      ["vault", "ok"],
      ["tier", "ok"],
      ["servers", "ok"],
    ]);
    const quick = JSON.parse((await keyhole(dir, ["doctor", "--quick", "--json"])).stdout);
    expect(quick.checks).toContainEqual({
      id: "sandbox",
      status: "ok",
      title: 'Sandbox "process": there',
      detail: "none of its limits was tried (--quick)",
    });
  });

  it.each([
    ["no server", { ".mcp.json": { mcpServers: {} } }, "keyhole init"],
    ["a broken file", { ".mcp.json": '{\n  "mcpServers": {,}\n}' }, ".mcp.json:2:"],
  ])("names the way out of %s [doctor-fix]", async (_case, files, way) => {
    const dir = await writeProject(files);
    const { code, stdout } = await keyhole(dir, ["doctor", "--quick"]);
    expect(code).toBe(1);
    expect(stdout).toContain(way);
  });
});

describe("a server that died", () => {
  it("has its last words in the errors of servers, doctor and run [last-words]", async () => {
    const dir = await mcpProject({ dies: fixture("dies-at-once"), mid: fixture("closes-mid-call") });
    for (const args of [
      ["servers"],
      ["doctor", "--quick"],
      ["run", "-e", "return await dies.anything({})"],
    ]) {
      const { stdout, stderr } = await keyhole(dir, args);
      expect(stdout + stderr).toContain("stderr: Error: API_TOKEN is not set\n");
    }
    const { code, stdout } = await keyhole(dir, ["run", "-e", "return await mid.crash({})"]);
    expect(code).toBe(1);
    expect(stdout).toContain("it ended with exit code 7 during the call\n  stderr: panic: out of cheese");
  });
});

describe("keyhole generate", () => {
  it("writes a tree that compiles, touches only what changed, and leaves users' files alone [generate-tree]", async () => {
    const dir = await mcpProject({ good: fixture("good", "good", "2"), memory: reference("memory") });
    await mkdir(join(dir, "servers/good"), { recursive: true });
    await writeFile(join(dir, "servers/good/mine.ts"), "export {};\n");
    const first = await keyhole(dir, ["generate", "--json", "--force"]);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ tools: 11, kept: [], removed: [] });
    const wrapper = join(dir, "servers/memory/createEntities.ts");
    expect(await readFile(wrapper, "utf8")).toContain(
      "export async function createEntities(input: CreateEntitiesInput)",
    );
    const before = (await stat(wrapper)).mtimeMs;
    expect(JSON.parse((await keyhole(dir, ["generate", "--json"])).stdout)).toMatchObject({
      written: [],
      removed: [],
    });
    expect((await stat(wrapper)).mtimeMs).toBe(before);

    await writeFile(
      join(dir, ".mcp.json"),
      JSON.stringify({ mcpServers: { good: fixture("good", "good", "1") } }),
    );
    const third = JSON.parse((await keyhole(dir, ["generate", "--json"])).stdout) as { removed: string[] };
    expect(third.removed).toContain("good/good1.ts");
    expect(third.removed).toContain("memory/createEntities.ts");
    expect(await readFile(join(dir, "servers/good/mine.ts"), "utf8")).toBe("export {};\n");
  });

  it("refuses a folder that has other things in it, before it starts any server [generate-own]", async () => {
    const file = join(await tempDir(), "pids");
    const dir = await mcpProject({ stubborn: fixture("stubborn", file) });
    await mkdir(join(dir, "src"));
    await writeFile(join(dir, "src/mine.ts"), "export {};\n");
    const refused = await keyhole(dir, ["generate", "--out", "src"]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--force") });
    expect(await readdir(join(dir, "src"))).toEqual(["mine.ts"]);
    await expect(readFile(file)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("refuses a folder that a link leads out of the project, also with --force [generate-links]", async () => {
    const outside = await tempDir();
    const dir = await mcpProject({ good: fixture("good") });
    await symlink(outside, join(dir, "servers"));
    for (const options of [[], ["--force"], ["--out", "servers/deeper"]]) {
      const refused = await keyhole(dir, ["generate", ...options]);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("Remove the link") });
    }
    expect(await readdir(outside)).toEqual([]);
    expect((await keyhole(dir, ["generate", "--out", outside])).code).toBe(0);
  });

  it("writes elsewhere and in Python when asked [generate-options]", async () => {
    const dir = await mcpProject({ memory: reference("memory") });
    const { code } = await keyhole(dir, ["generate", "--out", ".claude/mcp-api", "--lang", "py"]);
    expect(code).toBe(0);
    const wrapper = await readFile(join(dir, ".claude/mcp-api/memory/create_entities.py"), "utf8");
    expect(wrapper).toContain("async def create_entities(");
  });

  it("keeps the wrappers of a server that does not answer now [generate-down]", async () => {
    const dir = await mcpProject({ memory: reference("memory"), good: fixture("good") });
    await keyhole(dir, ["generate"]);
    await writeFile(
      join(dir, ".mcp.json"),
      JSON.stringify({ mcpServers: { memory: { command: "no-such-command" }, good: fixture("good") } }),
    );
    const { code, stderr } = await keyhole(dir, ["generate"]);
    expect(code).toBe(0);
    expect(stderr).toContain("no-such-command");
    expect(await readFile(join(dir, "servers/memory/createEntities.ts"), "utf8")).toContain("createEntities");
  });
});

describe("a terminal", () => {
  const orders = "\u001b]0;title\u0007\u001b[2J\u009b31m\u202e\u2028";

  it.each([["servers"], ["tools"], ["doctor", "--quick"], ["generate"]])(
    "is given no orders by a command that is not there, in `%s` [terminal-orders]",
    async (...args) => {
      const dir = await mcpProject({ bad: { command: `no${orders}\n✓ fake` }, good: fixture("good") });
      const { stdout, stderr } = await keyhole(dir, args);
      const text = stdout + stderr;
      expect(text).toContain("fake");
      expect(text).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
      expect(text).not.toMatch(/^✓ fake/m);
    },
  );

  it("is not shown a secret in a command's path, nor is it stored [command-secret]", async () => {
    const secret = "ghp_Zq3xT9wLm2Kp8vR4";
    const dir = await mcpProject({ bad: { command: `/opt/${secret}/run` }, good: fixture("good") });
    for (const options of [["servers"], ["tools", "--json"]]) {
      const { stdout, stderr } = await keyhole(dir, options);
      expect(stdout + stderr).toContain("/opt/[command]/run");
      expect(stdout + stderr).not.toContain(secret);
    }
    const stored = await readdir(join(dir, ".keyhole"), { recursive: true, withFileTypes: true });
    const files = stored.filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name } of files)
      expect(await readFile(join(parentPath, name), "utf8")).not.toContain(secret);
  });

  it("is given no orders in JSON, which says the same [terminal-json]", async () => {
    const dir = await mcpProject({ good: fixture("good") });
    const { stdout } = await keyhole(dir, [
      "run",
      "--json",
      "-e",
      // A program with such a character in its text is refused.
      `return ${JSON.stringify(`a${orders}\u007fz`).replaceAll("\u202e", "\\u202e")}`,
    ]);
    expect(stdout).not.toMatch(/[\u001b\u0007\u007f-\u009f\u202e\u2028]/);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, result: `a${orders}\u007fz` });
  });

  it("is given no orders by names in a manifest that came with a repository [terminal-orders]", async () => {
    const dir = await mcpProject({ good: fixture("good") });
    await mkdir(join(dir, "servers"));
    const name = `a${orders}\n✓ fake.ts`;
    await writeFile(join(dir, "servers", name), "x");
    const manifest = { version: 1, files: { [name]: ["0"] } };
    await writeFile(join(dir, "servers/.keyhole-typescript.json"), JSON.stringify(manifest));
    const { stderr } = await keyhole(dir, ["generate"]);
    expect(stderr).toContain("fake.ts");
    expect(stderr).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
    expect(stderr).not.toMatch(/^✓ fake/m);
  });
});

describe("wrong use", () => {
  it.each([[["nope"]], [["tools", "--nope"]], [["generate", "--lang", "cobol"]], [["tools", "--project"]]])(
    "%j ends with 2 and says so on stderr [exit-usage]",
    async (args) => {
      const dir = await mcpProject({ good: fixture("good") });
      const { code, stdout, stderr } = await keyhole(dir, args);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^error: /);
    },
  );

  it.each([[["nope"]], [["tools", "--nope"]], [["tools", "a", "b"]], [["generate", "--lang", "cobol"]]])(
    "%j is reported as one JSON document when JSON was asked for [exit-usage]",
    async (args) => {
      const dir = await mcpProject({ good: fixture("good") });
      const { code, stdout } = await keyhole(dir, [...args, "--json"]);
      expect(code).toBe(2);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: "usage" } });
    },
  );

  it("of the wrong key in .mcp.json names the right one [exit-config]", async () => {
    const dir = await writeProject({ ".mcp.json": { servers: { a: { command: "node" } } } });
    expect(await keyhole(dir, ["tools"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"mcpServers"'),
    });
  });

  it("in the configuration ends with 2, naming file, line and fix, as data too [exit-config]", async () => {
    const dir = await mcpProject(
      { good: fixture("good") },
      { "keyhole.config.json": '{\n  "sandboxMod": "process"\n}' },
    );
    const text = await keyhole(dir, ["tools"]);
    expect(text.code).toBe(2);
    expect(text.stderr).toContain("keyhole.config.json:2:");
    expect(text.stderr).toContain("sandboxMode");
    const data = await keyhole(dir, ["tools", "--json"]);
    expect(data.code).toBe(2);
    expect(JSON.parse(data.stdout)).toMatchObject({ error: { code: "config_invalid" } });
  });

  it("is none of ours when the reader stops early [output-pipe]", async () => {
    const dir = await mcpProject({ memory: reference("memory") });
    await keyhole(dir, ["tools"]);
    const child = await startKeyhole(dir, ["tools", "--json"]);
    child.stdout?.destroy();
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, stderr]).toEqual([0, ""]);
  });
});
