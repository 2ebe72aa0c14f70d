import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig } from "../config/load.ts";
import { chooseByPrompt } from "./init/choose.ts";
import { findCandidates } from "./init/find.ts";
import { initCommand } from "./init.ts";
import type { Output } from "./output.ts";

let root: string;
let home: string;
let project: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "keyhole-init-"));
  home = join(root, "home");
  project = join(root, "project");
  await mkdir(home);
  await mkdir(project);
});
afterEach(async () => {
  process.exitCode = undefined;
  await rm(root, { recursive: true, force: true });
});

async function write(file: string, content: unknown): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return file;
}

type Written = {
  printed: string[];
  data: unknown[];
  notices: string[];
  failures: unknown[];
  exitCode: unknown;
};

async function init(...flags: string[]): Promise<Written> {
  const written: Written = { printed: [], data: [], notices: [], failures: [], exitCode: undefined };
  const output = ({ json = false }: { json?: boolean }): Output => ({
    json,
    interactive: false,
    columns: Number.POSITIVE_INFINITY,
    print: (line = "") => written.printed.push(line),
    printJson: (data) => written.data.push(JSON.parse(JSON.stringify(data))),
    notice: (line) => written.notices.push(line),
    fail: (error) => written.failures.push(error),
    style: (_style, text) => text,
    progress: () => ({ done() {} }),
  });
  const program = new Command("keyhole").option("--project <dir>").exitOverride();
  const command = initCommand({ output, homeDir: home, env: {}, platform: "linux" });
  command.configureOutput({ writeErr: () => {} });
  program.addCommand(command);
  await program.parseAsync(["--project", project, "init", ...flags], { from: "user" });
  return { ...written, exitCode: process.exitCode };
}

const config = async (name = "keyhole.config.json") =>
  JSON.parse(await readFile(join(project, name), "utf8"));
const load = () => loadConfig({ projectDir: project, homeDir: home, env: {}, platform: "linux" });

async function writeClients() {
  await write(join(project, ".mcp.json"), {
    mcpServers: { shared: { command: "npx", args: ["-y", "shared"] } },
  });
  await write(join(home, ".cursor", "mcp.json"), {
    mcpServers: {
      github: { command: "gh-mcp", env: { GITHUB_TOKEN: "${env:GITHUB_TOKEN}" } },
      shared: { command: "other" },
      broken: { command: 5 },
    },
  });
  await write(
    join(home, ".codex", "config.toml"),
    '[mcp_servers.docs]\nurl = "https://docs/mcp"\ntool_timeout_sec = 5\n[mcp_servers.github]\ncommand = "gh-mcp"\n',
  );
}

describe("without a choice and without a terminal", () => {
  test("lists what was found and ends with 2 and the flags to use", async () => {
    await writeClients();
    const { printed, failures, exitCode } = await init();
    const text = printed.join("\n");
    expect(text).toContain(`Claude Code (project) ${join(project, ".mcp.json")}\n  shared  npx -y shared`);
    expect(text).toContain(`    also in Cursor: ${join(home, ".cursor", "mcp.json")}, defined differently`);
    expect(text).toMatch(/Cursor \(user\).*\n {2}github {2}gh-mcp/);
    expect(text).toMatch(/invalid "broken" {2}.*must be a string, got a number/);
    expect(text).toMatch(/Codex \(user\).*\n {2}docs {2}https:\/\/docs\/mcp/);
    expect(text.match(/^ {2}github /gm)).toHaveLength(1);
    expect(failures).toMatchObject([
      { code: "usage", hint: "Choose with --all, --server NAME or --from CLIENT" },
    ]);
    expect(exitCode).toBe(2);
    expect(await readdir(project)).toEqual([".mcp.json"]);
  });

  test("with --json prints one document and ends with 2", async () => {
    await writeClients();
    const { data, printed, failures, exitCode } = await init("--json");
    expect(data).toMatchObject([
      {
        found: [{ client: "claude-code" }, { client: "cursor" }, { client: "codex" }],
        written: null,
        error: { code: "usage" },
      },
    ]);
    expect([printed, failures, exitCode]).toEqual([[], [], 2]);
  });

  test("says so when nothing was found", async () => {
    expect(await init("--all")).toMatchObject({
      failures: [{ code: "usage", message: "Found no MCP servers to take over" }],
      exitCode: 2,
    });
  });

  test("tells of a client's file that cannot be read", async () => {
    const file = await write(join(home, ".gemini", "settings.json"), "{");
    expect((await init()).printed.join("\n")).toContain(`unreadable ${file}:1:2: Expected "}"`);
  });
});

describe("choosing", () => {
  beforeEach(writeClients);

  test("--all copies every server, and what was written loads", async () => {
    const { exitCode } = await init("--all");
    expect(exitCode).toBe(0);
    expect(await config()).toEqual({
      $schema: expect.stringMatching(/keyhole\.config\.schema\.json$/),
      servers: {
        shared: { command: "npx", args: ["-y", "shared"] },
        github: { command: "gh-mcp", env: { GITHUB_TOKEN: "${GITHUB_TOKEN}" } },
        docs: { type: "http", url: "https://docs/mcp", timeoutMs: 5000 },
      },
    });
    const { servers, invalidServers } = await load();
    expect(servers.map(({ name, source }) => [name, source.client])).toEqual([
      ["shared", "keyhole"],
      ["github", "keyhole"],
      ["docs", "keyhole"],
    ]);
    expect(invalidServers).toEqual([]);
  });

  test("--yes means all when nothing else is chosen", async () => {
    await init("--yes");
    expect(Object.keys((await config()).servers)).toEqual(["shared", "github", "docs"]);
  });

  test("--server takes the servers named", async () => {
    await init("--server", "docs", "--server", "github");
    expect(Object.keys((await config()).servers)).toEqual(["docs", "github"]);
  });

  test("--from takes that client's servers, as it defines them", async () => {
    await init("--from", "cursor");
    expect((await config()).servers).toMatchObject({ shared: { command: "other" }, github: { env: {} } });
  });

  test("--server with --from takes that client's definition", async () => {
    await init("--server", "shared", "--from", "cursor");
    expect((await config()).servers).toEqual({ shared: { command: "other" } });
  });

  test("a server that was not found is told, with the nearest one", async () => {
    const { failures, exitCode } = await init("--server", "githb");
    expect(failures).toMatchObject([{ code: "server_unknown", hint: 'Did you mean "github"?' }]);
    expect(exitCode).toBe(2);
  });

  test("an unknown client or format is wrong use", async () => {
    await expect(init("--from", "emacs")).rejects.toMatchObject({ code: "commander.invalidArgument" });
    await expect(init("--format", "toml", "--all")).rejects.toMatchObject({
      code: "commander.invalidArgument",
    });
  });

  test("--link refers to the client's file, and what was written loads", async () => {
    await init("--all", "--link");
    expect((await config()).servers).toEqual({
      shared: { from: "claude-code" },
      github: { from: "cursor" },
      docs: { from: "codex" },
    });
    expect((await load()).servers.map(({ source }) => source.client)).toEqual([
      "mcp-json",
      "cursor",
      "codex",
    ]);
  });

  test("--format yaml writes YAML that loads", async () => {
    await init("--all", "--format", "yaml");
    const text = await readFile(join(project, "keyhole.config.yaml"), "utf8");
    expect(text).toContain("# yaml-language-server: $schema=./node_modules/");
    expect((await load()).servers).toHaveLength(3);
  });

  test("on a terminal asks, with the enabled servers chosen", async () => {
    const { candidates } = await findCandidates({
      projectDir: project,
      homeDir: home,
      env: {},
      platform: "linux",
    });
    const input = new PassThrough();
    const answer = chooseByPrompt(candidates, { input, output: new PassThrough() });
    input.write(" ");
    input.write("\r");
    expect((await answer).map(({ name }) => name)).toEqual(["github", "docs"]);
  });

  test("on a terminal can be left without writing", async () => {
    const { candidates } = await findCandidates({
      projectDir: project,
      homeDir: home,
      env: {},
      platform: "linux",
    });
    const input = new PassThrough();
    const answer = chooseByPrompt(candidates, { input, output: new PassThrough() });
    input.write("\u0003");
    await expect(answer).rejects.toMatchObject({ code: "cancelled" });
  });

  test("never changes another client's file", async () => {
    const files = [
      join(project, ".mcp.json"),
      join(home, ".cursor", "mcp.json"),
      join(home, ".codex", "config.toml"),
    ];
    const before = await Promise.all(files.map((file) => readFile(file, "utf8")));
    await init("--all");
    expect(await Promise.all(files.map((file) => readFile(file, "utf8")))).toEqual(before);
  });

  test("leaves Keyhole itself out, with a notice", async () => {
    await write(join(home, ".gemini", "settings.json"), {
      mcpServers: { keyhole: { command: "npx", args: ["-y", "keyhole-mcp", "serve"] } },
    });
    const { notices } = await init("--all");
    expect((await config()).servers).not.toHaveProperty("keyhole");
    expect(notices).toContainEqual(expect.stringContaining('server "keyhole"'));
  });

  test("says that .mcp.json is read anyway, and why the copy helps", async () => {
    expect((await init("--all")).notices).toContainEqual(
      expect.stringContaining("Keyhole reads shared from .mcp.json anyway"),
    );
  });
});

describe("writing", () => {
  beforeEach(writeClients);

  test("an existing config is not overwritten", async () => {
    const file = await write(join(project, "keyhole.config.yaml"), "enabled: false\n");
    const { failures, exitCode } = await init("--all");
    expect(failures).toMatchObject([
      {
        code: "file_conflict",
        message: expect.stringContaining(file),
        hint: expect.stringContaining("--force"),
      },
    ]);
    expect(exitCode).toBe(1);
    expect(await readFile(file, "utf8")).toBe("enabled: false\n");
  });

  test("--force keeps the old config as .bak, whichever format it had", async () => {
    await write(join(project, "keyhole.config.yaml"), "enabled: false\n");
    await init("--all", "--force");
    expect((await readdir(project)).sort()).toEqual([
      ".mcp.json",
      "keyhole.config.json",
      "keyhole.config.yaml.bak",
    ]);
    expect(await readFile(join(project, "keyhole.config.yaml.bak"), "utf8")).toBe("enabled: false\n");
    await init("--server", "docs", "--force");
    expect(Object.keys((await config("keyhole.config.json.bak")).servers)).toHaveLength(3);
    expect(Object.keys((await config()).servers)).toEqual(["docs"]);
  });

  test("--dry-run writes nothing and shows what it would write, secrets masked", async () => {
    await write(join(home, ".gemini", "settings.json"), {
      mcpServers: { g: { command: "g", args: ["--api-key", "sk-abc"], env: { G_TOKEN: "hush" } } },
    });
    const { printed, notices } = await init("--all", "--dry-run");
    const text = printed.join("\n");
    expect(text).toContain(`Would write ${join(project, "keyhole.config.json")}`);
    expect(text).toContain('"G_TOKEN": "********"');
    expect(`${text}${notices.join()}`).not.toMatch(/hush|sk-abc/);
    expect(await readdir(project)).toEqual([".mcp.json"]);
  });

  test("literal values make the file private, and those that look like secrets are named", async () => {
    await write(join(home, ".gemini", "settings.json"), {
      mcpServers: {
        g: {
          command: "g",
          args: ["--token=abc", "-y"],
          env: { API_KEY: "literal", MAX_TOKENS: "4096", MODE: "fast", X: "a8Kq2Lz9Xw4Rt7Yb1Nm5Pv3" },
        },
        h: {
          httpUrl: "https://h/mcp?api_key=abc&x=1",
          headers: { Authorization: "Bearer abc", Accept: "text/plain" },
        },
      },
    });
    const { notices } = await init("--from", "gemini");
    const secrets = notices.find((notice) => notice.includes("look like secrets"));
    expect(secrets).toContain("g.env.API_KEY, g.env.X, g.args[0], h.headers.Authorization, h.url.");
    expect(secrets).toContain("out of git");
    expect(secrets).toContain("${VAR}");
    const { mode } = await stat(join(project, "keyhole.config.json"));
    if (process.platform !== "win32") expect(mode & 0o777).toBe(0o600);
  });

  test("a secret in an argument makes the file private too", async () => {
    await write(join(home, ".gemini", "settings.json"), {
      mcpServers: { g: { command: "g", args: ["--token=abc"] } },
    });
    await init("--from", "gemini");
    const { mode } = await stat(join(project, "keyhole.config.json"));
    if (process.platform !== "win32") expect(mode & 0o777).toBe(0o600);
  });

  test("references to variables only need no privacy and no warning", async () => {
    const { notices } = await init("--server", "github");
    expect(notices.join()).not.toContain("secrets");
    const { mode } = await stat(join(project, "keyhole.config.json"));
    if (process.platform !== "win32") expect(mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test("leaves no temporary file behind", async () => {
    await init("--all");
    expect((await readdir(project)).sort()).toEqual([".mcp.json", "keyhole.config.json"]);
  });
});

describe("what to paste", () => {
  beforeEach(writeClients);

  test("is shown for each client that was found", async () => {
    const { data } = await init("--all", "--json");
    const args = ["-y", "keyhole-mcp", "serve", "--project", project];
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      written: {
        file: join(project, "keyhole.config.json"),
        servers: ["shared", "github", "docs"],
        mode: "copy",
        dryRun: false,
      },
      paste: [
        {
          client: "claude-code",
          file: join(project, ".mcp.json"),
          snippet: JSON.stringify({ mcpServers: { keyhole: { command: "npx", args } } }, null, 2),
          replaces: [{ file: join(project, ".mcp.json"), servers: ["shared"] }],
        },
        {
          client: "cursor",
          file: join(project, ".cursor", "mcp.json"),
          replaces: [{ file: join(home, ".cursor", "mcp.json"), servers: ["shared", "github"] }],
        },
        {
          client: "codex",
          file: join(project, ".codex", "config.toml"),
          snippet: `[mcp_servers.keyhole]\ncommand = "npx"\nargs = ["-y", "keyhole-mcp", "serve", "--project", ${JSON.stringify(project)}]\nenv_vars = ["GITHUB_TOKEN"]`,
          replaces: [{ file: join(home, ".codex", "config.toml"), servers: ["github", "docs"] }],
        },
      ],
    });
    expect(Object.keys(data[0] ?? {})).toEqual(["found", "written", "paste", "notices"]);
  });

  test("is shown for the clients asked for, in their own shape", async () => {
    const { printed } = await init("--all", "--client", "vscode", "--client", "claude-desktop");
    const text = printed.join("\n");
    expect(text).toContain(`VS Code: put this into ${join(project, ".vscode", "mcp.json")}\n`);
    expect(text).toContain('"servers": {\n    "keyhole": {\n      "type": "stdio"');
    expect(text).toContain("Claude Desktop: put this into");
    expect(text).not.toContain("Codex: put this into");
  });
});
