import { execFileSync } from "node:child_process";
import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { DEFAULT_CONFIG } from "../../config/defaults.ts";
import type { KeyholeConfig } from "../../config/schema.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { isRecord } from "../../text/is-record.ts";
import { createUnfinished } from "../../workspace/unfinished.ts";
import { parseWorkspaceText, toFileName, type WorkspaceId } from "../../workspace/workspace-id.ts";
import { createWorkspaceUses } from "../../workspace/workspace-uses.ts";
import { openMemory } from "../memory/open-memory.ts";
import { openWorkspaces } from "./open-workspaces.ts";

const LOCAL: WorkspaceId = { kind: "own", name: "local" };
const ADA: WorkspaceId = { kind: "own", name: "ada" };
const NOTES: WorkspaceId = { kind: "shared", name: "notes" };
const origin = { hasTokens: false, principal: "local" };

async function open({ dir, workspace }: { dir?: string; workspace?: KeyholeConfig["workspace"] } = {}) {
  const place = dir ?? (await tempDir());
  const state = await openStateDir(place, join(place, "home"));
  const config = { ...DEFAULT_CONFIG, ...(workspace && { workspace }) };
  const memory = openMemory(state);
  onCleanup(memory.close);
  const opened = openWorkspaces({ dir: place, state, config, memory });
  return { ...opened, dir: place, stateDir: state, memory };
}

async function filesOf(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  const entries = await Promise.all(
    names.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(dir.length + 1), await readFile(path, "utf8")] as const;
    }),
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe("a snapshot", () => {
  it("is a whole copy, which no program can change, and puts back what was there", async () => {
    const { workspaces, care } = await open();
    const { dir } = await workspaces.folder();
    await mkdir(join(dir, "a/b"), { recursive: true });
    await writeFile(join(dir, "a/b/one.txt"), "one");
    await writeFile(join(dir, "two.txt"), "two");
    const before = await filesOf(dir);
    const made = await care.snapshot(LOCAL, "first");
    expect(made).toMatchObject({ entries: 5, note: "first", removed: [] });
    await writeFile(join(dir, "two.txt"), "changed");
    await writeFile(join(dir, "new.txt"), "new");
    await mkdir(join(dir, "c"));
    const changed = await filesOf(dir);
    const { saved } = await care.restore(LOCAL, made.id);
    expect(await filesOf(dir)).toEqual(before);
    await care.restore(LOCAL, saved.id);
    expect(await filesOf(dir)).toEqual(changed);
    expect((await care.show(LOCAL)).snapshots.length).toBe(3);
  });

  it("has nothing of what lies elsewhere, and touches none of it", async () => {
    const { workspaces, care, dir: project } = await open();
    const { dir } = await workspaces.folder();
    const secret = join(project, "secret.txt");
    await writeFile(secret, "secret");
    await symlink(secret, join(dir, "link"));
    await symlink(project, join(dir, "folder-link"));
    await link(secret, join(dir, "hard"));
    execFileSync("mkfifo", [join(dir, "pipe")]);
    await mkdir(join(dir, "closed"));
    await writeFile(join(dir, "closed/in.txt"), "in");
    await chmod(join(dir, "closed"), 0);
    await writeFile(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff, 0xfe])]), "no text");
    const made = await care.snapshot(LOCAL);
    const kept = join(project, ".keyhole/snapshots/own-local", made.id);
    for (const name of await readdir(kept, { recursive: true }))
      expect((await lstat(join(kept, name))).isSymbolicLink()).toBe(false);
    expect(Object.values(await filesOf(kept))).not.toContain("secret");
    await care.restore(LOCAL, made.id);
    await care.remove(LOCAL);
    expect(await readdir(dir)).toEqual([".gitignore"]);
    expect(await readFile(secret, "utf8")).toBe("secret");
    expect(await care.list()).toMatchObject([{ id: LOCAL, snapshots: 0, state: { keys: 0 } }]);
  });

  it("gives way by number and by size, but not while it is being restored", async () => {
    const { workspaces, care } = await open({ workspace: { snapshots: { keep: 2, bytes: 40_000 } } });
    const { dir } = await workspaces.folder();
    const first = await care.snapshot(LOCAL);
    const second = await care.snapshot(LOCAL);
    expect((await care.snapshot(LOCAL)).removed).toEqual([first.id]);
    const { saved } = await care.restore(LOCAL, second.id);
    expect(saved.removed).not.toContain(second.id);
    await writeFile(join(dir, "large.bin"), "x".repeat(30_000));
    expect((await care.snapshot(LOCAL)).removed.length).toBeGreaterThan(0);
    await writeFile(join(dir, "larger.bin"), "x".repeat(50_000));
    await expect(care.snapshot(LOCAL)).rejects.toMatchObject({ code: "too_large" });
    await expect(care.restore(LOCAL, "w_0000000000000000")).rejects.toMatchObject({ code: "usage" });
    await expect(care.removeSnapshot(LOCAL, "../../../etc")).rejects.toMatchObject({ code: "usage" });
  });
});

it("what is no plain file is told for what it is, and never to be deleted", async () => {
  const { workspaces, care } = await open();
  const { dir } = await workspaces.folder();
  await mkdir(join(dir, "d"));
  await symlink("d", join(dir, "link"));
  execFileSync("mkfifo", [join(dir, "pipe")]);
  for (const [path, what] of [
    ["d", '"d" is a folder'],
    ["link", '"link" is a link'],
    ["pipe", '"pipe" is no file'],
    ["none", 'There is no file "none"'],
  ] as const)
    await expect(care.read(LOCAL, path), path).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(what),
    });
});

it("a shared workspace that a program has closed is open again for the next one", async () => {
  const { workspaces, dir } = await open({ workspace: { shared: { notes: { write: ["*"] } } } });
  await workspaces.sharedWith("ada");
  const path = join(dir, ".keyhole/shared/notes");
  await chmod(path, 0);
  await workspaces.sharedWith("bob");
  expect((await lstat(path)).mode & 0o777).toBe(0o700);
});

describe("whoever changes a workspace as a whole", () => {
  it("waits for the programs in it, and new ones wait for that", async () => {
    const { workspaces, care } = await open();
    const folder = await workspaces.folder();
    const order: string[] = [];
    let end = () => {};
    const running = workspaces.use([folder], async () => {
      order.push("program");
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      order.push("program ends");
    });
    while (order.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const kept = care.snapshot(LOCAL).then(() => order.push("snapshot"));
    end();
    await Promise.all([running, kept]);
    await workspaces.use([folder], async () => void order.push("next"));
    expect(order).toEqual(["program", "program ends", "snapshot", "next"]);
  });

  it("and is killed in the midst of it has it finished by whoever comes next", async () => {
    const { workspaces, care, dir: project, stateDir } = await open();
    const { dir } = await workspaces.folder();
    await writeFile(join(dir, "a.txt"), "old");
    const { id } = await care.snapshot(LOCAL);
    await writeFile(join(dir, "a.txt"), "new");
    await writeFile(join(dir, "b.txt"), "b");
    await createUnfinished(stateDir).begin(LOCAL, { kind: "restore", snapshot: id });
    const { workspaces: next } = await open({ dir: project });
    await next.folder();
    expect(await filesOf(dir)).toEqual({ ".gitignore": "*\n", "a.txt": "old" });
    await createUnfinished(stateDir).begin(LOCAL, { kind: "remove" });
    await next.folder();
    expect(await filesOf(dir)).toEqual({ ".gitignore": "*\n" });
  });
});

describe("workspaces that nobody uses", () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const shared = { notes: { write: ["*"], expireDays: 3 } };

  it("expire by their own days; that of the local user never does", async () => {
    const { workspaces, care, state } = await open({ workspace: { expireDays: 10, shared } });
    for (const folder of [
      await workspaces.folder(),
      await workspaces.folder("ada"),
      ...(await workspaces.sharedWith("ada")),
    ])
      await workspaces.measured(folder, { bytes: 5, entries: 1 });
    await state.set({ kind: "workspace", name: "ada" }, "a", { value: 1, origin });
    expect(await care.expired()).toEqual([]);
    const in5 = await care.expired(Date.now() + 5 * DAY_MS);
    expect(in5.map(({ id }) => id)).toEqual([NOTES]);
    const in20 = await care.expired(Date.now() + 20 * DAY_MS);
    expect(in20.map(({ id }) => id)).toEqual([ADA, NOTES]);
    expect(in20[0]?.bytes).toBeGreaterThan(5);
    // Used since it was found.
    expect(await care.remove(ADA, Date.now() - DAY_MS)).toBe(false);
    expect(await care.remove(ADA, Date.now() + DAY_MS)).toBe(true);
    expect(await state.get({ kind: "workspace", name: "ada" }, "a")).toBeUndefined();
    expect((await care.list()).map(({ id }) => id)).not.toContain(ADA);
  });
});

describe("a workspace that was used long ago", () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const HOUR_MS = 60 * 60 * 1000;
  const longAgo = Date.now() - 100 * DAY_MS;

  async function openOld() {
    const opened = await open({ workspace: { expireDays: 10 } });
    const { workspaces, care, state, stateDir, memory } = opened;
    const folder = await workspaces.folder("ada");
    const file = join(folder.dir, "a.txt");
    await writeFile(file, "x".repeat(5_000));
    const { id: snapshot } = await care.snapshot(ADA);
    const note = `snapshots/${toFileName(ADA)}/${snapshot}.json`;
    const kept = await stateDir.readJson(note);
    await stateDir.writeJson(note, { ...(isRecord(kept) && kept), at: longAgo });
    await state.set({ kind: "workspace", name: "ada" }, "a", { value: 1, origin });
    (await memory.database()).run("UPDATE state_spaces SET used_at = ?", [longAgo]);
    const uses = createWorkspaceUses(stateDir, () => longAgo);
    await uses.note(ADA, { bytes: 1, entries: 1 });
    const at = new Date(longAgo);
    for (const path of [file, join(folder.dir, ".gitignore"), folder.dir]) await utimes(path, at, at);
    const usedAt = async () => (await care.list()).find(({ id }) => id.name === "ada")?.usedAt;
    return { ...opened, folder, snapshot, usedAt };
  }

  it("has expired, and all that goes with it is told", async () => {
    const { care, usedAt } = await openOld();
    expect(await usedAt()).toBe(longAgo);
    const [found] = await care.expired();
    // The file, and its copy.
    expect(found?.bytes).toBeGreaterThan(10_000);
    expect(await care.remove(ADA, longAgo)).toBe(true);
  });

  it("is in use from the moment on when a person has it restored or copied, or a program is in it", async () => {
    for (const way of ["restore", "snapshot", "remove a snapshot", "program"] as const) {
      const { care, workspaces, folder, snapshot, usedAt } = await openOld();
      if (way === "restore") await care.restore(ADA, snapshot);
      if (way === "snapshot") await care.snapshot(ADA);
      if (way === "remove a snapshot") await care.removeSnapshot(ADA, snapshot);
      if (way === "program") await workspaces.use([folder], async () => {});
      expect(await usedAt(), way).toBeGreaterThan(Date.now() - HOUR_MS);
      expect(await care.expired(), way).toEqual([]);
      expect(await care.remove(ADA, longAgo), way).toBe(false);
    }
  });

  it("is not taken where the record was lost, where something in it is younger, or while it is being restored", async () => {
    const lost = await openOld();
    await rm(join(lost.dir, ".keyhole/uses"), { recursive: true });
    // As another process finds it.
    const { care } = await open({ dir: lost.dir, workspace: { expireDays: 10 } });
    expect((await care.list()).find(({ id }) => id.name === "ada")?.usedAt).toBeUndefined();
    expect(await care.expired()).toEqual([]);
    expect(await care.remove(ADA, longAgo)).toBe(false);

    const young = await openOld();
    await mkdir(join(young.folder.dir, "deep/er"), { recursive: true });
    expect(await young.care.expired()).toEqual([]);
    expect(await young.care.remove(ADA, longAgo)).toBe(false);

    const half = await openOld();
    await createUnfinished(half.stateDir).begin(ADA, { kind: "restore", snapshot: half.snapshot });
    expect(await half.care.expired()).toEqual([]);
    expect(await half.care.remove(ADA, longAgo)).toBe(false);
    await half.care.finish(ADA);
    expect(await half.usedAt()).toBeGreaterThan(Date.now() - HOUR_MS);
  });
});

/** Words that lead elsewhere where somebody takes them for paths, in the spellings of many systems. */
const WAYS_OUT = [
  ..."../ ..\\ ./../ .\\..\\ ..// ..\\\\ %2e%2e/ %2e%2e%2f ..%2f ..%5c %252e%252e%252f ..%c0%af ..%ef%bc%8f ．．／ ‥/ ..;/ ....// ....\\/ ..././ \\..\\ /.. //"
    .split(" ")
    .flatMap((way) => [`${way}secret.txt`, `${way.repeat(6)}etc/passwd`, `a/${way}${way}secret.txt`]),
  ..."/etc/passwd //etc/passwd \\\\server\\share C:\\Windows\\win.ini c:/windows /proc/self/environ /dev/zero file:///etc/passwd ~/.ssh/id_rsa ~root .. . ... a/.. a/. a//b ./ / \\ COM1 NUL aux.txt LPT1: .gitignore/. workspace/../.keyhole/memory.db".split(
    " ",
  ),
  ...[
    "",
    " ",
    "a\0b",
    "../\0",
    "a\nb",
    "a/../../b",
    "..\u200b/x",
    "\u202e/..",
    "secret.txt/",
    "x".repeat(5_000),
  ],
  ...Array.from({ length: 20 }, (_, at) => `${"../".repeat(at + 1)}keyhole.config.json`),
];

it("no name of a file, of a workspace or of a snapshot leads out of its folder", async () => {
  const { workspaces, care, dir: project } = await open();
  const { dir } = await workspaces.folder();
  await writeFile(join(project, "secret.txt"), "secret");
  await writeFile(join(project, "keyhole.config.json"), "secret");
  await mkdir(join(dir, "a"));
  expect(WAYS_OUT.length).toBeGreaterThan(100);
  for (const way of WAYS_OUT) {
    const read = await care.read(LOCAL, way).then(String, (error: unknown) => error);
    expect(read, way).toMatchObject({ code: "usage" });
    for (const text of [way, `shared/${way}`]) {
      const shown = await Promise.resolve()
        .then(() => care.show(parseWorkspaceText(text)))
        .catch((error: unknown) => error);
      expect(shown, text).toMatchObject({ code: "usage" });
    }
    await expect(care.restore(LOCAL, way), way).rejects.toMatchObject({ code: "usage" });
  }
  expect((await readdir(project)).sort()).toEqual(["home", "keyhole.config.json", "secret.txt", "workspace"]);
});
