import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { createKeyhole, type KeyholeOptions } from "../../src/index.ts";
import { connectKeyhole, untrustingKeyhole } from "../fixtures/keyhole.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, fixturePath, homeOf, onCleanup, tempDir, writeProject } from "../fixtures/project.ts";
import { hasTerminal, keyholeOnTerminal } from "../fixtures/terminal.ts";

/** A server that leaves a file behind when it is started. */
function marking(marker: string) {
  const code = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, ""); import(${JSON.stringify(fixturePath("math"))})`;
  return { command: process.execPath, args: ["-e", code] };
}

async function cloned(config?: unknown) {
  const marker = join(await tempDir(), "started");
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { math: marking(marker) } },
    ...(config === undefined ? {} : { "keyhole.config.json": config }),
  });
  return { dir, wasStarted: () => existsSync(marker) };
}

const THREE = JSON.stringify({ sum: 3 });
const SUM = ["run", "-e", "return math.addUp({ numbers: [1, 2] })"];

describe("a folder that nobody has trusted", () => {
  it.each([["tools"], ["servers"], ["doctor", "--quick"], ["search"], ["search", "add", "numbers"], SUM])(
    "has its servers listed and not started by `keyhole %s %s` [trust-first]",
    async (...args) => {
      const { dir, wasStarted } = await cloned({ securityLevel: "low" });
      const { stdout, stderr } = await untrustingKeyhole(dir, args);
      expect(stdout).toMatch(/math.*not trusted yet/s);
      expect(`${stdout}${stderr}`).toContain("keyhole trust");
      expect(wasStarted()).toBe(false);
    },
  );

  it("is told of as data, with the code `untrusted`", async () => {
    const { dir } = await cloned();
    const { code, stdout } = await untrustingKeyhole(dir, ["servers", "--json"]);
    expect([code, JSON.parse(stdout).servers]).toEqual([
      1,
      [
        expect.objectContaining({
          name: "math",
          status: "failed",
          error: expect.objectContaining({ code: "untrusted" }),
        }),
      ],
    ]);
  });

  it("is used by --trust, for that command alone [trust-flag]", async () => {
    const { dir, wasStarted } = await cloned();
    const { code, stdout } = await untrustingKeyhole(dir, [...SUM, "--trust"]);
    expect([code, stdout.trim(), wasStarted()]).toEqual([0, THREE, true]);
    expect((await untrustingKeyhole(dir, ["tools"])).stdout).toContain("not trusted yet");
    expect(await readdir(join(await homeOf(dir), ".config/keyhole"))).toEqual(["audit", "key", "vault-key"]);
  });

  it("has neither its rules that allow nor its tokens obeyed", async () => {
    const { dir } = await cloned({ http: { open: true }, permissions: { rules: [{ decision: "allow" }] } });
    const { stdout } = await untrustingKeyhole(dir, ["trust", "--json"]);
    expect(JSON.parse(stdout).pending[0].remarks).toEqual([
      "makes looser: http.open is true",
      "makes looser: calls are allowed by rule 1 of permissions",
    ]);
  });

  it("is no way around a state that it brings: nothing in it says that it is trusted", async () => {
    const { dir, wasStarted } = await cloned();
    await untrustingKeyhole(dir, [...SUM, "--trust"]);
    expect(wasStarted()).toBe(true);
    // The tools are in the cache now, and the server stays what it is.
    expect((await untrustingKeyhole(dir, ["tools"])).stdout).not.toContain("addUp");
  });
});

describe("keyhole trust", () => {
  it("shows what would be started, and demands a person or --yes [trust-command]", async () => {
    const { dir, wasStarted } = await cloned({ maxExecutionTime: 60_000 });
    const asked = await untrustingKeyhole(dir, ["trust"]);
    expect(asked.code).toBe(2);
    expect(asked.stdout).toContain(`starts: ${process.execPath} -e`);
    expect(asked.stdout).toContain("makes looser: maxExecutionTime is 60000");
    expect(asked.stderr).toContain("keyhole trust --yes");
    expect((await untrustingKeyhole(dir, ["tools"])).stdout).toContain("not trusted yet");
    expect(await untrustingKeyhole(dir, ["trust", "--yes"])).toMatchObject({ code: 0 });
    expect(wasStarted()).toBe(false);
    expect((await untrustingKeyhole(dir, SUM)).stdout.trim()).toBe(THREE);
    expect((await untrustingKeyhole(dir, ["trust"])).stdout).toContain("All of it is trusted");
  });

  it("shows a changed entry as a difference; the others go on working [trust-changed]", async () => {
    const { dir } = await cloned();
    await untrustingKeyhole(dir, ["trust", "--yes"]);
    const { mcpServers } = JSON.parse(await readFile(join(dir, ".mcp.json"), "utf8"));
    await writeFile(
      join(dir, ".mcp.json"),
      JSON.stringify({ mcpServers: { ...mcpServers, good: fixture("good") } }),
    );
    await untrustingKeyhole(dir, ["trust", "--yes"]);
    const changed = { ...mcpServers, good: fixture("good", "evil") };
    await writeFile(join(dir, ".mcp.json"), JSON.stringify({ mcpServers: changed }));
    const shown = await untrustingKeyhole(dir, ["trust"]);
    expect(shown.stdout).toMatch(
      /good.*changed since it was trusted[\s\S]*- starts: .*good\.js\n[\s\S]*\+ starts: .*good\.js evil\n/,
    );
    expect((await untrustingKeyhole(dir, SUM)).stdout.trim()).toBe(THREE);
  });

  it("--revoke takes it back [trust-command]", async () => {
    const { dir } = await cloned();
    await untrustingKeyhole(dir, ["trust", "--yes"]);
    expect(await untrustingKeyhole(dir, ["trust", "--revoke"])).toMatchObject({ code: 0 });
    expect((await untrustingKeyhole(dir, ["tools"])).stdout).toContain("not trusted yet");
  });

  it("shows nothing that a terminal obeys, and no secret", async () => {
    const dir = await writeProject({
      ".mcp.json": {
        mcpServers: {
          x: {
            command: "sh",
            args: ["-c", "\u001b[2K\rnothing\u202e"],
            env: { API_KEY: "kx7Qv2Lm9Rt4Zp8Wn3Hs6Yd1" },
            envFile: "\u001b]0;x\u0007",
          },
        },
      },
    });
    const { stdout } = await untrustingKeyhole(dir, ["trust"]);
    expect(stdout).toMatch(/^[\n\u0020-\u007e…·]*$/u);
    expect(stdout).not.toContain("kx7Qv2Lm9Rt4Zp8Wn3Hs6Yd1");
  });

  it("takes the yes of several processes at once", async () => {
    const names = Array.from({ length: 6 }, (_, n) => `s${n}`);
    const mcpServers = Object.fromEntries(names.map((name) => [name, fixture("good")]));
    const dir = await writeProject({ ".mcp.json": { mcpServers } });
    const places = { projectDir: dir, homeDir: await homeOf(dir), env: {} };
    const module = (name: string) =>
      JSON.stringify(fileURLToPath(new URL(`../../dist/config/${name}.js`, import.meta.url)));
    const accept = (name: string) => `
      const { loadConfig } = await import(${module("load")});
      const { acceptBrought } = await import(${module("trust/accept")});
      const places = ${JSON.stringify(places)};
      const { brought } = await loadConfig(places);
      await acceptBrought(brought.filter((item) => item.name === ${JSON.stringify(name)}), places);`;
    const children = names.map((name) =>
      spawn(process.execPath, ["--input-type=module", "-e", accept(name)], { stdio: "inherit" }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual(names.map(() => 0));
    const { stdout } = await untrustingKeyhole(dir, ["trust", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ pending: [], trusted: names.map((name) => ({ name })) });
  });
});

describe.skipIf(!hasTerminal)("on a terminal", () => {
  it("a command asks once, and goes on with or without it [trust-terminal]", async () => {
    const { dir, wasStarted } = await cloned();
    const HOME = await homeOf(dir);
    const refused = await keyholeOnTerminal(dir, ["tools"], { HOME });
    await until(() => refused.shown().includes("Trust this"), "the question");
    expect(refused.shown()).toContain("starts:");
    refused.type("n");
    await refused.ended;
    expect([wasStarted(), refused.shown()]).toEqual([false, expect.stringContaining("not trusted yet")]);
    const taken = await keyholeOnTerminal(dir, ["tools"], { HOME });
    await until(() => taken.shown().includes("Trust this"), "the question");
    taken.type("y");
    expect(await taken.ended).toBe(0);
    expect(taken.shown()).toContain("math.addUp");
    const again = await keyholeOnTerminal(dir, ["tools"], { HOME });
    expect(await again.ended).toBe(0);
    expect(again.shown()).not.toContain("Trust this");
  });
});

describe("what keyhole init wrote", () => {
  it("is trusted, and nothing else of the folder [trust-init]", async () => {
    const { dir } = await cloned();
    await untrustingKeyhole(dir, ["init", "--server", "math", "--yes"]);
    expect((await untrustingKeyhole(dir, SUM)).stdout.trim()).toBe(THREE);
    const { dir: other } = await cloned({ securityLevel: "low", servers: { good: fixture("good") } });
    await untrustingKeyhole(other, ["init", "--server", "math", "--add"]);
    const { stdout } = await untrustingKeyhole(other, ["trust", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      trusted: [{ id: "server math" }],
      pending: [{ id: "settings keyhole.config" }, { id: "server good" }],
    });
  });
});

describe("keyhole serve", () => {
  it("says in search_tools what is not trusted, and takes it up once it is [trust-serve]", async () => {
    const { dir, wasStarted } = await cloned();
    const client = await connectKeyhole(dir, []);
    const search = async () =>
      JSON.stringify(
        (await client.callTool({ name: "search_tools", arguments: { query: "add numbers" } })).content,
      );
    expect(await search()).toContain("not trusted yet");
    const run = { name: "execute_code", arguments: { code: "return math.addUp({ numbers: [1, 2] })" } };
    expect(JSON.stringify(await client.callTool(run))).toContain("not trusted yet");
    expect(wasStarted()).toBe(false);
    await untrustingKeyhole(dir, ["trust", "--yes"]);
    expect(await search()).toContain("addUp");
    expect(JSON.stringify((await client.callTool(run)).content)).toContain("3");
  });

  it("has a client ask its user, and what is trusted there is trusted for all [trust-elicitation]", async () => {
    const { dir, wasStarted } = await cloned();
    const asked: string[] = [];
    const client = await connectKeyhole(dir, [], (message) => {
      asked.push(message);
      expect(wasStarted()).toBe(false);
      return { action: "accept", content: { decision: "trust" } };
    });
    const run = { name: "execute_code", arguments: { code: "return math.addUp({ numbers: [1, 2] })" } };
    expect(JSON.stringify((await client.callTool(run)).content)).toContain("3");
    expect(asked).toEqual([expect.stringContaining("server math (not trusted yet")]);
    expect((await untrustingKeyhole(dir, SUM)).stdout).toContain(THREE);
  });

  it("closes what is revoked, with the next request [trust-revoked]", async () => {
    const { dir } = await cloned();
    await untrustingKeyhole(dir, ["trust", "--yes"]);
    const client = await connectKeyhole(dir, []);
    const run = { name: "execute_code", arguments: { code: "return math.addUp({ numbers: [1, 2] })" } };
    expect(JSON.stringify((await client.callTool(run)).content)).toContain("3");
    await untrustingKeyhole(dir, ["trust", "--revoke"]);
    expect(JSON.stringify((await client.callTool(run)).content)).toContain("not trusted any more");
  });
});

describe("the library", () => {
  async function open(options: KeyholeOptions) {
    vi.stubEnv("HOME", await tempDir());
    onCleanup(async () => {
      vi.unstubAllEnvs();
    });
    const keyhole = await createKeyhole({ poolSize: 0, ...options });
    onCleanup(() => keyhole.close());
    return keyhole;
  }

  it("uses a project's files when the caller trusts them, and its own values always [trust-library]", async () => {
    const { dir, wasStarted } = await cloned();
    const notices: string[] = [];
    const untrusting = await open({
      project: dir,
      servers: { mine: fixture("math"), other: { ...fixture("good") } },
      onNotice: (text) => notices.push(text),
    });
    expect(untrusting.servers()).toMatchObject([
      { name: "math", status: "failed", error: { code: "untrusted" } },
      { name: "mine", status: "ready" },
      { name: "other", status: "ready" },
    ]);
    expect(notices.join()).toContain("keyhole trust");
    expect(wasStarted()).toBe(false);
    const trusting = await open({ project: dir, trust: true });
    expect(trusting.servers()).toMatchObject([{ name: "math", status: "ready" }]);
  });

  it("has settings for a server of the project not trust it, and a value of that name replace it", async () => {
    const { dir, wasStarted } = await cloned();
    const laid = await open({ project: dir, servers: { math: { timeoutMs: 5 } } });
    expect(laid.servers()).toMatchObject([{ name: "math", status: "failed", error: { code: "untrusted" } }]);
    const replaced = await open({ project: dir, servers: { math: fixture("math") } });
    expect(replaced.servers()).toMatchObject([{ name: "math", status: "ready" }]);
    expect(wasStarted()).toBe(false);
  });
});
