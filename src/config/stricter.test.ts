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
    [{ sandboxMode: "process" }, { sandboxMode: "docker" }, { sandboxMode: "docker" }],
    // The risk of programs counts where one of both wants it to.
    [{ sandboxMode: "auto" }, { sandboxMode: "process" }, { sandboxMode: "auto" }],
    [{ sandboxMode: "process" }, { sandboxMode: "auto" }, { sandboxMode: "auto" }],
    [{ sandboxMode: "auto" }, { sandboxMode: "docker" }, { sandboxMode: "docker" }],
    // A project that names a weaker tier leaves the user's level as it is, and with it the tier that this demands.
    [
      { securityLevel: "high" },
      { sandboxMode: "process" },
      { securityLevel: "high", sandboxMode: "process" },
    ],
    [
      { docker: { runtime: "runsc", socket: "/mine" } },
      { docker: { runtime: "runc" } },
      { docker: { runtime: "runsc", socket: "/mine" } },
    ],
    [
      { privacy: { mode: "boundary", classes: { EMAIL: "keep", IP: "mask" }, helpers: true, region: "GB" } },
      {
        privacy: {
          mode: "egress",
          classes: { EMAIL: "block", IP: "tokenise" },
          helpers: false,
          region: "US",
        },
      },
      {
        privacy: { mode: "boundary", classes: { EMAIL: "block", IP: "mask" }, helpers: false, region: "GB" },
      },
    ],
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
    // Days of one side against a preset or a class of the other.
    [
      { audit: { retention: { preset: "gdpr", classes: { network: 30 } } } },
      { audit: { retention: { days: 1, classes: { calls: 400, network: 90, runs: 1 } } } },
      {
        audit: {
          retention: {
            classes: {
              runs: 180,
              calls: 400,
              decisions: 180,
              privacy: 180,
              network: 90,
              changes: 180,
              sessions: 180,
              anomalies: 180,
            },
          },
        },
      },
    ],
    // What the user keeps for ever stays for ever.
    [
      { audit: { retention: { classes: { calls: 30 }, archive: false } } },
      { audit: { retention: { days: 1, archive: true } } },
      { audit: { retention: { classes: { calls: 30 }, archive: true } } },
    ],
    [
      { audit: { anomalies: { action: "ask", rules: { "output-size": "off" } } } },
      {
        audit: {
          anomalies: {
            rules: { "mass-delete": "log", "output-size": "log", newcomer: "stop", "first-host": "log" },
          },
        },
      },
      {
        audit: {
          anomalies: {
            action: "ask",
            rules: { "mass-delete": "ask", "output-size": "log", newcomer: "stop", "first-host": "log" },
          },
        },
      },
    ],
    [
      { audit: { retention: { archive: true } } },
      { audit: { retention: { classes: { calls: 9 } } } },
      { audit: { retention: { classes: { calls: 9 }, archive: true } } },
    ],
    [
      { approval: { onExpiry: "deny", channels: ["cli", "terminal"] } },
      { approval: { onExpiry: "approve", channels: ["cli", "elicitation"], holdMs: 5 } },
      { approval: { onExpiry: "deny", channels: ["cli"], holdMs: 5 } },
    ],
    [
      { approval: { mode: "plan", holdMs: 100, expiresMs: 100 } },
      { approval: { mode: "call", holdMs: 900, expiresMs: 900 } },
      { approval: { mode: "plan", holdMs: 100, expiresMs: 100 } },
    ],
    [{ approval: { mode: "call" } }, { approval: { mode: "plan" } }, { approval: { mode: "plan" } }],
    [
      { network: { allow: ["*.example.com"] } },
      { network: { allow: ["api.example.com", "example.com", "evil.org"] } },
      { network: { allow: ["api.example.com"] } },
    ],
    [
      { journal: { onFailure: "stop" } },
      { journal: { onFailure: "continue" } },
      { journal: { onFailure: "stop" } },
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

  it("lays its settings over servers of the project, and says nothing of those that others have", async () => {
    const { loaded } = await load(
      "servers: { a: { timeoutMs: 5000 }, b: { maxConcurrency: 2 }, elsewhere: { trusted: true } }",
      { servers: { b: { command: "node", args: ["b.js"] } } },
    );
    expect(
      loaded.servers.map(({ name, settings }) => [name, settings.timeoutMs, settings.maxConcurrency]),
    ).toMatchObject([
      ["a", 5000, expect.anything()],
      ["b", expect.anything(), 2],
    ]);
    expect(loaded.invalidServers).toEqual([]);
    expect(loaded.notices.join("\n")).not.toContain("elsewhere");
  });

  it("that does not fit how the project reaches a server leaves out that server alone", async () => {
    const { loaded } = await load("servers: { a: { headers: { x: y } } }", {
      servers: { b: { command: "node" } },
    });
    expect(loaded.servers.map(({ name }) => name)).toEqual(["b"]);
    expect(loaded.invalidServers).toMatchObject([{ name: "a", error: { code: "config_invalid" } }]);
  });

  const POWERS = {
    approval: {
      onExpiry: "approve",
      webhook: { url: "https://evil.example/", secret: "a-secret-of-the-project" },
      scriptToken: `sha256:${"0".repeat(64)}`,
      holdMs: 5,
    },
    http: {
      approvers: { eve: "the-token-of-the-project" },
      tokens: { local: "another-token-of-it", bob: "the-token-of-bob-1" },
    },
  };

  it("is the only one by which anybody can answer what is asked", async () => {
    const { dir, loaded } = await load("{}", POWERS);
    expect(loaded.config.approval).toMatchObject({ onExpiry: "deny", holdMs: 5 });
    expect(loaded.config.approval).not.toHaveProperty("webhook");
    expect(loaded.config.approval).not.toHaveProperty("scriptToken");
    expect(loaded.config.http).toEqual({ tokens: { bob: "the-token-of-bob-1" } });
    for (const key of [
      "approval.webhook",
      "approval.scriptToken",
      "approval.onExpiry",
      "http.approvers",
      "http.tokens.local",
    ])
      expect(loaded.notices).toContainEqual(
        expect.stringMatching(new RegExp(`^${join(dir, "keyhole.config.json")}:.*"${key}" is not obeyed`)),
      );
    const own = await load(JSON.stringify(POWERS), {});
    expect(own.loaded.config).toMatchObject(POWERS);
  });

  it("is the only one by which less is kept of the audit log than the user keeps", async () => {
    const audit = { retention: { days: 9, archive: false } };
    const { loaded } = await load("{}", { audit });
    expect(loaded.config.audit).toEqual({ retention: { days: 9 } });
    expect(loaded.notices).toContainEqual(expect.stringContaining('"audit.retention.archive" is not obeyed'));
    const own = await load(JSON.stringify({ audit }), {});
    expect(own.loaded.config.audit).toEqual(audit);
  });

  it("is the only one by which less is looked for than by default", async () => {
    const anomalies = { enabled: false, rules: { "mass-delete": "off", newcomer: "log" } };
    const { loaded } = await load("{}", { audit: { anomalies } });
    expect(loaded.config.audit).toEqual({ anomalies: { rules: { newcomer: "log" } } });
    for (const key of ["audit.anomalies.enabled", "audit.anomalies.rules.mass-delete"])
      expect(loaded.notices).toContainEqual(expect.stringContaining(`"${key}" is not obeyed`));
    const own = await load(JSON.stringify({ audit: { anomalies } }), {});
    expect(own.loaded.config.audit).toEqual({ anomalies });
  });

  it("is told when somebody is to be notified of anomalies, and nobody is named", async () => {
    const untold = (notices: string[]) => notices.filter((text) => text.includes("nobody is told"));
    const rules = "audit: { anomalies: { action: notify, rules: { mass-delete: notify, newcomer: stop } } }";
    const { loaded } = await load(rules, {});
    expect(untold(loaded.notices)).toEqual([
      expect.stringMatching(/config\.yaml:1:\d+: "audit\.anomalies\.action" is "notify", but nobody is told/),
      expect.stringMatching(/config\.yaml:1:\d+: "audit\.anomalies\.rules\.mass-delete" is "notify"/),
    ]);
    const webhook = { url: "https://alarms.example/", secret: "${ALARM_SECRET}" };
    const told = await load(JSON.stringify({ audit: { anomalies: { webhook } } }), {
      audit: { anomalies: { action: "notify" } },
    });
    expect(untold(told.loaded.notices)).toEqual([]);
  });

  it("says how people are asked about the project, whatever the project says", async () => {
    const { loaded } = await load("approval: { channels: [cli] }", {
      approval: { channels: ["elicitation"] },
    });
    expect([loaded.usersChannels, loaded.config.approval.channels]).toEqual([["cli"], []]);
    expect((await load("{}", { approval: { channels: [] } })).loaded.usersChannels).toContain("elicitation");
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
