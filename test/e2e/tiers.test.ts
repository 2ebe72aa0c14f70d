import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectKeyhole, keyhole } from "../fixtures/keyhole.ts";
import { fixture, writeProject } from "../fixtures/project.ts";

const RISKY = "const off = false; if (off) for (const id of [1]) await mailbox.deleteMail({ id }); return 7";

const open = (config: object = {}) =>
  writeProject({
    ".mcp.json": { mcpServers: { mailbox: fixture("mailbox") } },
    "keyhole.config.json": config,
  });

describe("a tier that is demanded and missing", () => {
  it.each([
    ["securityLevel", { securityLevel: "high" }, [], "docker"],
    ["sandboxMode", { sandboxMode: "vm" }, [], "vm"],
    ["--tier", {}, ["--tier", "docker"], "docker"],
  ])(
    "by %s refuses the run, before anything runs, with what to do [tier-demanded]",
    async (_by, config, args, tier) => {
      const dir = await open(config);
      const run = await keyhole(dir, ["run", "-e", "console.log('ran')", "--json", ...args]);
      expect(run.code).toBe(1);
      const { error, logs, calls } = JSON.parse(run.stdout);
      expect({ error, logs, calls }).toMatchObject({ error: { kind: "tier", tier }, logs: [], calls: [] });
      expect(error.message).toContain(`"${tier}"`);
      expect(error.hint).toContain("not run in a weaker one");
    },
  );

  it("fails doctor, which tells of each tier what works or what is missing [doctor-tiers]", async () => {
    const dir = await open({ securityLevel: "high" });
    const { code, stdout } = await keyhole(dir, ["doctor", "--json"]);
    const checks: { id: string }[] = JSON.parse(stdout).checks;
    const of = (id: string) => checks.find((check) => check.id === id);
    expect(code).toBe(1);
    expect(of("sandbox")).toMatchObject({ title: expect.stringMatching(/^Sandbox "process": \d+ of/) });
    expect(of("language python process")).toMatchObject({
      title: expect.stringMatching(/^Python runs in the tier "process": \d+ of \d+ limits hold$/),
      detail: expect.stringMatching(
        /^Python 3\.\d+\.\d+: (CPython 3\.\d+ \(\/.*\), bubblewrap|Pyodide \(cannot .*\), deno)/,
      ),
    });
    expect(of("tier")).toMatchObject({ status: "failed", fix: expect.any(String) });
  });
});

describe("a tier that the risk suggests and that is missing", () => {
  it("is told in the result, the journal and the audit log, and the program runs [tier-suggested]", async () => {
    const dir = await open();
    const run = await keyhole(dir, ["run", "-e", RISKY]);
    expect(run).toMatchObject({ code: 0, stdout: "7\n" });
    expect(run.stderr).toContain(
      "tier process (securityLevel; its risk suggests docker, which is missing here)",
    );
    const asData = await keyhole(dir, ["run", "-e", RISKY, "--json"]);
    const { runId, receipt } = JSON.parse(asData.stdout);
    expect(receipt.tier).toEqual({ name: "process", by: "level", suggested: "docker" });
    const shown = await keyhole(dir, ["runs", "show", runId]);
    expect(shown.stdout).toContain("process (by level; its risk suggests docker, which was missing)");
    const audited = await keyhole(dir, ["audit", "show", runId]);
    expect(audited.stdout).toContain("tier process (its risk suggests docker, which was missing)");
  });

  it("is told to a model once a session [tier-suggested]", async () => {
    const front = await connectKeyhole(await open(), undefined, undefined);
    const run = () => front.callTool({ name: "execute_code", arguments: { code: RISKY } });
    const note = '7\n(ran in the tier "process": its risk suggests "docker", which is missing here)';
    expect(await run()).toMatchObject({
      content: [{ text: note }],
      _meta: { "keyhole/result": { receipt: { tier: { name: "process", suggested: "docker" } } } },
    });
    expect((await run()).content).toEqual([{ type: "text", text: "7" }]);
    await front.close();
  });
});

it("check shows the tier that a program would run in, and whether it can [tier-check]", async () => {
  const check = async (config: object, code: string) => {
    const dir = await open(config);
    await writeFile(join(dir, "a.ts"), code);
    const asData = await keyhole(dir, ["check", "a.ts", "--json"]);
    const { ok, tier } = JSON.parse(asData.stdout);
    return { ok, tier, code: asData.code, text: (await keyhole(dir, ["check", "a.ts"])).stdout };
  };
  expect(await check({}, RISKY)).toMatchObject({
    ok: true,
    tier: { name: "process", by: "level", suggested: "docker" },
    text: expect.stringContaining("Sandbox: tier process (securityLevel; its risk suggests docker"),
  });
  expect(await check({ securityLevel: "maximum" }, "return 1")).toMatchObject({
    ok: false,
    code: 1,
    tier: { name: "vm", by: "level", missing: { why: expect.any(String), fix: expect.any(String) } },
    text: expect.stringContaining("missing here, so it would not run"),
  });
});
