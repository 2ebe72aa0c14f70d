import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempDir, writeProject } from "../../../test/fixtures/project.ts";
import { createCommandRules } from "../../policy/commands/command-rules.ts";
import { type LoadedConfig, loadConfig } from "../load.ts";
import { acceptBrought, revokeTrust } from "./accept.ts";
import { isPending } from "./untrusted-notice.ts";

type World = {
  readonly dir: string;
  readonly home: string;
  load(dir?: string): Promise<LoadedConfig>;
  /** Says yes to all that a load showed. */
  accept(): Promise<void>;
  write(name: string, content: unknown): Promise<void>;
};

async function world(files: Record<string, unknown>, user?: unknown): Promise<World> {
  const [dir, home] = [await writeProject(files), await tempDir()];
  const write = async (file: string, content: unknown) => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  };
  if (user !== undefined) await write(join(home, ".config/keyhole/config.json"), user);
  const load = (projectDir = dir) => loadConfig({ projectDir, homeDir: home, env: {}, platform: "linux" });
  return {
    dir,
    home,
    load,
    write: (name, content) => write(join(dir, name), content),
    async accept() {
      const { brought } = await load();
      await acceptBrought(brought.filter(isPending), {
        projectDir: dir,
        homeDir: home,
        env: {},
        platform: "linux",
      });
    },
  };
}

const names = ({ servers }: LoadedConfig) => servers.map(({ name }) => name);
const states = ({ brought }: LoadedConfig) => Object.fromEntries(brought.map(({ id, state }) => [id, state]));
const mcp = (servers: object, more: object = {}) => ({ mcpServers: servers, ...more });

describe("what a folder brings", () => {
  it("is neither started nor obeyed before the user said yes, and is afterwards", async () => {
    const { load, accept } = await world({
      ".mcp.json": mcp({ a: { command: "a" } }, { mcpCodeExecution: { securityLevel: "low" } }),
      "keyhole.config.yaml": [
        "http: { open: true, tokens: { bob: abc } }",
        "permissions: { rules: [{ decision: allow }] }",
        "servers: { b: { command: b, includeTools: [x], envFile: .env } }",
      ].join("\n"),
      ".env": "SECRET=1",
    });
    const before = await load();
    expect(before.servers).toEqual([]);
    expect(before.config).toMatchObject({ securityLevel: "moderate" });
    expect(before.config.http).toBeUndefined();
    expect(before.policies.flatMap(({ permissions }) => permissions?.rules ?? [])).toEqual([]);
    expect(before.invalidServers.map(({ name, error }) => [name, error.code])).toEqual([
      ["a", "untrusted"],
      ["b", "untrusted"],
    ]);
    expect(before.notices.join()).toContain("keyhole trust");
    await accept();
    const after = await load();
    expect(names(after)).toEqual(["a", "b"]);
    expect(after.config).toMatchObject({ securityLevel: "low", http: { open: true } });
    expect(after.policies.flatMap(({ permissions }) => permissions?.rules ?? [])).toHaveLength(1);
    expect(after.notices.join()).not.toContain("keyhole trust");
  });

  it("is asked for one by one: what changed waits, and is shown against what it was", async () => {
    const { load, accept, write } = await world({
      ".mcp.json": mcp({ a: { command: "a" }, b: { command: "b" } }),
    });
    await accept();
    await write(
      ".mcp.json",
      mcp({ a: { command: "a" }, b: { command: "b", args: ["--new"] }, c: { command: "c" } }),
    );
    const loaded = await load();
    expect(names(loaded)).toEqual(["a"]);
    expect(states(loaded)).toEqual({ "server a": "trusted", "server b": "changed", "server c": "new" });
    expect(loaded.brought.find(({ name }) => name === "b")?.diff).toEqual([
      { mark: "-", text: "starts: b" },
      { mark: "+", text: "starts: b --new" },
    ]);
  });

  it("counts by what it means: comments, order, anchors and another format change nothing", async () => {
    const { dir, load, accept, write } = await world({
      "keyhole.config.yaml":
        "maxExecutionTime: 500\nservers:\n  a: &a { command: a, env: { X: '1', Y: '2' } }\n  b: *a\n",
    });
    await accept();
    await rm(join(dir, "keyhole.config.yaml"));
    const a = { env: { Y: "2", X: "1" }, command: "a" };
    await write("keyhole.config.json", { servers: { b: a, a }, $schema: "x", maxExecutionTime: 500 });
    const loaded = await load();
    expect(loaded.brought.filter(isPending)).toEqual([]);
    expect(names(loaded)).toEqual(["b", "a"]);
    expect(loaded.config.maxExecutionTime).toBe(500);
  });

  it.each([
    ["an argument", { command: "a", args: ["x"] }],
    ["a variable", { command: "a", env: { X: "1" } }],
    ["the command", { command: "${A}" }],
    ["the folder", { command: "a", cwd: "." }],
    ["an address", { url: "https://a" }],
    ["a secret that is not shown", { command: "a", env: { TOKEN: "b1B2c3D4e5F6g7H8i9J0" } }],
  ])("asks again for %s", async (_, changed) => {
    const { load, accept, write } = await world({
      ".mcp.json": mcp({ a: { command: "a", env: { TOKEN: "a1B2c3D4e5F6g7H8i9J0" } } }),
    });
    await accept();
    expect(names(await load())).toEqual(["a"]);
    await write(".mcp.json", mcp({ a: changed }));
    const loaded = await load();
    expect([names(loaded), states(loaded)]).toEqual([[], { "server a": "changed" }]);
    expect(loaded.brought[0]?.diff?.length).toBeGreaterThan(0);
    expect(JSON.stringify(loaded.brought[0]?.lines)).not.toMatch(/B2c3D4e5F6g7H8i9J0/);
  });

  it("counts an env file's contents, and what is used is what was judged", async () => {
    const { resolveServer } = await import("../expand.ts");
    const { dir, home, load, accept, write } = await world({
      ".mcp.json": mcp({ a: { command: "a", envFile: ".env" } }),
      ".env": "A=1",
    });
    await accept();
    const [server] = (await load()).servers;
    if (server === undefined) throw new Error("No server");
    const context = { projectDir: dir, homeDir: home, env: {} };
    expect((await resolveServer(server, context)).transport).toMatchObject({ env: { A: "1" } });
    await write(".env", "A=1\nNODE_OPTIONS=--require=./x.js");
    await expect(resolveServer(server, context)).rejects.toMatchObject({ code: "untrusted" });
    const changed = await load();
    expect(names(changed)).toEqual([]);
    expect(changed.brought[0]?.remarks.join()).toContain("NODE_OPTIONS");
    await rm(join(dir, ".env"));
    expect(names(await load())).toEqual([]);
  });

  it("says so when a command or script lies in the folder", async () => {
    const { load } = await world({
      ".mcp.json": mcp({
        a: { command: "./run" },
        b: { command: "node", args: ["server.js"] },
        c: { command: "npx", args: ["-y", "@x/server"] },
      }),
    });
    const remarks = (await load()).brought.map((item) => item.remarks.join());
    expect(remarks).toEqual([
      expect.stringContaining("./run"),
      expect.stringContaining("server.js"),
      "npx takes packages and settings of the folder first, where there are some",
    ]);
  });

  it("above the project counts likewise", async () => {
    const { dir, load } = await world({ ".mcp.json": mcp({ a: { command: "a" } }), "x/y/z.txt": "" });
    expect(states(await load(join(dir, "x/y")))).toEqual({ "server a": "new" });
  });

  it("that is switched off is not asked for", async () => {
    const { load, accept, write } = await world({
      ".mcp.json": mcp({ a: { command: "a", disabled: true } }),
    });
    expect(states(await load())).toEqual({});
    await accept();
    await write(".mcp.json", mcp({ a: { command: "a" } }));
    expect(states(await load())).toEqual({ "server a": "new" });
  });
});

describe("links to another client's file", () => {
  const config = { servers: { a: { from: "cursor" } } };

  it("of the project count by what they lead to", async () => {
    const { load, accept, write } = await world({
      "keyhole.config.json": config,
      ".cursor/mcp.json": mcp({ a: { command: "a" } }),
    });
    await accept();
    expect(names(await load())).toEqual(["a"]);
    await write(".cursor/mcp.json", mcp({ a: { command: "evil" } }));
    expect(names(await load())).toEqual([]);
  });

  it("of the user's own config are not led astray by a file of the project", async () => {
    const { home, load, write } = await world({}, config);
    await mkdir(join(home, ".cursor"));
    await writeFile(join(home, ".cursor/mcp.json"), JSON.stringify(mcp({ a: { command: "mine" } })));
    expect(names(await load())).toEqual(["a"]);
    await write(".cursor/mcp.json", mcp({ a: { command: "evil" } }));
    const loaded = await load();
    expect([names(loaded), states(loaded)]).toEqual([[], { "server a": "new" }]);
  });

  it("by the project into the user's file are asked for once", async () => {
    const { home, load, accept } = await world({ "keyhole.config.json": config });
    const file = join(home, ".cursor/mcp.json");
    await mkdir(dirname(file));
    await writeFile(file, JSON.stringify(mcp({ a: { command: "mine" } })));
    expect(states(await load())).toEqual({ "server a": "new" });
    await accept();
    await writeFile(file, JSON.stringify(mcp({ a: { command: "mine", args: ["--more"] } })));
    expect(names(await load())).toEqual(["a"]);
  });
});

describe("the user's own config", () => {
  it("is trusted, whatever the project brings of the same name", async () => {
    const { load } = await world(
      {
        ".mcp.json": mcp({ a: { command: "evil" } }),
        "keyhole.config.json": { servers: { a: { command: "evil" } } },
      },
      { servers: { a: { command: "mine" } } },
    );
    const loaded = await load();
    expect(loaded.servers).toMatchObject([{ name: "a", transport: { command: "mine" } }]);
    expect(states(loaded)).toEqual({});
  });

  it("with settings for a server of the project does not trust that server", async () => {
    const { load, accept, write } = await world(
      { ".mcp.json": mcp({ a: { command: "a" } }) },
      { servers: { a: { env: { TOKEN: "mine" }, trusted: true } } },
    );
    expect(states(await load())).toEqual({ "server a": "new" });
    await accept();
    expect((await load()).servers).toMatchObject([
      { settings: { trusted: true }, transport: { env: { TOKEN: "mine" } } },
    ]);
    await write(".mcp.json", mcp({ a: { command: "evil" } }));
    expect(names(await load())).toEqual([]);
  });
});

describe("settings that changed after they were accepted", () => {
  const deny = { tool: "delete_*", decision: "deny" };
  const rulesOf = ({ policies }: LoadedConfig) =>
    policies.flatMap(({ permissions }) => permissions?.rules ?? []);

  it("can't take a rule away: the stricter of both holds", async () => {
    const { load, accept, write } = await world({
      "keyhole.config.json": { securityLevel: "high", maxExecutionTime: 500, permissions: { rules: [deny] } },
    });
    await accept();
    await write("keyhole.config.json", {
      securityLevel: "low",
      maxExecutionTime: 60_000,
      http: { open: true, tokens: { bob: "abc" } },
      journal: { enabled: false, keepDays: 1 },
      permissions: { rules: [{ decision: "allow" }] },
    });
    const loaded = await load();
    expect(loaded.config).toMatchObject({
      securityLevel: "high",
      maxExecutionTime: 500,
      journal: { enabled: true },
    });
    expect(loaded.config.http).toEqual({ open: false });
    expect(loaded.config.journal?.keepDays).toBeUndefined();
    expect(rulesOf(loaded)).toContainEqual(expect.objectContaining(deny));
    expect(loaded.policies.at(-2)).toMatchObject({ securityLevel: "high", permissions: { rules: [deny] } });
    expect(states(loaded)).toEqual({ "settings keyhole.config": "changed" });
  });

  it("shows who would be let in, and says of what lets others answer that it is not obeyed", async () => {
    const { load } = await world({
      "keyhole.config.json": {
        http: {
          approvers: { boss: "correct-horse-battery" },
          tokens: { ann: ["${ANN}", "${ANN_OLD}"], bob: "abc" },
        },
        approval: { holdMs: 120_000, webhook: { url: "https://evil.example/", secret: "${X}" } },
      },
    });
    const { lines = [], remarks = [] } = (await load()).brought[0] ?? {};
    expect(lines).toContain('http.tokens.ann: ["${ANN}","${ANN_OLD}"]');
    expect(lines).toContain("http.tokens.bob: ********");
    expect(JSON.stringify([lines, remarks])).not.toContain("correct-horse");
    expect(remarks).toEqual([
      "makes looser: others may use the gateway: ann, bob",
      "approval.webhook is not obeyed: it counts in your own config alone",
      "http.approvers is not obeyed: it counts in your own config alone",
    ]);
  });

  it("can't allow more commands, and allow fewer at once", async () => {
    const allow = (...names: string[]) => ({ commands: { allow: names.map((command) => ({ command })) } });
    const { dir, load, accept, write } = await world({ "keyhole.config.json": allow("ls", "cat") });
    await accept();
    const check = async (command: string) =>
      createCommandRules((await load()).policies).check(command, []).ok;
    await write("keyhole.config.json", allow("ls", "date"));
    expect([await check("ls"), await check("cat"), await check("date")]).toEqual([true, false, false]);
    await write("keyhole.config.json", { maxExecutionTime: 500 });
    expect(await check("ls")).toBe(false);
    await rm(join(dir, "keyhole.config.json"));
    expect(await check("ls")).toBe(false);
    const other = await world({ "keyhole.config.json": { maxExecutionTime: 500 } });
    await other.accept();
    await other.write("keyhole.config.json", { maxExecutionTime: 500, ...allow("ls") });
    expect(createCommandRules((await other.load()).policies).check("ls", []).ok).toBe(false);
  });

  it("have fewer ways to be answered at once, and no more", async () => {
    const { load, accept, write } = await world({ "keyhole.config.json": { maxExecutionTime: 500 } });
    await accept();
    await write("keyhole.config.json", {
      approval: { channels: ["cli"], expiresMs: 10, onExpiry: "approve", mode: "plan" },
    });
    expect((await load()).config.approval).toMatchObject({
      channels: ["cli"],
      expiresMs: 10,
      onExpiry: "deny",
    });
  });

  it("hold on when the file is taken away, in what they forbid and not in what they allow", async () => {
    const { dir, load, accept } = await world({
      "keyhole.config.json": {
        maxExecutionTime: 500,
        http: { open: true },
        permissions: { rules: [deny, { decision: "allow" }] },
      },
    });
    await accept();
    expect((await load()).config.http).toEqual({ open: true });
    await rm(join(dir, "keyhole.config.json"));
    const loaded = await load();
    expect(states(loaded)).toEqual({ "settings keyhole.config": "removed" });
    expect(loaded.config).toMatchObject({ maxExecutionTime: 500, http: { open: false } });
    expect(loaded.policies.at(-1)).toEqual({ file: "keyhole.config", securityLevel: "moderate" });
    expect(rulesOf(loaded)).toContainEqual(expect.objectContaining(deny));
    await accept();
    expect(await load()).toMatchObject({ brought: [], config: { maxExecutionTime: 30_000 }, policies: [] });
  });

  it("can't overrule, by standing before it, what the other file says", async () => {
    const { load, accept, write } = await world({
      ".mcp.json": mcp({}, { mcpCodeExecution: { securityLevel: "high" } }),
      "keyhole.config.json": { maxExecutionTime: 500 },
    });
    await accept();
    await write("keyhole.config.json", { maxExecutionTime: 500, securityLevel: "moderate" });
    expect((await load()).config.securityLevel).toBe("high");
    await write("keyhole.config.json", { maxExecutionTime: 500, securityLevel: "maximum" });
    expect((await load()).config.securityLevel).toBe("maximum");
  });

  it("are made stricter by a change at once", async () => {
    const { load, accept, write } = await world({
      "keyhole.config.json": { http: { open: true }, maxExecutionTime: 60_000 },
    });
    await accept();
    await write("keyhole.config.json", { securityLevel: "maximum", maxExecutionTime: 100 });
    expect((await load()).config).toMatchObject({
      securityLevel: "maximum",
      maxExecutionTime: 100,
      http: { open: false },
    });
  });
});

describe("where it is kept", () => {
  const brings = { ".mcp.json": mcp({ a: { command: "a" } }) };
  const places = ({ dir, home }: World) => ({
    projectDir: dir,
    homeDir: home,
    env: {},
    platform: "linux" as const,
  });
  const folder = ({ home }: World) => join(home, ".config/keyhole/trust");

  it("is the user's own folder, for nobody else's eyes, and nothing is left in the project", async () => {
    const here = await world(brings);
    await here.accept();
    const [name = ""] = await readdir(folder(here));
    expect(await readdir(folder(here))).toEqual([name]);
    expect((await stat(join(folder(here), name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder(here))).mode & 0o777).toBe(0o700);
    expect(await readdir(here.dir)).toEqual([".mcp.json"]);
  });

  it("holds for the real folder: through a link, but not for a copy, and not after it was moved", async () => {
    const here = await world(brings);
    await here.accept();
    const other = await tempDir();
    await symlink(here.dir, join(other, "link"));
    expect(names(await here.load(join(other, "link")))).toEqual(["a"]);
    await cp(here.dir, join(other, "copy"), { recursive: true });
    expect(names(await here.load(join(other, "copy")))).toEqual([]);
    await rename(here.dir, join(other, "moved"));
    expect(names(await here.load(join(other, "moved")))).toEqual([]);
    await mkdir(here.dir);
  });

  it("is believed only with the proof of this user's Keyhole, for this project", async () => {
    const [here, there] = [await world(brings), await world(brings)];
    await here.accept();
    await there.accept();
    const [mine = ""] = await readdir(folder(here));
    const [theirs = ""] = await readdir(folder(there));
    const text = await readFile(join(folder(there), theirs), "utf8");
    await writeFile(join(folder(here), mine), text);
    expect(names(await here.load())).toEqual([]);
    await writeFile(join(folder(here), mine), text.split("\n")[0] ?? "");
    expect(names(await here.load())).toEqual([]);
  });

  it("is not read through a link", async () => {
    const here = await world(brings);
    await here.accept();
    const [name = ""] = await readdir(folder(here));
    await rename(join(folder(here), name), join(here.dir, "planted"));
    await symlink(join(here.dir, "planted"), join(folder(here), name));
    await expect(here.load()).rejects.toMatchObject({ code: "file_conflict" });
  });

  it("that can't be written to is told", async () => {
    const here = await world(brings);
    await here.load();
    await writeFile(folder(here), "a file in the way");
    await expect(here.accept()).rejects.toMatchObject({
      code: "file_conflict",
      hint: expect.stringContaining("--trust"),
    });
  });

  it("is given up by revoking", async () => {
    const here = await world(brings);
    await here.accept();
    expect(await revokeTrust(places(here))).toBe(1);
    expect([names(await here.load()), await readdir(folder(here))]).toEqual([[], []]);
  });
});

describe("hostile files", () => {
  it("with thousands of servers are shown, and too many are not kept", async () => {
    const servers = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`s${n}`, { command: "a" }]));
    const { load, accept } = await world({ ".mcp.json": mcp(servers) });
    const loaded = await load();
    expect(loaded.invalidServers).toHaveLength(1_001);
    expect(loaded.notices.join().length).toBeLessThan(1_000);
    await expect(accept()).rejects.toMatchObject({ code: "too_large" });
  });

  it("with a bomb of anchors are refused", async () => {
    const level = (n: number) =>
      `l${n}: &l${n} [${Array(10)
        .fill(`*l${n - 1}`)
        .join(", ")}]`;
    const bomb = ["l0: &l0 [x]", ...Array.from({ length: 12 }, (_, n) => level(n + 1))].join("\n");
    const { load } = await world({ "keyhole.config.yaml": bomb });
    await expect(load()).rejects.toMatchObject({ code: "config_invalid" });
  });

  it("of the names of prototypes bring nothing of theirs", async () => {
    const { load, accept } = await world({
      ".mcp.json": '{"mcpServers":{"constructor":{"command":"a"},"toString":{"command":"b"}}}',
    });
    expect(names(await load())).toEqual([]);
    await accept();
    expect(names(await load())).toEqual(["constructor", "toString"]);
  });

  it("are a different content whenever a single character of a command is", async () => {
    const here = await world({});
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        async (args, at) => {
          await here.write(".mcp.json", mcp({ a: { command: "a", args } }));
          await here.accept();
          expect(names(await here.load())).toEqual(["a"]);
          const other = args.with(at % args.length, `${args[at % args.length]}x`);
          await here.write(".mcp.json", mcp({ a: { command: "a", args: other } }));
          expect(names(await here.load())).toEqual([]);
        },
      ),
      { numRuns: 30 },
    );
  });
});
