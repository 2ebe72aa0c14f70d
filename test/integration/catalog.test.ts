import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CatalogEntry } from "../../src/catalog/entry.ts";
import { fixture, project, reopen, tempDir } from "../fixtures/project.ts";

const toolNames = (entry: CatalogEntry | undefined) => entry?.record?.tools.map(({ name }) => name);

describe("tools of odd servers", () => {
  async function readOdd() {
    const { catalog } = await project({ odd: fixture("odd-tools") });
    const [entry] = await catalog.read();
    const tools = new Map(entry?.record?.tools.map((tool) => [tool.name, tool]));
    return { entry, tools };
  }

  it("keeps every tool that can be used, and names those that it left out", async () => {
    const { entry, tools } = await readOdd();
    expect([...tools.keys()]).toEqual([
      "null_annotations",
      "null_hints",
      "no_schema",
      "null_schema",
      "text_schema",
      "deep",
      "large",
      "twin",
      "__proto__",
      "constructor",
      "../../etc/passwd",
      "get_user",
      "get-user",
      "evil",
    ]);
    expect(entry?.warnings).toEqual([
      'Tool "twin" is listed twice; the first one counts',
      ...[16, 17, 18, 19, 20, 21].map((n) => `Tool ${n} of the list has no usable name and was left out`),
    ]);
    expect(tools.get("twin")?.description).toBe("The first.");
  });

  it("takes null annotations for none, and none for the worst", async () => {
    const { tools } = await readOdd();
    const worst = { readOnly: false, destructive: true, idempotent: false, openWorld: true };
    expect(tools.get("null_annotations")).toMatchObject({ annotations: worst, trusted: false, warnings: [] });
    expect(tools.get("null_hints")).toMatchObject({ annotations: worst });
  });

  it.each(["no_schema", "null_schema", "text_schema", "deep", "large"])(
    "accepts any arguments for %s, with a warning",
    async (name) => {
      const { tools } = await readOdd();
      expect(tools.get(name)).toMatchObject({
        inputSchema: { type: "object" },
        warnings: [expect.stringContaining("inputSchema")],
      });
    },
  );

  it("gives names that are safe as identifiers and as files", async () => {
    const { tools } = await readOdd();
    const names = [...tools.values()].map(({ identifiers }) => identifiers.typescript);
    for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/);
    expect(new Set(names).size).toBe(names.length);
    expect(tools.get("../../etc/passwd")?.identifiers).toEqual({
      typescript: "etcPasswd",
      python: "etc_passwd",
    });
  });

  it("takes escapes and bidi characters out of descriptions", async () => {
    const { tools } = await readOdd();
    expect(tools.get("evil")?.description).toBe("Hides colours and reversed text.");
  });

  it("keeps fifty good tools beside one bad one", async () => {
    const { catalog } = await project({ mixed: fixture("one-bad") });
    const [entry] = await catalog.read();
    expect(entry?.record?.tools).toHaveLength(51);
    expect(
      entry?.record?.tools.filter(({ warnings }) => warnings.length > 0).map(({ name }) => name),
    ).toEqual(["bad"]);
  });
});

describe("the cache", () => {
  it("serves the next start without the server", async () => {
    const first = await project({ good: fixture("good", "good", "3") });
    const [live] = await first.catalog.read();
    expect(live).toMatchObject({ status: "ready", from: "server" });
    await first.close();
    const second = await reopen(first.dir);
    const [cached] = await second.catalog.read();
    expect(cached).toMatchObject({ status: "ready", from: "cache", info: { version: "1.0.0" } });
    expect(cached?.record).toEqual(live?.record);
    expect(second.catalog.connection("good").status()).toEqual({ state: "idle" });
  });

  it("connects on the first call when the tools came from the cache", async () => {
    const first = await project({ good: fixture("good") });
    await first.catalog.read();
    const { catalog } = await reopen(first.dir);
    await catalog.read();
    const { value } = await catalog.connection("good").callTool({ name: "good_0" }, { value: "x" });
    expect(value).toEqual({ server: "good", echoed: { value: "x" } });
  });

  it("is not used when the configuration has changed", async () => {
    const first = await project({ good: fixture("good", "good", "1") });
    await first.catalog.read();
    await writeFile(
      join(first.dir, ".mcp.json"),
      JSON.stringify({ mcpServers: { good: fixture("good", "good", "2") } }),
    );
    const { catalog } = await reopen(first.dir);
    expect(toolNames((await catalog.read())[0])).toEqual(["good_0", "good_1"]);
  });

  it("remembers a failure too, but not its tools' loss", async () => {
    const dir = await tempDir();
    const memory = join(dir, "dies");
    const server = {
      command: "/bin/sh",
      args: ["-c", `[ -e ${memory} ] && exit 3; exec "$0" "$1"`, process.execPath, fixture("good").args[0]],
    };
    const first = await project({ flaky: server });
    await first.catalog.read();
    await writeFile(memory, "");
    const second = await reopen(first.dir);
    const [failed] = await second.catalog.read({ refresh: true });
    expect(failed).toMatchObject({ status: "failed", from: "server", error: { code: "server_closed" } });
    expect(toolNames(failed)).toEqual(["good_0"]);
    const third = await reopen(first.dir);
    const [remembered] = await third.catalog.read();
    expect(remembered).toMatchObject({ status: "failed", from: "cache", error: { code: "server_closed" } });
  });

  it("remembers nothing of a server that Keyhole itself closed while it was asked", async () => {
    const first = await project({ good: fixture("good") });
    await first.catalog.read();
    const second = await reopen(first.dir);
    const asked = second.catalog.read({ refresh: true });
    await second.catalog.close();
    expect(await asked).toMatchObject([{ status: "failed" }]);
    const third = await reopen(first.dir);
    expect(await third.catalog.read()).toMatchObject([{ status: "ready", from: "cache" }]);
  });

  it("does without when its files are damaged", async () => {
    const first = await project({ good: fixture("good") });
    await first.catalog.read();
    const file = join(first.dir, ".keyhole/catalog/good.json");
    const text = await readFile(file, "utf8");
    for (const damaged of [
      text.slice(0, 100),
      "{}",
      text.replace('"tools":[', '"tools":[null,'),
      text.replace('"info"', '"inf"'),
    ]) {
      await writeFile(file, damaged);
      const { catalog } = await reopen(first.dir);
      expect((await catalog.read())[0]).toMatchObject({ status: "ready", from: "server" });
    }
  });

  it("holds no secret that came from the environment", async () => {
    process.env["KEYHOLE_TEST_TOKEN"] = "hunter2-hunter2";
    const { dir, catalog } = await project({
      good: { ...fixture("good"), env: { TOKEN: "${KEYHOLE_TEST_TOKEN}" } },
    });
    await catalog.read();
    const text = await readFile(join(dir, ".keyhole/catalog/good.json"), "utf8");
    expect(text).not.toContain("hunter2");
  });

  it("holds no part of a secret that the server itself tells, wherever that would be cut", async () => {
    const secret = "tk-0123456789abcdefghij";
    const { dir, catalog } = await project({
      leaky: { ...fixture("shows-secrets"), env: { API_TOKEN: secret } },
    });
    await catalog.read();
    const text = await readFile(join(dir, ".keyhole/catalog/leaky.json"), "utf8");
    expect(text).toContain("[env API_TOKEN]");
    for (let at = 0; at + 6 <= secret.length; at++) expect(text).not.toContain(secret.slice(at, at + 6));
    await expect(catalog.connection("leaky").callTool({ name: "fail" }, {})).rejects.toMatchObject({
      message: "refused: [env API_TOKEN]",
    });
  });
});

describe("the configuration", () => {
  it("of another server under the same name leaves nothing of the old one", async () => {
    const first = await project({ server: fixture("good", "old", "2") });
    await first.catalog.read();
    const servers = { server: { command: "no-such-command-anywhere" } };
    await writeFile(join(first.dir, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
    const { catalog } = await reopen(first.dir);
    const [entry] = await catalog.read();
    expect(entry).toMatchObject({ status: "failed", changes: [], record: undefined });
  });

  it("that excludes a tool which is not there is told so", async () => {
    const { catalog } = await project(
      { good: fixture("good", "good", "2") },
      { servers: { good: { excludeTools: ["good_0", "god_1"] } } },
    );
    const [entry] = await catalog.read();
    expect(entry?.warnings).toEqual([
      '"excludeTools" names "god_1", which is no tool of this server; did you mean "good_1"?',
    ]);
  });

  it("that switches Keyhole off starts nothing", async () => {
    const { catalog } = await project({ good: fixture("good") }, { enabled: false });
    expect(await catalog.read()).toEqual([]);
    expect(catalog.entries()).toMatchObject([{ name: "good", status: "disabled" }]);
  });
});

describe("changed tools", () => {
  it("are reported with what changed and since when", async () => {
    const memory = join(await tempDir(), "changed");
    const first = await project({ changing: fixture("changing", memory) });
    const [before] = await first.catalog.read();
    expect(before?.changes).toEqual([]);
    await writeFile(memory, "");
    const { catalog } = await reopen(first.dir);
    const [after] = await catalog.read({ refresh: true });
    const since = before?.record?.tools[0]?.since;
    expect(after?.changes).toEqual([
      {
        tool: "change",
        kind: "changed",
        noticedAt: after?.at,
        stoodSince: since,
        paths: ["description", "inputSchema.properties.force"],
      },
      { tool: "arrives", kind: "added", noticedAt: after?.at },
      { tool: "leaves", kind: "removed", noticedAt: after?.at, stoodSince: since },
    ]);
  });

  it.each([
    ["changing", "change", "arrives"],
    ["modern", "grow", "grown"],
  ])("are read again when the server announces them (%s)", async (server, cause, effect) => {
    const { catalog } = await project({ [server]: fixture(server) });
    await catalog.read();
    const updated = new Promise<CatalogEntry>((resolve) => catalog.onUpdate(resolve));
    await catalog.connection(server).callTool({ name: cause }, {});
    expect(toolNames(await updated)).toContain(effect);
  });
});

describe("many servers", () => {
  it("are read at once, and neither dead nor silent ones keep the others waiting", async () => {
    const servers: Record<string, unknown> = {
      dead: { command: "no-such-command-anywhere" },
      dying: fixture("dies-at-once"),
      hanging: fixture("hang"),
      flooding: fixture("floods"),
      unset: { ...fixture("good"), env: { TOKEN: "${KEYHOLE_TEST_UNSET}" } },
    };
    for (let i = 0; i < 8; i++) servers[`good${i}`] = fixture("good", `good${i}`);
    const { catalog } = await project(servers);
    const entries = await catalog.read({ patience: () => 5_000 });
    const status = Object.fromEntries(
      entries.map(({ name, status, error }) => [name, error?.code ?? status]),
    );
    expect(status).toMatchObject({
      dead: "command_not_found",
      dying: "server_closed",
      hanging: "timeout",
      flooding: "server_misbehaved",
      unset: "variable_unset",
      good0: "ready",
      good7: "ready",
    });
    expect(entries.filter((entry) => entry.status === "ready")).toHaveLength(8);
  });

  it("are left alone when they are disabled, and tools when they are excluded", async () => {
    const { catalog } = await project(
      { off: fixture("good"), some: fixture("good", "some", "4") },
      {
        servers: {
          off: { enabled: false },
          some: { includeTools: ["some_0", "some_1"], excludeTools: ["some_1"] },
        },
      },
    );
    await catalog.read();
    const [off, some] = catalog.entries();
    expect(off).toMatchObject({ status: "disabled" });
    expect(toolNames(some)).toEqual(["some_0"]);
    expect(() => catalog.connection("off")).toThrow('Unknown server "off"');
  });
});
