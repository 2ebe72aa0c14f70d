import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { cleanOfProject } from "../../src/engine/clean/clean-of-project.ts";
import { readVaultStats } from "../../src/engine/privacy/vault-of-project.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { toFolderName } from "../../src/workspace/principal-folder.ts";
import { createWorkspaceUses } from "../../src/workspace/workspace-uses.ts";
import { openEngine } from "../fixtures/engine.ts";
import { fixture, homeOf, tempDir, writeProject, writeUserConfig } from "../fixtures/project.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const SESSION = "a".repeat(32);

async function open(config: object = {}, user?: object) {
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { good: fixture("good") } },
    "keyhole.config.json": config,
  });
  if (user !== undefined) await writeUserConfig(dir, user);
  const homeDir = await homeOf(dir);
  const state = (...steps: string[]) => join(dir, ".keyhole", ...steps);
  /** A file of this age, in days; a negative one is still to come. */
  const put = (path: string, days: number, text = "x") => {
    const file = state(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    age(file, days);
  };
  const age = (file: string, days: number) => {
    const at = new Date(Date.now() - days * DAY_MS);
    utimesSync(file, at, at);
  };
  const clean = (isDry = false) =>
    cleanOfProject({ projectDir: dir, isDry, homeDir, trust: true, onNotice: () => {} });
  return { dir, state, put, age, clean };
}

const named = ({ removed }: { readonly removed: readonly { readonly name: string }[] }) =>
  removed.map(({ name }) => name).sort();

describe("cleaning up", () => {
  it("removes what is old, of each kind, and leaves what is young", async () => {
    const { put, clean, state } = await open();
    const old = {
      ".keyhole-11111111-1111-1111-1111-111111111111.tmp": 1,
      "catalog/.keyhole-22222222-2222-2222-2222-222222222222.tmp": 1,
      "eras/ab.json": 2,
      "catalog/gone.json": 40,
      "observed/gone.json": 40,
      "results/local/shared/old.txt": 15,
      [`results/local/${SESSION}/r.txt`]: 2,
      "cancel/r_0123456789abcdef": 2,
      "keyhole.db.aside-abc": 40,
    };
    const young = {
      ".keyhole-33333333-3333-3333-3333-333333333333.tmp": 0,
      "eras/cd.json": 0.5,
      "catalog/good.json": 90,
      "catalog/away.json": 20,
      "results/local/shared/new.txt": 13,
      "keyhole.db.aside-def": 20,
      "audit.db.aside-abc": 400,
      "cancel/r_aaaaaaaaaaaaaaaa": 0,
    };
    for (const [path, days] of Object.entries({ ...old, ...young })) put(path, days);
    const would = await clean(true);
    expect(named(would)).toEqual(Object.keys(old).sort());
    for (const path of Object.keys({ ...old, ...young })) expect(existsSync(state(path)), path).toBe(true);
    const did = await clean();
    expect(did.removed).toEqual(would.removed);
    for (const path of Object.keys(old)) expect(existsSync(state(path)), path).toBe(false);
    for (const path of Object.keys(young)) expect(existsSync(state(path)), path).toBe(true);
    expect(await clean()).toMatchObject({ removed: [], bytes: 0 });
  });

  it("makes room from what is made again, the oldest first, and never from what must stay", async () => {
    const { put, clean, state } = await open({}, { clean: { maxSize: 100_000 } });
    const large = "x".repeat(60_000);
    put("catalog/good.json", 2, large);
    put("results/local/shared/older.txt", 3, large);
    put("results/local/shared/newer.txt", 2, large);
    put("results/local/shared/now.txt", 0, large);
    put("audit.db.aside-abc", 2, large);
    put("workspaces/ada/file.txt", 400, large);
    const would = await clean(true);
    expect(would.removed.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      "catalog/good.json: to make room",
      "results/local/shared/older.txt: to make room",
      "results/local/shared/newer.txt: to make room",
    ]);
    const did = await clean();
    expect(did.removed).toEqual(would.removed);
    expect(did.overBytes).toBeGreaterThan(0);
    expect(existsSync(state("workspaces/ada/file.txt"))).toBe(true);
    expect(existsSync(state("results/local/shared/now.txt"))).toBe(true);
  });

  it("takes what is dated into the future for as old as it is far away", async () => {
    const { put, clean } = await open();
    put("results/local/shared/soon.txt", -1);
    put("results/local/shared/far.txt", -400);
    expect(named(await clean())).toEqual(["results/local/shared/far.txt"]);
  });

  it("follows no link, opens no pipe, and is done with deep and odd folders", async () => {
    const { state, put, clean, age } = await open();
    const outside = await tempDir();
    writeFileSync(join(outside, "precious"), "x");
    age(join(outside, "precious"), 900);
    put("results/local/shared/old.txt", 20);
    put("eras/ab.json", 20);
    symlinkSync(outside, state("results/local/linked"));
    execFileSync("mkfifo", [state("eras/pipe.json")]);
    age(state("eras/pipe.json"), 20);
    mkdirSync(state(`eras/${"d/".repeat(300)}`), { recursive: true });
    age(state("eras/d"), 20);
    writeFileSync(state("eras", "\u001b[2Jname\nfake"), "x");
    age(state("eras", "\u001b[2Jname\nfake"), 20);
    await expect(clean()).rejects.toMatchObject({ code: "file_conflict" });
    execFileSync("rm", [state("results/local/linked"), state("eras/pipe.json")]);
    await clean();
    expect(readdirSync(outside)).toEqual(["precious"]);
    expect(readdirSync(state("eras"))).toEqual([]);
  });

  it("does the same when several do it at once", async () => {
    const { put, clean, state } = await open();
    for (let n = 0; n < 100; n++) put(`results/local/shared/${n}.txt`, 20);
    const all = await Promise.all([clean(), clean(), clean()]);
    expect(readdirSync(state("results/local/shared"))).toEqual([]);
    expect(all.flatMap(named).sort()).toHaveLength(100);
    expect(all.flatMap(({ failed }) => failed)).toEqual([]);
  });

  it("leaves the copy of a run that can go on, and takes one of a run that is gone", async () => {
    const config = {
      approval: { channels: ["cli"], holdMs: 1 },
      permissions: { rules: [{ tool: "good_*", decision: "ask" }] },
    };
    const { engine, opened } = await openEngine({ good: fixture("good") }, { config });
    const code =
      'import fs from "node:fs"; fs.writeFileSync("./workspace/a", "1"); await good.good0({ value: "1" })';
    const { runId, status } = await engine.run({ code });
    expect(status).toBe("waiting");
    await engine.close();
    await opened.close();
    const kept = join(opened.dir, ".keyhole/kept");
    mkdirSync(join(kept, "r_0123456789abcdef"));
    const at = new Date(Date.now() - 3 * DAY_MS);
    utimesSync(join(kept, "r_0123456789abcdef"), at, at);
    const homeDir = await homeOf(opened.dir);
    const cleaned = await cleanOfProject({
      projectDir: opened.dir,
      isDry: false,
      homeDir,
      trust: true,
      onNotice: () => {},
    });
    expect(named(cleaned)).toEqual(["kept/r_0123456789abcdef"]);
    expect(readdirSync(kept)).toContain(runId);
  });

  it("removes workspaces that nobody has used for as long as the config says, with leases and copies that nobody has", async () => {
    const { dir, put, clean, state, age } = await open({ workspace: { expireDays: 10 } });
    const homeDir = await homeOf(dir);
    const known = await openStateDir(dir, join(homeDir, ".config/keyhole"));
    for (const [name, days] of [
      ["ada", 20],
      ["bob", 5],
    ] as const) {
      put(`workspaces/${toFolderName(name)}/file.txt`, days);
      age(state("workspaces", toFolderName(name)), days);
      const uses = createWorkspaceUses(known, () => Date.now() - days * DAY_MS);
      await uses.note({ kind: "own", name }, { bytes: 1, entries: 1 });
    }
    put("leases/own-x/22222222-2222-2222-2222-222222222222", 2);
    put("leases/own-x/33333333-3333-3333-3333-333333333333", 0);
    put("snapshots/own-x/w_0123456789abcdef/file", 3);
    put("snapshots/own-x/w_aaaaaaaaaaaaaaaa/file", 3);
    put("snapshots/own-x/w_aaaaaaaaaaaaaaaa.json", 3);
    for (const name of ["w_0123456789abcdef", "w_aaaaaaaaaaaaaaaa"]) age(state("snapshots/own-x", name), 3);
    const would = await clean(true);
    expect(named(would)).toEqual([
      "ada",
      "leases/own-x/22222222-2222-2222-2222-222222222222",
      "snapshots/own-x/w_0123456789abcdef",
    ]);
    expect((await clean()).removed).toEqual(would.removed);
    expect(existsSync(state("workspaces", toFolderName("ada"), "file.txt"))).toBe(false);
    expect(existsSync(state("workspaces", toFolderName("bob"), "file.txt"))).toBe(true);
    expect(existsSync(state("snapshots/own-x/w_aaaaaaaaaaaaaaaa/file"))).toBe(true);
    expect((await clean()).removed).toEqual([]);
  });

  it("forgets values of the vault that nobody has met, if it is told to, with what is kept of results", async () => {
    const { engine, opened } = await openEngine({ good: fixture("good") });
    await engine.run({ code: 'return "ada@example.com"' });
    await engine.close();
    await opened.close();
    const homeDir = await homeOf(opened.dir);
    const request = { projectDir: opened.dir, homeDir, trust: true, onNotice: () => {} };
    expect((await cleanOfProject({ ...request, isDry: true })).removed).toEqual([]);
    await writeUserConfig(opened.dir, { clean: { vaultDays: 1 } });
    expect((await cleanOfProject({ ...request, isDry: true })).removed).toEqual([]);
    const db = await openSqlite(join(opened.dir, ".keyhole/vault.db"));
    db.run("UPDATE vault_values SET seen_at = 1");
    await db.close();
    const would = await cleanOfProject({ ...request, isDry: true });
    expect(would.removed).toMatchObject([{ name: "1 value", reason: "not met for 1 day" }]);
    expect((await cleanOfProject({ ...request, isDry: false })).removed).toEqual(would.removed);
    const place = { projectDir: opened.dir, homeDir, onNotice: () => {} };
    expect(await readVaultStats(place, "local")).toMatchObject({ entries: 0 });
  });
});
