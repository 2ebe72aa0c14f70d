import { appendFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLog } from "../../src/audit/log/open-log.ts";
import { userDir } from "../../src/engine/project.ts";
import { eventLines, textSpool } from "../fixtures/audit/text-spool.ts";
import { keyhole } from "../fixtures/keyhole.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../fixtures/postgres.ts";
import { fixture, homeOf, tempDir, writeProject, writeUserConfig } from "../fixtures/project.ts";

const isDemanded = process.env["KEYHOLE_TEST_DEMAND"] !== undefined;
const missing = isDemanded ? undefined : postgresMissing;

async function json(dir: string, args: string[], env?: Record<string, string>) {
  const { code, stdout, stderr } = await keyhole(dir, ["audit", ...args, "--json"], env);
  return { code, stderr, ...JSON.parse(stdout) };
}

/** A project whose log has events of years ago. */
async function openOld(audit: object): Promise<string> {
  const mcpServers = { post: fixture("postbox", join(await tempDir(), "sent")) };
  const dir = await writeProject({ ".mcp.json": { mcpServers } });
  await writeUserConfig(dir, { audit });
  const place = {
    projectDir: dir,
    userDir: userDir({ homeDir: await homeOf(dir), env: {} }),
    store: "sqlite",
  };
  const { writer } = await openLog(place, { env: {} });
  await writer.take(textSpool("old", eventLines(30, { from: Date.UTC(2020, 1, 1) })));
  await writer.close();
  return dir;
}

describe("old events of the audit log", () => {
  it("are taken out by class, into an archive, and the log is whole after it [audit-retention]", async () => {
    const dir = await openOld({ retention: { preset: "soc2", classes: { decisions: 36_500 } } });
    const dry = await json(dir, ["prune", "--dry-run"]);
    expect(dry).toMatchObject({
      code: 0,
      dryRun: true,
      days: { calls: 365, decisions: 36_500 },
      archives: [],
    });
    expect(dry.count).toBeGreaterThan(50);
    const done = await json(dir, ["prune"]);
    expect(done).toMatchObject({ code: 0, count: dry.count, classes: dry.classes });
    expect(done.archives).toHaveLength(1);
    const [archive = "", ...more] = await readdir(join(dir, ".keyhole/audit-archive"));
    expect(more).toEqual([]);
    const file = join(dir, ".keyhole/audit-archive", archive);
    const verified = await json(dir, ["verify", "--archive", file]);
    expect(verified).toMatchObject({ code: 0, ok: true, events: dry.count });
    expect(await json(dir, ["verify"])).toMatchObject({ code: 0, ok: true, pruned: dry.count });
    const shown = await keyhole(dir, ["audit", "prune"]);
    expect(shown.stdout).toContain("No event is older");
    await appendFile(file, gzipSync(""));
    expect(await json(dir, ["verify"])).toMatchObject({
      code: 1,
      ok: false,
      problems: [{ kind: "archive_changed", message: expect.stringContaining(archive) }],
    });
    await rm(file);
    expect(await json(dir, ["verify"])).toMatchObject({
      code: 0,
      ok: true,
      missingArchives: [`audit-archive/${archive}`],
    });
  });
});

describe("the key that seals details", () => {
  it("is made anew with an event, and says so where nothing is sealed [audit-sealed]", async () => {
    const dir = await openOld({});
    const { code, stdout } = await keyhole(dir, ["audit", "rotate-key", "--seal"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('nothing is sealed: "audit.encrypt" is off')]);
    const { events } = await json(dir, ["list", "--action", "audit.seal"]);
    expect(events).toMatchObject([{ action: "audit.seal", details: { key: expect.any(String) } }]);
  });
});

describe("anchors of the audit log", () => {
  it("are told signed checkpoints, and the log is held to them [audit-anchors]", async () => {
    const file = join(await tempDir(), "anchors.jsonl");
    const dir = await openOld({ anchors: [{ file }] });
    const told = await json(dir, ["anchor"]);
    expect(told).toMatchObject({ code: 0, anchors: [{ target: file }] });
    expect(JSON.parse((await readFile(file, "utf8")).trim())).toMatchObject({ type: "checkpoint" });
    expect(await json(dir, ["verify", "--anchor", file])).toMatchObject({ code: 0, ok: true, anchors: 1 });
    await writeUserConfig(dir, { audit: { anchors: [{ file: join(dir, "none", "anchors.jsonl") }] } });
    const count = async () => (await json(dir, ["list", "--limit", "1000"])).events.length;
    const before = await count();
    const refused = await Promise.all([
      keyhole(dir, ["audit", "anchor"]),
      keyhole(dir, ["run", "-e", "return 1"]),
      keyhole(dir, ["serve"]),
    ]);
    for (const one of refused)
      expect(one).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no folder") });
    const { stdout } = await keyhole(dir, ["doctor", "--quick"]);
    expect(stdout).toMatch(/✗ No program runs.*there is no folder/s);
    expect(await count()).toBe(before);
  });
});

describe.skipIf(missing !== undefined)(`an audit log on PostgreSQL${missing ? ` (${missing})` : ""}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it("is written to by runs, asked and verified as the other, and sealed [audit-postgres]", async () => {
    const mcpServers = { post: fixture("postbox", join(await tempDir(), "sent")) };
    const dir = await writeProject({ ".mcp.json": { mcpServers }, "two.ts": "return 1 + 1" });
    const AUDIT_STORE = await server.createDatabase();
    await writeUserConfig(dir, { audit: { store: "${AUDIT_STORE}", encrypt: true } });
    const run = await keyhole(dir, ["run", "two.ts"], { AUDIT_STORE });
    expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining("audit") });
    const { events } = await json(dir, ["list", "--action", "run.ended"], { AUDIT_STORE });
    expect(events).toMatchObject([{ action: "run.ended", outcome: "ok", details: { status: "done" } }]);
    const [[body] = []] = await server.run(
      AUDIT_STORE,
      "SELECT body FROM keyhole_audit_events WHERE body LIKE '%run.ended%'",
    );
    expect(JSON.parse(String(body))).toMatchObject({ action: "run.ended", sealed: expect.any(String) });
    expect(body).not.toContain("details");
    expect(await json(dir, ["verify"], { AUDIT_STORE })).toMatchObject({ code: 0, ok: true });
    const other = await json(dir, ["list", "--action", "run.ended"], {
      AUDIT_STORE,
      KEYHOLE_AUDIT_KEY: "00".repeat(32),
    });
    expect(other.events).toMatchObject([{ action: "run.ended" }]);
  });
});
