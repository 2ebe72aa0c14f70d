import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ClientId, type FoundConfig, findClientConfigs } from "./clients.ts";

let root: string;
let home: string;
let project: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "keyhole-clients-"));
  home = join(root, "home");
  project = join(home, "work", "project");
  await mkdir(project, { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, content: unknown): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

async function find(
  client: ClientId,
  env: NodeJS.ProcessEnv = {},
  platform: NodeJS.Platform = "linux",
): Promise<FoundConfig[]> {
  const found = await findClientConfigs({ projectDir: project, homeDir: home, env, platform });
  return found.filter((config) => config.client === client);
}

const names = (configs: readonly FoundConfig[]) =>
  configs.map(({ scope, servers }) => [scope, ...servers.map(({ name }) => name)]);
const transports = ([config]: readonly FoundConfig[]) => config?.servers.map(({ transport }) => transport);

test("finds nothing on a machine without clients", async () => {
  expect(await findClientConfigs({ projectDir: project, homeDir: home, env: {}, platform: "linux" })).toEqual(
    [],
  );
});

test("a broken file of one client is told and hides no other", async () => {
  const broken = await write(join(home, ".codex", "config.toml"), "[mcp_servers.x\n");
  await write(join(home, ".cursor", "mcp.json"), { mcpServers: { ok: { command: "ok" } } });
  const found = await findClientConfigs({ projectDir: project, homeDir: home, env: {}, platform: "linux" });
  expect(found).toMatchObject([
    { client: "cursor", servers: [{ name: "ok" }] },
    { client: "codex", file: broken, servers: [], error: { code: "config_invalid" } },
  ]);
  expect(found[1]?.error?.message).toContain(`${broken}:1:`);
});

describe("Claude Code", () => {
  test("has a local, a project and a user scope, in that order", async () => {
    await write(join(home, ".claude.json"), {
      mcpServers: { user: { command: "u" } },
      projects: {
        [project]: { mcpServers: { local: { command: "l" } } },
        "/other": { mcpServers: { other: { command: "o" } } },
      },
    });
    await write(join(project, ".mcp.json"), { mcpServers: { shared: { command: "s" } } });
    const found = await find("claude-code");
    expect(names(found)).toEqual([
      ["local", "local"],
      ["project", "shared"],
      ["user", "user"],
    ]);
    expect(found.map(({ servers }) => servers[0]?.source.client)).toEqual([
      "claude-code",
      "mcp-json",
      "claude-code",
    ]);
  });

  test("takes the local servers of the nearest folder around that has some", async () => {
    await write(join(home, ".claude.json"), {
      projects: {
        [home]: { mcpServers: { far: { command: "f" } } },
        [dirname(project)]: { mcpServers: { near: { command: "n" } } },
        [project]: { mcpServers: {} },
      },
    });
    expect(names(await find("claude-code"))).toEqual([["local", "near"], ["user"]]);
  });

  test("follows CLAUDE_CONFIG_DIR", async () => {
    await write(join(root, "elsewhere", ".claude.json"), { mcpServers: { a: { command: "a" } } });
    expect(names(await find("claude-code", { CLAUDE_CONFIG_DIR: join(root, "elsewhere") }))).toEqual([
      ["user", "a"],
    ]);
  });

  test("says which scope hides which", async () => {
    const file = await write(join(home, ".claude.json"), { mcpServers: { a: { command: "u" } } });
    const project_ = await write(join(project, ".mcp.json"), { mcpServers: { a: { command: "s" } } });
    const found = await find("claude-code");
    expect(found[1]?.notices).toEqual([`server "a" of ${file} (user) is hidden by ${project_} (project)`]);
  });
});

describe("Claude Desktop", () => {
  test.each([
    ["linux", [".config"], {}],
    ["darwin", ["Library", "Application Support"], {}],
    ["win32", ["AppData", "Roaming"], {}],
  ] as const)("is found on %s", async (platform, folder, env) => {
    await write(join(home, ...folder, "Claude", "claude_desktop_config.json"), {
      mcpServers: { a: { command: "a" } },
    });
    expect(names(await find("claude-desktop", env, platform))).toEqual([["user", "a"]]);
  });

  test("follows APPDATA on Windows and XDG_CONFIG_HOME on Linux", async () => {
    const dir = join(root, "elsewhere");
    await write(join(dir, "Claude", "claude_desktop_config.json"), { mcpServers: { a: { command: "a" } } });
    expect(await find("claude-desktop", { APPDATA: dir }, "win32")).toHaveLength(1);
    expect(await find("claude-desktop", { XDG_CONFIG_HOME: dir }, "linux")).toHaveLength(1);
  });

  test("expands nothing, so references stay text", async () => {
    const file = join(home, ".config", "Claude", "claude_desktop_config.json");
    await write(file, {
      mcpServers: {
        a: { command: "npx", args: ["mcp-remote", "Authorization:${AUTH}", "$X"], env: { AUTH: "x" } },
      },
    });
    expect(transports(await find("claude-desktop"))).toMatchObject([
      { args: ["mcp-remote", "Authorization:${:-$}{AUTH}", "$X"] },
    ]);
  });
});

describe("Cursor", () => {
  test("has the project's file before the home folder's", async () => {
    await write(join(home, ".cursor", "mcp.json"), {
      mcpServers: { a: { command: "a" }, b: { command: "b" } },
    });
    await write(join(project, ".cursor", "mcp.json"), { mcpServers: { a: { command: "a" } } });
    const found = await find("cursor");
    expect(names(found)).toEqual([
      ["project", "a"],
      ["user", "a", "b"],
    ]);
    expect(found[1]?.notices).toEqual([expect.stringContaining('server "a"')]);
  });

  test("has its variables turned into ours", async () => {
    await write(join(project, ".cursor", "mcp.json"), {
      mcpServers: {
        a: {
          command: "${userHome}/bin/a",
          args: [
            "${workspaceFolder}${/}x",
            "${workspaceFolderBasename}${pathSeparator}",
            "${env:A}",
            "${PLAIN}",
            "${file}",
            "$B",
          ],
          envFile: "${workspaceFolder}/.env",
        },
        b: { url: "https://b", headers: { Authorization: "Bearer ${env:TOKEN}" }, auth: { CLIENT_ID: "x" } },
      },
    });
    const found = await find("cursor");
    expect(transports(found)).toEqual([
      {
        type: "stdio",
        command: "${HOME}/bin/a",
        args: [
          `\${KEYHOLE_PROJECT_DIR}${sep}x`,
          `${basename(project)}${sep}`,
          "${A}",
          "${:-$}{PLAIN}",
          "${:-$}{file}",
          "$B",
        ],
        env: {},
        envFile: "${KEYHOLE_PROJECT_DIR}/.env",
        inheritEnv: [],
      },
      { type: "http", url: "https://b", headers: { Authorization: "Bearer ${TOKEN}" } },
    ]);
    expect(found[0]?.notices).toEqual([
      expect.stringContaining('"${PLAIN}" is not supported and stays as it is'),
      expect.stringContaining('"${file}" is not supported'),
      expect.stringContaining('key "auth" is ignored'),
    ]);
  });
});

test("a default among unsupported variables is not told, for it may be a secret", async () => {
  await write(join(project, ".cursor", "mcp.json"), {
    mcpServers: { a: { command: "a", env: { T: "${T:-ghp_16C7e42F}" } } },
  });
  const notices = (await find("cursor"))[0]?.notices ?? [];
  expect(notices).toEqual([expect.stringContaining('"${T:-…}" is not supported and stays as it is')]);
});

test("a key named transport is told from type, and a description cannot steer the terminal", async () => {
  await write(join(project, ".vscode", "mcp.json"), {
    inputs: [{ id: "k", description: "red\u001b[31m\nline \u202eturned" }],
    servers: { a: { command: "a", transport: "stdio", env: { K: "${input:k}" } } },
  });
  expect((await find("vscode"))[0]?.notices).toEqual([
    expect.stringContaining('key "transport" is not known and is ignored, did you mean "type"?'),
    expect.stringContaining('for the input "k" (red line turned)'),
  ]);
});

describe("VS Code", () => {
  test("has inputs, which become variables to set", async () => {
    const file = join(project, ".vscode", "mcp.json");
    await write(
      file,
      `{ // comment
        "inputs": [
          { "type": "promptString", "id": "api-key", "description": "Key of the API", "password": true },
          { "type": "pickString", "id": "region", "default": "eu" },
        ],
        "servers": {
          "a": { "type": "stdio", "command": "a", "env": { "KEY": "\${input:api-key}", "R": "\${input:region}", "GONE": null }, "envFile": "\${workspaceFolder}/.env" },
          "b": { "type": "http", "url": "https://b", "headers": { "X": "\${input:unknown}" } },
        }
      }`,
    );
    const found = await find("vscode");
    expect(transports(found)).toMatchObject([
      { env: { KEY: "${API_KEY}", R: "${REGION:-eu}" }, envFile: "${KEYHOLE_PROJECT_DIR}/.env" },
      { url: "https://b", headers: { X: "${UNKNOWN}" } },
    ]);
    expect(found[0]?.notices).toEqual([
      expect.stringMatching(
        /mcp\.json:7:\d+: server "a": set the variable API_KEY for the input "api-key" \(Key of the API\)$/,
      ),
      expect.stringContaining(
        'set the variable REGION for the input "region"; without it the input\'s default holds',
      ),
      expect.stringContaining('set the variable UNKNOWN for the input "unknown"'),
    ]);
  });

  test.each([
    ["linux", [".config"]],
    ["darwin", ["Library", "Application Support"]],
    ["win32", ["AppData", "Roaming"]],
  ] as const)("has a user's file on %s", async (platform, folder) => {
    await write(join(home, ...folder, "Code", "User", "mcp.json"), { servers: { a: { command: "a" } } });
    expect(names(await find("vscode", {}, platform))).toEqual([["user", "a"]]);
  });
});

describe("Codex", () => {
  test("has commands, addresses and settings in TOML", async () => {
    await write(
      join(home, ".codex", "config.toml"),
      `model = "x"
[mcp_servers.a]
command = "a"
args = ["-v", "\${LITERAL}"]
env = { K = "v" }
env_vars = ["TOKEN", { name = "OTHER", source = "local" }]
cwd = "/srv"
enabled = false
required = true
enabled_tools = ["one"]
disabled_tools = ["two"]
startup_timeout_sec = 1.5
tool_timeout_sec = 120
default_tools_approval_mode = "prompt"

[mcp_servers.b]
url = "https://b"
bearer_token_env_var = "B_TOKEN"
http_headers = { X = "1" }
env_http_headers = { "X-Key" = "B_KEY" }

[mcp_servers."odd name"]
command = 5

[mcp_servers.c]
url = "https://c"
bearer_token_env_var = "sk-not-a-name"
`,
    );
    const found = await find("codex");
    expect(found[0]?.servers).toMatchObject([
      {
        name: "a",
        transport: {
          command: "a",
          args: ["-v", "${:-$}{LITERAL}"],
          env: { K: "v" },
          inheritEnv: ["TOKEN", "OTHER"],
          cwd: "/srv",
        },
        settings: {
          enabled: false,
          includeTools: ["one"],
          excludeTools: ["two"],
          connectTimeoutMs: 1500,
          timeoutMs: 120_000,
        },
      },
      {
        name: "b",
        transport: {
          type: "http",
          url: "https://b",
          headers: { X: "1", "X-Key": "${B_KEY}", Authorization: "Bearer ${B_TOKEN}" },
        },
      },
    ]);
    expect(found[0]?.invalidServers.map(({ name, error }) => [name, error.message])).toEqual([
      [
        "odd name",
        expect.stringMatching(
          /config\.toml:23:1: server "odd name": key "mcp_servers\["odd name"\]\.command" must be a string/,
        ),
      ],
      ["c", expect.stringMatching(/bearer_token_env_var" must name a variable$/)],
    ]);
    expect(found[0]?.notices).toEqual([
      expect.stringContaining('key "default_tools_approval_mode" is ignored'),
    ]);
  });

  test.each(["", "# nothing yet\n", 'model = "x"\nid = 12345678901234567890\n'])(
    "may have no servers: %j",
    async (text) => {
      await write(join(home, ".codex", "config.toml"), text);
      const found = await find("codex");
      expect(found).toMatchObject([{ scope: "user", servers: [], notices: [] }]);
      expect(found[0]?.error).toBeUndefined();
    },
  );

  test("has the project's file before the home folder's, and follows CODEX_HOME", async () => {
    await write(join(project, ".codex", "config.toml"), '[mcp_servers.p]\ncommand = "p"\n');
    await write(join(root, "codex", "config.toml"), '[mcp_servers.u]\ncommand = "u"\n');
    expect(names(await find("codex", { CODEX_HOME: join(root, "codex") }))).toEqual([
      ["project", "p"],
      ["user", "u"],
    ]);
  });
});

describe("Gemini CLI", () => {
  test("has SSE under url, Streamable HTTP under httpUrl, and bare variables", async () => {
    await write(join(home, ".gemini", "settings.json"), {
      theme: "x",
      mcpServers: {
        a: {
          command: "sh",
          args: ["-c", "echo $HOME"],
          env: { K: "$KEY", L: "${OTHER}/x", M: "a$" },
          cwd: "x",
          timeout: 5,
          trust: true,
        },
        b: { url: "https://b/sse", headers: { H: "$TOKEN" }, includeTools: ["i"], excludeTools: ["e"] },
        c: { httpUrl: "https://c/mcp", url: "https://c/sse" },
        d: { url: "https://d/mcp", type: "http" },
        e: {},
      },
    });
    const found = await find("gemini");
    expect(transports(found)).toMatchObject([
      { args: ["-c", "echo ${HOME:-$HOME}"], env: { K: "${KEY}", L: "${OTHER}/x", M: "a$" }, cwd: "x" },
      { type: "sse", url: "https://b/sse", headers: { H: "${TOKEN}" } },
      { type: "http", url: "https://c/mcp" },
      { type: "http", url: "https://d/mcp" },
    ]);
    expect(found[0]?.servers.map(({ settings }) => settings)).toMatchObject([
      { trusted: false, timeoutMs: 5 },
      { trusted: false, includeTools: ["i"], excludeTools: ["e"] },
      {},
      {},
    ]);
    expect(found[0]?.invalidServers).toMatchObject([{ name: "e" }]);
    expect(found[0]?.notices).toEqual([
      expect.stringContaining('server "a": key "trust" is ignored: it skips confirmations'),
    ]);
  });

  test("has no use for env beside an address, and says so", async () => {
    await write(join(home, ".gemini", "settings.json"), {
      mcpServers: { a: { url: "https://a", env: { K: "v" }, args: [], trust: false } },
    });
    expect((await find("gemini"))[0]?.notices).toEqual([
      expect.stringContaining('server "a": key "env" is ignored: the server is reached by an address'),
    ]);
  });

  test("has the project's file before the home folder's", async () => {
    await write(join(home, ".gemini", "settings.json"), { mcpServers: { u: { command: "u" } } });
    await write(join(project, ".gemini", "settings.json"), { mcpServers: { p: { command: "p" } } });
    expect(names(await find("gemini"))).toEqual([
      ["project", "p"],
      ["user", "u"],
    ]);
  });
});
