import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NewEvent } from "../../src/audit/event.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { openAuditAt } from "../fixtures/audit/audit-in.ts";
import { makeEvents } from "../fixtures/audit/make-events.ts";
import { keyhole, untrustingKeyhole } from "../fixtures/keyhole.ts";
import { fixture, homeOf, tempDir, writeProject, writeUserConfig } from "../fixtures/project.ts";

const PROGRAM = `const mails = await mailbox.searchMails({ query: "x" });
try { await mailbox.deleteMail({ id: 1 }) } catch (error) { return [mails.length, error.code] }`;

type Listed = { action: string; outcome: string; sequence: number; run?: string; id: string; tool?: string };

async function list(dir: string, ...args: string[]): Promise<{ events: Listed[]; next?: number }> {
  const { code, stdout, stderr } = await keyhole(dir, ["audit", "list", "--json", ...args]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

/** A project whose log has these events, written by this process. */
async function logged(...events: NewEvent[]): Promise<string> {
  const dir = await tempDir();
  const userDir = join(await homeOf(dir), ".config/keyhole");
  const { audit } = await openAuditAt({ projectDir: dir, userDir, store: "sqlite" });
  for (const event of events) audit.add(event);
  await audit.settled();
  await audit.close();
  return dir;
}

const ordinary = (runs: number): NewEvent[] => [...makeEvents(runs)].map(({ id: _, ...event }) => event);

describe("keyhole audit", () => {
  it("tells what a program did, who let it, and what was stopped [audit-list]", async () => {
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { mailbox: fixture("mailbox") } },
      "keyhole.config.json": {
        permissions: { rules: [{ tool: "delete_*", decision: "deny", reason: "by hand only" }] },
      },
    });
    const ran = await keyhole(dir, ["run", "-e", PROGRAM]);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("denied") });

    const { events } = await list(dir);
    expect(events.map(({ sequence }) => sequence)).toEqual(
      events.map(({ sequence }) => sequence).sort((a, b) => b - a),
    );
    const of = (action: string) => events.filter((event) => event.action === action);
    expect(of("run.ended")).toMatchObject([{ outcome: "ok", principal: "local", details: { calls: 2 } }]);
    expect(of("call.denied")).toMatchObject([
      {
        server: "mailbox",
        outcome: "denied",
        details: { leave: { decision: "deny", by: expect.stringContaining("rule 1") } },
      },
    ]);
    const { events: denied, next } = await list(
      dir,
      "--outcome",
      "denied",
      "--server",
      "mailbox",
      "--from",
      "1h",
    );
    expect([denied.map(({ action }) => action), next]).toEqual([["call.denied"], undefined]);
    expect((await list(dir, "--text", "RULE 1 of", "--limit", "1")).events).toMatchObject([
      { action: "call.denied" },
    ]);

    const run = of("run.ended")[0]?.run ?? "";
    const shown = await keyhole(dir, ["audit", "show", run]);
    expect(shown.stdout).toContain(`Run ${run}  done`);
    expect(shown.stdout).toContain("denied by");
    expect(shown.stdout).toContain("await mailbox.searchMails");
    const plain = await keyhole(dir, ["audit", "list"]);
    expect(plain.stdout).toContain("(rule 1 of keyhole.config.json)");
    expect(plain.stdout.trimEnd().split("\n")).toHaveLength(events.length);
  });

  it("goes through the log page by page, in either order [audit-pages]", async () => {
    const dir = await logged(...ordinary(12));
    const { events: all } = await list(dir, "--limit", "1000");
    const first = await list(dir, "--limit", "20");
    const second = await list(dir, "--limit", "20", "--after", String(first.next));
    expect([...first.events, ...second.events]).toEqual(all.slice(0, 40));
    expect(await list(dir, "--limit", "20", "--page", "2")).toEqual(second);
    const { events: oldest } = await list(dir, "--oldest-first", "--limit", "1000");
    expect(oldest).toEqual([...all].reverse());
    for (const [args, hint] of [
      [["list", "--framework", "soc2"], "--framework is for report"],
      [["show", "r_1", "--limit", "3"], "It has no options of its own; --limit is for list"],
    ] as const) {
      const other = await keyhole(dir, ["audit", ...args]);
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining(hint)]);
    }
    const wrong = await keyhole(dir, ["audit", "list", "--action", "call.endet"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("call.ended")]);
  });

  it("is read in a folder that nobody trusts, and nothing is started or made there [audit-untrusted]", async () => {
    const dir = await writeProject({
      ".mcp.json": {
        mcpServers: { trap: { command: "node", args: ["-e", "fs.writeFileSync('started','')"] } },
      },
      "keyhole.config.json": { auditLogging: false, audit: { store: "postgres://evil.invalid/log" } },
    });
    const read = await untrustingKeyhole(dir, ["audit", "list", "--json"]);
    expect([read.code, JSON.parse(read.stdout)]).toEqual([0, { events: [] }]);
    const told = await untrustingKeyhole(dir, ["audit"]);
    expect([told.code, told.stdout]).toEqual([0, "Nothing has been written down here yet\n"]);
    for (const name of ["started", ".keyhole/audit.db"])
      await expect(stat(join(dir, name))).rejects.toThrow("ENOENT");
    // Trusted or not: where the log is, the user says alone.
    const trusted = await keyhole(dir, ["audit", "verify", "--json"]);
    expect([trusted.code, JSON.parse(trusted.stdout)]).toMatchObject([
      0,
      { ok: true, events: 0, problems: [] },
    ]);
  });

  it("says that the log is off, and shows what is there [audit-off]", async () => {
    const dir = await logged(...ordinary(1));
    await writeFile(join(dir, "keyhole.config.json"), JSON.stringify({ auditLogging: false }));
    await writeUserConfig(dir, { auditLogging: false });
    const { code, stdout, stderr } = await keyhole(dir, ["audit", "list"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('"auditLogging" is false')]);
    expect(stdout).toContain("run failed after 1 call");
  });

  it("verifies the log, and finds what was changed in it [audit-verify]", async () => {
    const dir = await logged(...ordinary(6));
    const whole = await keyhole(dir, ["audit", "verify", "--json"]);
    expect([whole.code, JSON.parse(whole.stdout)]).toMatchObject([0, { ok: true, problems: [] }]);
    const { events } = await list(dir);
    const victim = events.find(({ action }) => action === "call.ended");

    const proof = join(dir, "proof.json");
    expect((await keyhole(dir, ["audit", "prove", victim?.id ?? "", "--out", proof])).code).toBe(0);
    const keys = join(dir, "keys.pem");
    await writeFile(keys, (await keyhole(dir, ["audit", "keys"])).stdout);

    const db = await openSqlite(join(dir, ".keyhole/audit.db"));
    db.run("UPDATE events SET body = replace(body, '\"ok\"', '\"failed\"') WHERE sequence = ?", [
      victim?.sequence ?? 0,
    ]);
    await db.close();
    const changed = await keyhole(dir, ["audit", "verify", "--json"]);
    expect([changed.code, JSON.parse(changed.stdout)]).toMatchObject([
      1,
      {
        ok: false,
        problems: expect.arrayContaining([expect.objectContaining({ sequence: victim?.sequence })]),
      },
    ]);
    // What was proved before needs no log any more.
    const elsewhere = await tempDir();
    const proved = await keyhole(elsewhere, ["audit", "verify", "--proof", proof, "--key", keys, "--json"]);
    expect([proved.code, JSON.parse(proved.stdout)]).toMatchObject([
      0,
      { ok: true, sequence: victim?.sequence, event: { id: victim?.id, outcome: "ok" } },
    ]);
    await writeFile(proof, (await readFile(proof, "utf8")).replace('\\"ok\\"', '\\"no\\"'));
    const forged = await keyhole(elsewhere, ["audit", "verify", "--proof", proof, "--key", keys]);
    expect([forged.code, forged.stdout]).toEqual([1, expect.stringContaining("Nothing is proved")]);
  });

  it("exports for others, whole or not at all, and says so in the log [audit-export]", async () => {
    const dir = await logged(...ordinary(3));
    const { events } = await list(dir, "--action", "call", "--oldest-first");
    const file = join(dir, "events.jsonl");
    const done = await keyhole(dir, [
      "audit",
      "export",
      "--format",
      "jsonl",
      "--action",
      "call",
      "--out",
      file,
      "--json",
    ]);
    expect([done.code, JSON.parse(done.stdout)]).toEqual([
      0,
      { format: "jsonl", events: events.length, out: file },
    ]);
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(events);
    const ocsf = await keyhole(dir, ["audit", "export", "--format", "ocsf", "--action", "call"]);
    expect(
      ocsf.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).class_uid),
    ).toEqual(events.map(() => 6003));
    const plain = await keyhole(dir, ["audit", "export", "--action", "call", "--out", "-"]);
    expect(plain.stdout).toBe(`${lines.join("\n")}\n`);
    await expect(readFile(join(dir, "-"))).rejects.toThrow("ENOENT");
    const nowhere = await keyhole(dir, [
      "audit",
      "export",
      "--format",
      "csv",
      "--out",
      join(dir, "no/where.csv"),
    ]);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining("folder that can be written to"),
    ]);
    expect((await list(dir, "--action", "audit.exported")).events).toMatchObject([
      { details: { what: "jsonl by actions", count: events.length } },
      { details: { what: "ocsf by actions", count: events.length } },
      { details: { what: "jsonl by actions", count: events.length } },
    ]);
  });

  it("shows foreign text without obeying it [audit-safe]", async () => {
    const [sample] = ordinary(1).filter(({ action }) => action === "call.ended");
    if (sample === undefined) throw new Error("There is no event");
    const evil = "x\u001b]0;owned\u0007\u001b[2J\n  ✓ The log is whole\u202e";
    const dir = await logged({
      ...sample,
      tool: evil,
      server: evil,
      error: evil,
      principal: evil,
      run: "r_evil",
    });
    const { events } = await list(dir);
    expect(events).toContainEqual(expect.objectContaining({ tool: evil }));
    const sequence = String(events.find(({ tool }) => tool === evil)?.sequence);
    for (const args of [["list"], ["show", "r_evil"], ["show", sequence], ["list", "--json"]]) {
      const { stdout, stderr } = await keyhole(dir, ["audit", ...args]);
      expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/);
      expect(stdout).not.toMatch(/^ *✓/m);
    }
  });
});
