import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/fixtures/project.ts";
import { loadConfig } from "../../../config/load.ts";
import type { InitOptions } from "../../init.ts";
import type { Output } from "../../output.ts";
import { findCandidates } from "../find.ts";
import { runInit } from "../run.ts";
import { applyTakeover } from "./apply.ts";
import { planTakeover } from "./plan.ts";

const SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

let home: string;
let project: string;
beforeEach(async () => {
  home = await tempDir();
  project = await tempDir();
});

const places = () => ({ projectDir: project, homeDir: home, env: {}, platform: "linux" as const });

async function init(options: InitOptions, json = false) {
  const printed: string[] = [];
  const notices: string[] = [];
  const data: Record<string, unknown>[] = [];
  const output: Output = {
    json,
    interactive: false,
    columns: Number.POSITIVE_INFINITY,
    print: (line = "") => printed.push(line),
    rawPiece: async () => {},
    raw: (text) => printed.push(text),
    printJson: (value) => data.push(JSON.parse(JSON.stringify(value))),
    note: () => {},
    notice: (line) => notices.push(line),
    fail: () => {},
    logLine: () => {},
    tell: () => {},
    styleError: (_style, text) => text,
    style: (_style, text) => text,
    progress: () => ({ done() {} }),
  };
  const code = await runInit(options, places(), output);
  return { code, text: printed.join("\n"), notices, data: data[0] };
}

async function write(path: string, content: unknown): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
  return path;
}

const read = (path: string) => readFile(path, "utf8");
const json = async (path: string) => JSON.parse(await read(path));
const config = () => json(join(project, "keyhole.config.json"));

/** Every file below a folder with its content, links and folders by what they are. */
async function tree(dir: string, under = ""): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(join(dir, under), { withFileTypes: true })) {
    const path = join(under, entry.name);
    if (entry.isDirectory()) Object.assign(files, { [`${path}/`]: "" }, await tree(dir, path));
    else files[path] = `${(await lstat(join(dir, path))).mode} ${await read(join(dir, path))}`;
  }
  return files;
}

/** One file of each client, in the client's own shape. */
async function writeClients() {
  return {
    code: await write(join(project, ".mcp.json"), {
      mcpServers: { files: { command: "npx", args: ["files"] } },
    }),
    local: await write(join(home, ".claude.json"), {
      numStartups: 3,
      projects: { [project]: { mcpServers: { local: { command: "local" } }, history: ["x"] } },
      mcpServers: { everywhere: { command: "everywhere" } },
    }),
    desktop: await write(
      join(home, ".config/Claude/claude_desktop_config.json"),
      '{ "mcpServers": { "desk": { "command": "desk" } } }',
    ),
    cursor: await write(
      join(home, ".cursor/mcp.json"),
      `{\n\t// mine\n\t"mcpServers": {\n\t\t"github": {\n\t\t\t"command": "gh", // inside\n\t\t\t"env": { "GITHUB_TOKEN": "${SECRET}" }\n\t\t}\n\t}\n}\n`,
    ),
    vscode: await write(join(project, ".vscode/mcp.json"), {
      inputs: [{ type: "promptString", id: "api-key", description: "Key", password: true }],
      servers: { web: { type: "stdio", command: "web", env: { API_KEY: "${input:api-key}" } } },
    }),
    codex: await write(
      join(home, ".codex/config.toml"),
      'model = "o3" # mine\n\n[mcp_servers.docs]\nurl = "https://docs/mcp"\nbearer_token_env_var = "DOCS_TOKEN"\n\n[profiles.x]\nk = 1\n',
    ),
    gemini: await write(join(project, ".gemini/settings.json"), {
      theme: "dark",
      mcpServers: { gem: { httpUrl: "https://gem/mcp" } },
    }),
  };
}

const snapshot = async () => ({ home: await tree(home), project: await tree(project) });
/** The record's folder may stay, and is empty. */
const withoutRecord = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(".config/keyhole/")));

describe("--write", () => {
  test("takes the servers of every client over, and --undo puts all of it back to the byte [init-write]", async () => {
    const files = await writeClients();
    const start = await snapshot();
    const { text, notices } = await init({ write: true, all: true, yes: true });
    expect(Object.keys((await config()).servers).sort()).toEqual(
      ["desk", "docs", "everywhere", "files", "gem", "github", "local", "web"].sort(),
    );
    const args = [expect.stringContaining("main.js"), "serve", "--project", project];
    const keyhole = { command: "node", args };
    expect(await json(files.code)).toEqual({ mcpServers: { keyhole } });
    expect(await json(files.local)).toEqual({
      numStartups: 3,
      projects: { [project]: { mcpServers: { keyhole }, history: ["x"] } },
      mcpServers: { keyhole },
    });
    expect(await json(files.desktop)).toEqual({ mcpServers: { keyhole } });
    expect(await read(files.cursor)).toMatch(
      /^\{\n\t\/\/ mine\n\t"mcpServers": \{\n\t\t"keyhole": \{\n\t\t\t"command"/,
    );
    expect(await json(files.vscode)).toEqual({
      inputs: [{ type: "promptString", id: "api-key", description: "Key", password: true }],
      servers: { keyhole: { type: "stdio", ...keyhole, env: { API_KEY: "${input:api-key}" } } },
    });
    expect(await read(files.codex)).toMatch(
      /^model = "o3" # mine\n\n\[mcp_servers\.keyhole\]\n(.|\n)*env_vars = \[ "API_KEY", "DOCS_TOKEN" \]\n\n\[profiles\.x\]\nk = 1\n$/,
    );
    expect(await json(files.gemini)).toEqual({
      theme: "dark",
      mcpServers: { keyhole: { ...keyhole, env: { API_KEY: "$API_KEY", DOCS_TOKEN: "$DOCS_TOKEN" } } },
    });
    expect(notices).toContain(
      `Claude Desktop hands on no variables of its own: write API_KEY, DOCS_TOKEN under "env" of keyhole in ${files.desktop}`,
    );
    expect(text).toContain('-     "files": {');
    expect(text).toContain('+     "keyhole": {');
    expect(text).toContain(`Wrote ${files.cursor}; as it was: ${files.cursor}.bak`);

    const undone = await init({ undo: true });
    expect(undone.code).toBe(0);
    expect(withoutRecord((await snapshot()).home)).toEqual(start.home);
    expect(await tree(project)).toEqual(start.project);
    expect((await init({ undo: true })).text).toContain("Nothing to undo");
  });

  test("does nothing the second time [init-write]", async () => {
    await writeClients();
    await init({ write: true, all: true, yes: true });
    const once = await snapshot();
    for (const choice of [{}, { all: true }, { server: ["github"] }]) {
      expect(await init({ write: true, all: true, yes: true, ...choice })).toMatchObject({
        code: 0,
        text: expect.stringContaining("Nothing to do"),
      });
    }
    expect(await snapshot()).toEqual(once);
  });

  test("what it wrote loads, and Keyhole does not stand behind itself", async () => {
    await writeClients();
    await init({ write: true, all: true, yes: true });
    const loaded = await loadConfig(places());
    expect(loaded.servers).toHaveLength(5);
    // Those stood in files of the folder.
    expect(loaded.invalidServers.map(({ error }) => error.code)).toEqual(Array(3).fill("untrusted"));
  });

  test("without a terminal and without --yes writes nothing, and says what to do", async () => {
    await writeClients();
    const start = await snapshot();
    await expect(init({ write: true, all: true })).rejects.toMatchObject({
      code: "usage",
      hint: "Look at the change with --dry-run, then write it with --yes",
    });
    const { data } = await init({ write: true, all: true, dryRun: true }, true);
    expect(data).toMatchObject({ written: { dryRun: true }, clients: expect.any(Array) });
    expect(Object(data).clients).toHaveLength(7);
    expect(await snapshot()).toEqual(start);
  });

  test("no secret is in the diff, and none in a file that others may read", async () => {
    const files = await writeClients();
    await write(
      join(home, ".gemini/settings.json"),
      `{"apiKey":"${SECRET}","mcpServers":{"one":{"command":"x","args":["--token","${SECRET}"],"headers":{"A":"${SECRET}"}}}}`,
    );
    await write(
      join(project, ".codex/config.toml"),
      `api_key = "${SECRET}"\n[mcp_servers.t]\n# token=${SECRET}\ncommand = "t"\nargs = ["--token", "${SECRET}"]\nenv = { A = "${SECRET}" }\n`,
    );
    const { text, notices, data } = await init({ write: true, all: true, yes: true }, false);
    expect(`${text}${notices.join()}${JSON.stringify(data)}`).not.toContain("16C7e42F");
    const all = { ...(await tree(home)), ...(await tree(project)) };
    const open = Object.entries(all).filter(([, content]) => content.includes("16C7e42F"));
    const sources = [".gemini/settings.json", ".codex/config.toml", ".cursor/mcp.json"];
    for (const [path, content] of open.filter(([path]) => !sources.includes(path)))
      expect(Number(content.split(" ")[0]) & 0o077, path).toBe(0);
    expect(await stat(`${files.cursor}.bak`)).toMatchObject({ mode: 0o100600 });
  });

  test.runIf(process.platform === "linux")(
    "a file whose backup can't be kept is named, and nothing is written or left behind",
    async () => {
      // Permissions would not stop root; a path as long as paths may be has no room for `.bak`.
      const room = 4_095 - join(project, ".gemini/settings.json").length;
      const folders = Array.from({ length: Math.floor(room / 201) }, () => "d".repeat(200));
      project = join(project, ...folders, "d".repeat((room % 201) - 1));
      const { gemini } = await writeClients();
      expect(gemini).toHaveLength(4_095);
      const start = await snapshot();
      await expect(init({ write: true, all: true, yes: true })).rejects.toMatchObject({
        code: "file_conflict",
        message: expect.stringContaining("Cannot keep a backup of"),
      });
      const now = await snapshot();
      expect({ ...now, home: withoutRecord(now.home) }).toEqual(start);
    },
  );

  test("git passes over backups and secrets, and a config that it has is not given any", async () => {
    const git = (...args: string[]) => execFileSync("git", ["-C", project, ...args], { encoding: "utf8" });
    git("init", "-q");
    const excluded = () => read(join(project, ".git/info/exclude"));
    const before = await excluded();
    await write(join(project, ".cursor/mcp.json"), {
      mcpServers: { a: { command: "a", env: { TOKEN: SECRET } } },
    });
    await write(join(project, ".gitignore"), ".cursor/mcp.json\n");
    const { text } = await init({ write: true, all: true, yes: true });
    expect(text).toContain("Git passes over");
    expect(git("status", "--porcelain", "-uall").split("\n").filter(Boolean)).toEqual(["?? .gitignore"]);
    expect(await excluded()).toContain("/keyhole.config.json\n");
    await init({ undo: true });
    expect(await excluded()).toBe(before);

    await write(join(project, "keyhole.config.json"), {});
    git("add", "-f", "keyhole.config.json");
    const start = await tree(project);
    await expect(init({ write: true, all: true, yes: true })).rejects.toMatchObject({
      code: "file_conflict",
      message: expect.stringContaining("a.env.TOKEN"),
    });
    expect(await tree(project)).toEqual(start);
  });

  test("keeps modes, and writes through a link", async () => {
    const target = await write(join(home, "dotfiles/cursor.json"), { mcpServers: { a: { command: "a" } } });
    await chmod(target, 0o640);
    await mkdir(join(home, ".cursor"));
    const link = join(home, ".cursor/mcp.json");
    await symlink("../dotfiles/cursor.json", link);
    const text = await read(target);
    await init({ write: true, all: true, yes: true });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await stat(target)).mode & 0o777).toBe(0o640);
    expect(await json(target)).toHaveProperty("mcpServers.keyhole");
    expect(await readdir(join(home, "dotfiles"))).toEqual(["cursor.json"]);
    await init({ undo: true });
    expect(await read(target)).toBe(text);
    expect((await stat(target)).mode & 0o777).toBe(0o640);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  test("keeps a byte order mark", async () => {
    const file = await write(join(project, ".cursor/mcp.json"), '\ufeff{"mcpServers":{"a":{"command":"a"}}}');
    await init({ write: true, all: true, yes: true });
    expect(await read(file)).toMatch(/^\ufeff\{"mcpServers":\{"keyhole"/);
    await init({ undo: true });
    expect(await read(file)).toBe('\ufeff{"mcpServers":{"a":{"command":"a"}}}');
  });

  test("refuses when a file has changed since it was looked at, and loses nothing", async () => {
    const { cursor, codex } = await writeClients();
    const findings = await findCandidates(places());
    const request = { chosen: findings.candidates, asked: [], force: false, existing: undefined };
    const from = ["cursor", "codex"] as const;
    const takeover = await planTakeover({ ...request, from, findings, places: places() });
    await write(cursor, { mcpServers: { new: { command: "new" } } });
    const start = await snapshot();
    await expect(applyTakeover(takeover, places())).rejects.toMatchObject({ code: "file_conflict" });
    expect(withoutRecord((await snapshot()).home)).toEqual(withoutRecord(start.home));
    expect(await read(codex)).toContain("[mcp_servers.docs]");
  });

  test("leaves what it can't do the same with, and says so", async () => {
    await write(join(project, ".mcp.json"), {
      mcpServers: { a: { command: "one" }, signed: { url: "https://s", oauth: { clientId: "x" } } },
    });
    await write(join(project, ".cursor/mcp.json"), {
      mcpServers: { a: { command: "two" }, b: { command: "b" } },
    });
    await write(join(project, "keyhole.config.json"), { servers: { b: { command: "mine" } } });
    const { notices } = await init({ write: true, all: true, yes: true });
    expect(await json(join(project, ".mcp.json"))).toMatchObject({ mcpServers: { signed: {}, keyhole: {} } });
    expect(await json(join(project, ".cursor/mcp.json"))).toEqual({
      mcpServers: { a: { command: "two" }, b: { command: "b" } },
    });
    expect((await config()).servers).toEqual({ b: { command: "mine" }, a: { command: "one" } });
    const all = notices.join("\n");
    expect(all).toContain('Keyhole cannot sign in by "oauth" yet');
    expect(all).toContain("has another server of that name; --force replaces it");
    expect(all).toMatch(/a stays in .*\.cursor.*: it is defined otherwise/);
  });

  test("settings for a server of .mcp.json become the whole server", async () => {
    await write(join(project, ".mcp.json"), { mcpServers: { a: { command: "a", env: { X: "1" } } } });
    const own = await write(join(project, "keyhole.config.json"), {
      poolSize: 1,
      servers: { a: { trusted: true, env: { Y: "2" } } },
    });
    const text = await read(own);
    await init({ write: true, all: true, yes: true });
    expect(await config()).toEqual({
      poolSize: 1,
      servers: { a: { command: "a", env: { X: "1", Y: "2" }, trusted: true } },
    });
    await init({ undo: true });
    expect(await read(own)).toBe(text);
  });

  test("--client makes the file of a client that has none, and a taken name is left alone", async () => {
    await write(join(project, ".mcp.json"), {
      mcpServers: { keyhole: { command: "something-else" }, a: { command: "a" } },
    });
    await init({
      write: true,
      all: true,
      yes: true,
      server: ["a"],
      client: ["claude-code", "cursor", "codex"],
    });
    expect(await json(join(project, ".mcp.json"))).toMatchObject({
      mcpServers: { keyhole: { command: "something-else" }, "keyhole-2": { command: "node" } },
    });
    expect(await json(join(project, ".cursor/mcp.json"))).toHaveProperty("mcpServers.keyhole");
    expect(await read(join(project, ".codex/config.toml"))).toMatch(/^\[mcp_servers\.keyhole\]/);
    await init({ undo: true });
    expect((await readdir(project)).sort()).toEqual([".mcp.json"]);
  });

  test("Keyhole of another project stays in a file for all projects", async () => {
    const other = { command: "npx", args: ["-y", "keyhole-mcp", "serve", "--project", "/other"] };
    const file = await write(join(home, ".cursor/mcp.json"), {
      mcpServers: { keyhole: other, a: { command: "a" } },
    });
    const { notices } = await init({ write: true, all: true, yes: true });
    expect(await json(file)).toMatchObject({ mcpServers: { keyhole: other, "keyhole-2": {} } });
    expect(notices.join()).toContain("Your other projects use");
  });
});

describe("--undo of a file that has changed since", () => {
  test("takes back only what --write did, and loses no server", async () => {
    const { cursor, codex } = await writeClients();
    await init({ write: true, all: true, yes: true });
    const changed = (await read(cursor)).replace(
      '"keyhole": {',
      '"mine": { "command": "mine" }, // added\n\t\t"keyhole": {',
    );
    await write(cursor, changed);
    await write(codex, `${await read(codex)}\n[mcp_servers.docs]\ncommand = "mine"\n`);
    const { text, notices } = await init({ undo: true });
    const now = await read(cursor);
    expect(now).toContain('"mine": { "command": "mine" }, // added');
    expect(now).toContain('"command": "gh", // inside');
    expect(now).not.toContain("keyhole");
    expect(await read(`${cursor}.bak.1`)).toBe(changed);
    expect(await read(codex)).toContain('command = "mine"');
    expect(await read(codex)).not.toContain("keyhole");
    expect(notices.join()).toContain("has another docs now, which stays");
    expect(text).toContain("Merged, since it was changed meanwhile");
    expect((await init({ undo: true })).text).toContain("Nothing to undo");
  });

  test("a file that is gone gets its servers back", async () => {
    const { cursor } = await writeClients();
    await init({ write: true, all: true, yes: true, from: ["cursor"] });
    await rm(cursor);
    await init({ undo: true });
    expect(await json(cursor)).toMatchObject({ mcpServers: { github: { command: "gh" } } });
  });

  test("a server changed in Keyhole's config stays there, also in YAML", async () => {
    await writeClients();
    await init({ write: true, all: true, yes: true, server: ["github", "files"], format: "yaml" });
    const file = join(project, "keyhole.config.yaml");
    await write(file, (await read(file)).replace("command: gh", "command: gh\n    trusted: true"));
    const { notices } = await init({ undo: true });
    expect(notices.join()).toContain("github in");
    expect(await read(file)).toContain("trusted: true");
    expect(await read(file)).not.toContain("files");
  });

  test("a file that can't be edited stays, and undoing can be tried again", async () => {
    const { cursor } = await writeClients();
    const start = await read(cursor);
    await init({ write: true, all: true, yes: true, from: ["cursor"] });
    const written = await read(cursor);
    await write(
      cursor,
      '{"mcpServers":{"keyhole":{"command":"keyhole","args":["serve"]},"keyhole":{"command":"keyhole","args":["serve"]}}}',
    );
    expect((await init({ undo: true })).code).toBe(1);
    await write(cursor, written);
    expect((await init({ undo: true })).code).toBe(0);
    expect(await read(cursor)).toBe(start);
  });

  test("a file that is broken is named, and the others are put back", async () => {
    const { cursor, gemini, local } = await writeClients();
    const start = { gemini: await read(gemini), local: await read(local) };
    await init({ write: true, all: true, yes: true });
    const written = await read(cursor);
    await write(cursor, "{ broken");
    const { code, text, notices } = await init({ undo: true });
    expect(code).toBe(1);
    expect(text).toContain("local, everywhere are back");
    expect({ gemini: await read(gemini), local: await read(local) }).toEqual(start);
    expect(notices).toEqual([
      `${cursor}:1:3 cannot be edited as it is now: Expected a JSON value: a text in double quotes, a number, true, false, null, { or [. Mend it and run \`keyhole init --undo\` again, or put back by hand github from ${cursor}.bak`,
    ]);
    await write(cursor, written);
    expect((await init({ undo: true })).code).toBe(0);
    expect(await read(cursor)).toContain('"command": "gh", // inside');
  });

  test("two writes are taken back one after the other", async () => {
    const { cursor } = await writeClients();
    await write(cursor, { mcpServers: { a: { command: "a" }, b: { command: "b" } } });
    const start = await read(cursor);
    await init({ write: true, all: true, yes: true, server: ["a"] });
    await init({ write: true, all: true, yes: true, server: ["b"] });
    expect(Object.keys((await json(cursor)).mcpServers)).toEqual(["keyhole"]);
    await init({ undo: true });
    expect(await read(cursor)).toBe(start);
    expect((await readdir(dirname(cursor))).sort()).toEqual(["mcp.json"]);
  });
});
