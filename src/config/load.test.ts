import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_CONFIG } from "./defaults.ts";
import { loadConfig } from "./load.ts";
import { isOwnerTrusted } from "./places.ts";
import { DEFAULT_SETTINGS } from "./server-definition.ts";

let root: string;
let project: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "keyhole-load-"));
  project = join(root, "project");
  await mkdir(project);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(name: string, content: unknown): Promise<string> {
  const file = join(project, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const load = (projectDir = project) =>
  loadConfig({ projectDir, homeDir: join(root, "home"), env: {}, platform: "linux", trust: true });

const mcpServers = (servers: object) => ({ mcpServers: servers });

describe("finding", () => {
  test("without any file the defaults hold", async () => {
    const loaded = await load();
    expect(loaded).toMatchObject({
      projectDir: project,
      config: DEFAULT_CONFIG,
      servers: [],
      invalidServers: [],
      files: [],
    });
    expect(loaded.notices).toEqual([]);
  });

  test("a project folder that does not exist is told", async () => {
    await expect(load(join(root, "none"))).rejects.toMatchObject({ code: "config_unreadable", exitCode: 2 });
  });

  test("the nearest .mcp.json upwards is read", async () => {
    await writeFile(join(root, ".mcp.json"), JSON.stringify(mcpServers({ far: { command: "far" } })));
    const deep = join(project, "a", "b");
    await mkdir(deep, { recursive: true });
    expect((await load(deep)).servers.map(({ name }) => name)).toEqual(["far"]);
    const near = await write(".mcp.json", mcpServers({ near: { command: "near" } }));
    const loaded = await load(deep);
    expect(loaded.servers.map(({ name }) => name)).toEqual(["near"]);
    expect(loaded.files).toEqual([near]);
  });

  test("a keyhole.config above the project counts, as far up as the .mcp.json", async () => {
    const deep = join(project, "a", "b");
    await mkdir(deep, { recursive: true });
    await write(".mcp.json", mcpServers({ near: { command: "near" } }));
    const own = await write("keyhole.config.json", { servers: { near: { trusted: true } } });
    const loaded = await load(deep);
    expect(loaded.files).toContain(own);
    expect(loaded.servers[0]?.settings.trusted).toBe(true);
    await writeFile(
      join(project, "a", ".mcp.json"),
      JSON.stringify(mcpServers({ nearer: { command: "x" } })),
    );
    expect((await load(deep)).files).toEqual([join(project, "a", ".mcp.json")]);
  });

  test("servers under another key are told from where they belong", async () => {
    await write(".mcp.json", { servers: { a: { command: "node" } }, b: { url: "http://x" } });
    const { notices } = await load();
    expect(notices).toHaveLength(2);
    for (const notice of notices) expect(notice).toContain('did you mean "mcpServers"?');
  });

  test.skipIf(process.getuid?.() !== 0)(
    "another user's .mcp.json above the project is ignored, and said so",
    async () => {
      const planted = join(root, ".mcp.json");
      await writeFile(planted, JSON.stringify(mcpServers({ evil: { command: "evil" } })));
      await chown(planted, 65534, 65534);
      const loaded = await load();
      expect(loaded.servers).toEqual([]);
      expect(loaded.notices).toContain(
        `Ignored "${planted}": it stands above the project and belongs to another user`,
      );
    },
  );

  test("only we and root are trusted above the project", () => {
    expect([isOwnerTrusted(1000, 1000), isOwnerTrusted(0, 1000), isOwnerTrusted(1001, 1000)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([isOwnerTrusted(1000, 0), isOwnerTrusted(1, undefined)]).toEqual([false, true]);
  });

  test("two config files are one too many", async () => {
    const json = await write("keyhole.config.json", {});
    const yaml = await write("keyhole.config.yaml", "{}");
    await expect(load()).rejects.toMatchObject({
      code: "config_invalid",
      message: `Two config files: "${json}" and "${yaml}"`,
    });
  });

  test.each([
    ["keyhole.config.json", '{ "maxExecutionTime": 5 }'],
    ["keyhole.config.yaml", "maxExecutionTime: 5\n"],
    ["keyhole.config.yml", "maxExecutionTime: 5\n"],
  ])("%s is read", async (name, text) => {
    const file = await write(name, text);
    const loaded = await load();
    expect(loaded.config).toEqual({ ...DEFAULT_CONFIG, maxExecutionTime: 5 });
    expect(loaded.files).toEqual([file]);
  });

  test("a .mcp.json that is a folder is unreadable", async () => {
    await mkdir(join(project, ".mcp.json"));
    await expect(load()).rejects.toMatchObject({ code: "config_unreadable" });
  });
});

describe(".mcp.json", () => {
  test("gives stdio and HTTP servers with the default settings", async () => {
    const file = await write(
      ".mcp.json",
      mcpServers({
        a: { command: "npx", args: ["-y", "a"], env: { K: "${K}" } },
        b: { type: "http", url: "https://b/mcp", headers: { H: "1" } },
        c: { type: "sse", url: "https://c/sse" },
        d: { url: "https://d", bearerToken: "${T}" },
        e: { type: "streamable-http", url: "https://e" },
      }),
    );
    const { servers, invalidServers, notices } = await load();
    expect(servers[0]).toEqual({
      name: "a",
      source: { file, client: "mcp-json", path: "mcpServers.a" },
      transport: { type: "stdio", command: "npx", args: ["-y", "a"], env: { K: "${K}" }, inheritEnv: [] },
      settings: DEFAULT_SETTINGS,
    });
    expect(servers.slice(1).map(({ transport }) => transport)).toEqual([
      { type: "http", url: "https://b/mcp", headers: { H: "1" } },
      { type: "sse", url: "https://c/sse", headers: {} },
      { type: "http", url: "https://d", headers: { Authorization: "Bearer ${T}" } },
      { type: "http", url: "https://e", headers: {} },
    ]);
    expect([invalidServers, notices]).toEqual([[], []]);
  });

  test.each([
    ['{ "command": 5 }', '1:39: server "bad": key "mcpServers.bad.command" must be a string, got a number'],
    ['{ "command": "" }', 'key "mcpServers.bad.command" must not be empty'],
    ["{}", 'is missing, and so is "url"'],
    ['{ "type": "ws", "url": "ws://x" }', "WebSocket is not supported"],
    ['{ "type": "carrier-pigeon", "url": "x" }', 'is "carrier-pigeon", which is not known'],
    ['{ "type": "http", "command": "x" }', 'is missing for type "http"'],
    ['{ "type": "stdio", "url": "http://x" }', 'is missing for type "stdio"'],
    ['{ "command": "x", "url": "http://x" }', 'stands beside "command"'],
    ['{ "command": "x", "args": "a b" }', "must be a list, got a string"],
    ['{ "command": "x", "args": [{}] }', "must hold strings only, found an object"],
    ['{ "command": "x", "env": [] }', "must be an object, got a list"],
    ['{ "command": "x", "disabled": "yes" }', "must be true or false"],
    ["null", "it must be an object, got null"],
    ['"npx x"', "it must be an object, got a string"],
  ])("a malformed server %s is invalid alone", async (entry, expected) => {
    const file = await write(
      ".mcp.json",
      `{ "mcpServers": { "bad": ${entry}, "good": { "command": "g" } } }`,
    );
    const { servers, invalidServers } = await load();
    expect(servers.map(({ name }) => name)).toEqual(["good"]);
    expect(invalidServers).toHaveLength(1);
    const [{ name, error } = { name: "", error: undefined }] = invalidServers;
    expect(name).toBe("bad");
    expect(error).toMatchObject({ code: "config_invalid", message: expect.stringContaining(expected) });
    expect(error?.message.startsWith(`${file}:1:`)).toBe(true);
    expect(error?.hint).toBeTruthy();
  });

  test("servers with odd names work or are refused by name", async () => {
    await write(
      ".mcp.json",
      '{ "mcpServers": { "__proto__": {"command":"a"}, "constructor": {"command":"b"}, "": {"command":"c"}, "my server ü": {"command":"d"} } }',
    );
    const { servers, invalidServers } = await load();
    expect(servers.map(({ name }) => name)).toEqual(["constructor", "my server ü"]);
    expect(servers[1]?.source.path).toBe('mcpServers["my server ü"]');
    expect(invalidServers.map(({ name }) => name)).toEqual(["__proto__", ""]);
    expect("command" in {}).toBe(false);
  });

  test("nulls stand for nothing, and numbers in env for their text", async () => {
    await write(
      ".mcp.json",
      mcpServers({ a: { command: "a", args: null, url: null, env: { PORT: 80, ON: true, OFF: null } } }),
    );
    expect((await load()).servers[0]?.transport).toMatchObject({ args: [], env: { PORT: "80", ON: "true" } });
  });

  test("unknown keys are noted with the nearest known one", async () => {
    const file = await write(
      ".mcp.json",
      '{"mcpServers":{"a":{"command":"a","arg":[],"oauth":{},"timeoutMs":5,"colour":1,"autoApprove":[],"description":"x"}}}',
    );
    const { notices, servers } = await load();
    expect(servers).toHaveLength(1);
    expect(notices).toEqual([
      `${file}:1:35: server "a": key "arg" is not known and is ignored, did you mean "args"?`,
      expect.stringContaining('key "oauth" is ignored: signing in by OAuth is not supported yet'),
      expect.stringContaining('key "timeoutMs" is ignored here: set it in keyhole.config under "servers"'),
      expect.stringContaining('key "colour" is not known and is ignored'),
      expect.stringContaining('key "autoApprove" is ignored: what needs approval is decided by Keyhole'),
    ]);
  });

  test("disabled and timeout are honoured", async () => {
    await write(
      ".mcp.json",
      mcpServers({ a: { command: "a", disabled: true, timeout: 5000 }, b: { command: "b", timeout: 5 } }),
    );
    const { servers, notices } = await load();
    expect(servers[0]?.settings).toMatchObject({ enabled: false, timeoutMs: 5000 });
    expect(servers[1]?.settings).toMatchObject({ enabled: true, timeoutMs: 60_000 });
    expect(notices).toEqual([expect.stringContaining("5 is too short and is ignored")]);
  });

  test("another client's variables are noted, for they stay as they are", async () => {
    await write(".mcp.json", mcpServers({ a: { command: "a", args: ["${env:X}"] } }));
    expect((await load()).notices).toEqual([
      expect.stringContaining('"${env:X}" is no variable here and stays as it is'),
    ]);
  });

  test.each([
    ["[]", "The file must hold an object"],
    ['{ "mcpServers": [] }', 'key "mcpServers" must be an object, got a list'],
    ['{ "mcpServers": ', "Expected a value"],
  ])("%s is wrong as a whole", async (text, expected) => {
    await write(".mcp.json", text);
    await expect(load()).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining(expected),
    });
  });

  test("a key that was meant to be mcpServers is noted", async () => {
    await write(".mcp.json", { mcpservers: {}, servers: {} });
    const { notices } = await load();
    expect(notices.filter((notice) => notice.includes('did you mean "mcpServers"?'))).toHaveLength(2);
  });

  test.each(["keyhole", "key-hole", "Key_Hole", "key.hole", "ｋeyhole"])(
    "a server %s would be allowed what rules allow to Keyhole itself: it is not used, and others are",
    async (name) => {
      await write(".mcp.json", mcpServers({ [name]: { command: "a" }, keyholes: { command: "b" } }));
      const { servers, invalidServers } = await load();
      expect(servers.map((server) => server.name)).toEqual(["keyholes"]);
      expect(invalidServers).toMatchObject([
        { name, error: { code: "config_invalid", hint: expect.stringContaining("another name") } },
      ]);
    },
  );

  test("Keyhole itself is left out, which is told where nothing else is there", async () => {
    const keyhole = { command: "npx", args: ["-y", "keyhole-mcp", "serve"] };
    await write(".mcp.json", mcpServers({ keyhole, a: { command: "a" } }));
    const beside = await load();
    expect(beside.servers.map(({ name }) => name)).toEqual(["a"]);
    expect(beside.notices).toEqual([]);
    await write(".mcp.json", mcpServers({ keyhole }));
    const alone = await load();
    expect(alone.servers).toEqual([]);
    expect(alone.notices).toEqual([expect.stringContaining('server "keyhole"')]);
  });
});

describe("mcpCodeExecution in .mcp.json", () => {
  test("is the same block as keyhole.config", async () => {
    await write(".mcp.json", { mcpCodeExecution: { maxExecutionTime: 7, servers: { a: { command: "a" } } } });
    const { config, servers } = await load();
    expect(config.maxExecutionTime).toBe(7);
    expect(servers[0]?.source.path).toBe("mcpCodeExecution.servers.a");
  });

  test("is checked by the same schema, with its own place in the file", async () => {
    const file = await write(".mcp.json", '{\n "mcpCodeExecution": {\n  "sandbox_mode": "vm" } }');
    await expect(load()).rejects.toMatchObject({
      message: `${file}:3:3: key "mcpCodeExecution.sandbox_mode" is not known, did you mean "sandboxMode"?`,
    });
  });

  test("gives way to keyhole.config key by key, and that is said", async () => {
    const mcp = await write(".mcp.json", {
      mcpCodeExecution: {
        maxExecutionTime: 7,
        sandboxMode: "vm",
        resourceLimits: { memory: "1GB", cpu: 2 },
        servers: { a: { command: "low" }, b: { command: "b" } },
      },
    });
    const own = await write("keyhole.config.json", {
      maxExecutionTime: 9,
      resourceLimits: { memory: "2GB" },
      servers: { a: { command: "high" } },
    });
    const { config, servers, notices } = await load();
    expect(config).toMatchObject({
      maxExecutionTime: 9,
      sandboxMode: "vm",
      resourceLimits: { memoryBytes: 2 * 1024 ** 3, cpuCores: 2 },
    });
    expect(servers.map(({ transport }) => transport)).toMatchObject([{ command: "high" }, { command: "b" }]);
    expect(servers.map(({ source }) => source.file).sort()).toEqual([mcp, own].sort());
    expect(notices).toEqual([
      `${own} wins over "mcpCodeExecution" of ${mcp} for "maxExecutionTime", "resourceLimits.memory", "servers.a"`,
    ]);
  });
});

describe("servers in keyhole.config", () => {
  test("win over .mcp.json, and that is said", async () => {
    const mcp = await write(".mcp.json", mcpServers({ a: { command: "theirs" } }));
    const own = await write("keyhole.config.json", {
      servers: { a: { url: "http://ours", bearerToken: "${T}", type: "sse" } },
    });
    const { servers, notices } = await load();
    expect(servers).toMatchObject([
      {
        source: { file: own, client: "keyhole" },
        transport: { type: "sse", headers: { Authorization: "Bearer ${T}" } },
      },
    ]);
    expect(notices).toEqual([`server "a": ${own} wins over ${mcp} (mcpServers.a)`]);
  });

  test("replace an invalid one of .mcp.json", async () => {
    await write(".mcp.json", mcpServers({ a: { command: 1 } }));
    await write("keyhole.config.json", { servers: { a: { command: "ours" } } });
    expect(await load()).toMatchObject({ servers: [{ name: "a" }], invalidServers: [] });
  });

  test("with settings only are laid over the one of .mcp.json", async () => {
    const mcp = await write(
      ".mcp.json",
      mcpServers({ a: { command: "c", args: ["1"], env: { A: "1", B: "1" } } }),
    );
    await write(
      "keyhole.config.yaml",
      "servers:\n  a:\n    trusted: true\n    maxMessageBytes: 64MB\n    env: { B: '2' }\n",
    );
    const { servers, notices } = await load();
    expect(servers).toMatchObject([
      {
        source: { file: mcp, client: "mcp-json" },
        transport: { command: "c", args: ["1"], env: { A: "1", B: "2" } },
        settings: { ...DEFAULT_SETTINGS, trusted: true, maxMessageBytes: 64 * 1024 ** 2 },
      },
    ]);
    expect(notices).toEqual([]);
  });

  test("with settings only leave an invalid one of .mcp.json invalid", async () => {
    await write(".mcp.json", mcpServers({ a: { command: 1 } }));
    await write("keyhole.config.json", { servers: { a: { trusted: true } } });
    expect(await load()).toMatchObject({ servers: [], invalidServers: [{ name: "a" }] });
  });

  test("with settings only, for a name that exists nowhere, are an error with the nearest name", async () => {
    await write(".mcp.json", mcpServers({ github: { command: "c" } }));
    const own = await write("keyhole.config.json", '{\n "servers": {\n  "githb": { "trusted": true } } }');
    await expect(load()).rejects.toMatchObject({
      code: "config_invalid",
      message: `${own}:3:3: key "servers.githb" has settings only, but no .mcp.json defines a server of that name; did you mean "github"?`,
    });
  });

  test("cannot lay a header over a command, nor an argument over an address", async () => {
    await write(
      ".mcp.json",
      mcpServers({ a: { command: "c" }, b: { url: "http://b", headers: { "x-a": "1" } } }),
    );
    await write("keyhole.config.json", { servers: { a: { headers: { A: "1" } } } });
    await expect(load()).rejects.toMatchObject({ message: expect.stringContaining("reached by a command") });
    await write("keyhole.config.json", { servers: { b: { args: ["1"] } } });
    await expect(load()).rejects.toMatchObject({ message: expect.stringContaining("reached by an address") });
    await write("keyhole.config.json", { servers: { b: { headers: { "X-A": "2" } } } });
    expect((await load()).servers[1]?.transport).toMatchObject({ headers: { "X-A": "2" } });
  });

  test("with both a bearer token and an Authorization header are refused", async () => {
    await write("keyhole.config.json", {
      servers: { a: { url: "http://a", bearerToken: "x", headers: { authorization: "y" } } },
    });
    await expect(load()).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("Authorization"),
    });
  });

  test("can link to another client's definition, under another name and with own settings", async () => {
    const cursor = await write(".cursor/mcp.json", mcpServers({ gh: { command: "c", args: ["${env:X}"] } }));
    await write("keyhole.config.json", { servers: { github: { from: "cursor", name: "gh", timeoutMs: 5 } } });
    expect((await load()).servers).toMatchObject([
      {
        name: "github",
        source: { file: cursor, client: "cursor", path: "mcpServers.gh" },
        transport: { command: "c", args: ["${X}"] },
        settings: { timeoutMs: 5 },
      },
    ]);
  });

  test("that link to something missing or broken are invalid alone", async () => {
    await write(".cursor/mcp.json", mcpServers({ github: { command: "c" }, bad: { command: 1 } }));
    await write(".gemini/settings.json", "{");
    await write("keyhole.config.json", {
      servers: {
        githb: { from: "cursor" },
        bad: { from: "cursor" },
        broken: { from: "gemini" },
        ok: { command: "ok" },
      },
    });
    const { servers, invalidServers } = await load();
    expect(servers.map(({ name }) => name)).toEqual(["ok"]);
    expect(invalidServers.map(({ name, error }) => [name, error.message])).toEqual([
      [
        "githb",
        expect.stringContaining(
          'points to server "githb" of cursor, which is not there, did you mean "github"?',
        ),
      ],
      ["bad", expect.stringContaining("must be a string")],
      ["broken", expect.stringContaining('Expected "}"')],
    ]);
  });

  test("that link to Claude Code take local over project over user, and say so", async () => {
    const home = join(root, "home");
    await mkdir(home);
    const settings = join(home, ".claude.json");
    const user = { a: { command: "user" }, b: { command: "user" }, c: { command: "user" } };
    const local = { a: { command: "local" } };
    await writeFile(
      settings,
      JSON.stringify({ mcpServers: user, projects: { [project]: { mcpServers: local } } }),
    );
    await write(".mcp.json", mcpServers({ a: { command: "project" }, b: { command: "project" } }));
    await write("keyhole.config.json", {
      servers: { a: { from: "claude-code" }, b: { from: "claude-code" }, c: { from: "claude-code" } },
    });
    const { servers, notices } = await load();
    expect(servers.map(({ name, transport }) => [name, "command" in transport && transport.command])).toEqual(
      [
        ["a", "local"],
        ["b", "project"],
        ["c", "user"],
      ],
    );
    expect(notices).toContain(
      `server "a" of ${join(project, ".mcp.json")} (project) is hidden by ${settings} (local)`,
    );
    expect(notices).toContain(
      `server "b" of ${settings} (user) is hidden by ${join(project, ".mcp.json")} (project)`,
    );
  });
});
