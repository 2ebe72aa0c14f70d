import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir, writeProject } from "../../test/fixtures/project.ts";
import { loadConfig } from "./load.ts";
import { configSchema } from "./schema.ts";
import { combineStricter } from "./stricter.ts";

const combined = (user: object, project: object) =>
  combineStricter(JSON.parse(JSON.stringify(user)), JSON.parse(JSON.stringify(project)));

describe("combineStricter", () => {
  it.each([
    [{ securityLevel: "low" }, { securityLevel: "high" }, { securityLevel: "high" }],
    [{ securityLevel: "maximum" }, { securityLevel: "low" }, { securityLevel: "maximum" }],
    [{ securityLevel: "low" }, {}, { securityLevel: "low" }],
    [{ maxExecutionTime: 1000 }, { maxExecutionTime: 500 }, { maxExecutionTime: 500 }],
    [
      { resourceLimits: { memory: "1GB", cpu: 1 } },
      { resourceLimits: { memory: "900MB", cpu: "2 cores", disk: "1GB" } },
      { resourceLimits: { memory: "900MB", cpu: 1, disk: "1GB" } },
    ],
    [
      { piiTokenization: false, auditLogging: true },
      { piiTokenization: true, auditLogging: false },
      { piiTokenization: true, auditLogging: true },
    ],
    [
      { enabled: false, learnTypes: true },
      { enabled: true, learnTypes: false },
      { enabled: false, learnTypes: false },
    ],
    [{ sandboxMode: "vm" }, { sandboxMode: "process" }, { sandboxMode: "vm" }],
    [
      { network: { allow: ["a.org", "b.org"], deny: ["10.0.0.0/8"], perMinute: 5 } },
      { network: { allow: ["b.org", "c.org"], deny: ["c.org"], perMinute: 9 } },
      { network: { allow: ["b.org"], deny: ["10.0.0.0/8", "c.org"], perMinute: 5 } },
    ],
    [
      { servers: { a: { command: "mine" } } },
      { servers: { a: { command: "theirs" }, b: { command: "b" } } },
      { servers: { a: { command: "mine" }, b: { command: "b" } } },
    ],
    [
      { approval: { onExpiry: "deny", channels: ["cli", "terminal"] } },
      { approval: { onExpiry: "approve", channels: ["cli", "elicitation"], holdMs: 5 } },
      { approval: { onExpiry: "deny", channels: ["cli"], holdMs: 5 } },
    ],
    [{ http: { open: false } }, { http: { open: true } }, { http: { open: false } }],
    [{ output: { tokens: 500 } }, { output: { tokens: 900 } }, { output: { tokens: 900 } }],
    [
      { journal: { enabled: true } },
      { journal: { enabled: false, keepDays: 3 } },
      { journal: { enabled: true, keepDays: 3 } },
    ],
    [{ servers: null }, { servers: { a: { command: "a" } } }, { servers: { a: { command: "a" } } }],
  ])("%o and %o", (user, project, holds) => {
    expect(combined(user, project)).toEqual(holds);
    expect(configSchema.safeParse(combined(user, project)).success).toBe(true);
  });
});

describe("the user's own config", () => {
  async function load(user: string, project: object, name = "config.yaml") {
    const home = await tempDir();
    const file = join(home, ".config/keyhole", name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, user);
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { a: { command: "node" } } },
      "keyhole.config.json": project,
    });
    return { file, dir, loaded: await loadConfig({ projectDir: dir, homeDir: home, env: {}, trust: true }) };
  }

  it("holds in every project, beside the project's own", async () => {
    const { file, dir, loaded } = await load("securityLevel: high\nservers: { mine: { command: node } }", {
      maxExecutionTime: 500,
    });
    expect(loaded.config).toMatchObject({ securityLevel: "high", maxExecutionTime: 500 });
    expect(loaded.servers.map(({ name }) => name).sort()).toEqual(["a", "mine"]);
    expect(loaded.policies).toEqual([
      { file, securityLevel: "high" },
      { file: join(dir, "keyhole.config.json") },
    ]);
    expect(loaded.files[0]).toBe(file);
  });

  it("keeps each file's rules apart", async () => {
    const rules = [{ tool: "x", decision: "deny" }];
    const { loaded } = await load("permissions: { level: read_only }", { permissions: { rules } });
    expect(loaded.policies.map(({ permissions }) => permissions)).toEqual([
      { level: "read_only", rules: [] },
      { rules },
    ]);
  });

  it("is an error of its own when it is wrong, or when there are two", async () => {
    await expect(load("securityLevel: hihg", {})).rejects.toThrow(
      /config\.yaml:1:16: key "securityLevel" must be one of/,
    );
    const home = await tempDir();
    await mkdir(join(home, ".config/keyhole"), { recursive: true });
    for (const name of ["config.json", "config.yml"])
      await writeFile(join(home, ".config/keyhole", name), "{}");
    const dir = await writeProject({});
    await expect(loadConfig({ projectDir: dir, homeDir: home, env: {} })).rejects.toThrow("Two config files");
  });

  it("is looked for where XDG_CONFIG_HOME says", async () => {
    const config = await tempDir();
    await mkdir(join(config, "keyhole"));
    await writeFile(join(config, "keyhole/config.json"), '{ "securityLevel": "low" }');
    const options = {
      projectDir: await writeProject({}),
      homeDir: "/nowhere",
      env: { XDG_CONFIG_HOME: config },
    };
    expect((await loadConfig(options)).config.securityLevel).toBe("low");
  });
});
