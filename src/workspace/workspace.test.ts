import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../test/fixtures/project.ts";
import { openStateDir } from "../store/state-dir.ts";
import { createWorkspaces } from "./workspace.ts";

const open = async (dir: string) => createWorkspaces(dir, await openStateDir(dir));
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test("a workspace that is made is the user's alone, and ignored by git", async () => {
  const dir = await tempDir();
  expect(await (await open(dir)).folder()).toMatchObject({ name: "workspace", dir: join(dir, "workspace") });
  expect(await readFile(join(dir, "workspace/.gitignore"), "utf8")).toBe("*\n");
  expect(await modeOf(join(dir, "workspace"))).toBe(0o700);
  expect(await modeOf(join(dir, "workspace/.gitignore"))).toBe(0o600);
});

test("one that is there stays as it is, but others may not write to it any more", async () => {
  const dir = await tempDir();
  await mkdir(join(dir, "workspace"));
  await chmod(join(dir, "workspace"), 0o755);
  await (await open(dir)).folder();
  expect(await readdir(join(dir, "workspace"))).toEqual([]);
  expect(await modeOf(join(dir, "workspace"))).toBe(0o755);
  await chmod(join(dir, "workspace"), 0o777);
  await (await open(dir)).folder();
  expect(await modeOf(join(dir, "workspace"))).toBe(0o755);
});

test("each principal has its own, whatever it is called", async () => {
  const dir = await tempDir();
  const workspaces = await open(dir);
  const names = ["ada", "ADA", "../../etc", "ada/../local", "", "local ", "ünï\0".repeat(100)];
  const dirs = await Promise.all(names.map(async (name) => (await workspaces.folder(name)).dir));
  expect(new Set([...dirs, (await workspaces.folder("local")).dir]).size).toBe(names.length + 1);
  for (const one of dirs) {
    expect(one.startsWith(join(dir, ".keyhole/workspaces/"))).toBe(true);
    expect(await modeOf(one)).toBe(0o700);
  }
  expect((await readdir(join(dir, ".keyhole/workspaces"))).length).toBe(names.length);
  expect((await workspaces.folder("ada")).dir).toBe(dirs[0]);
});

test("a link in its place is refused, and nothing is written behind it", async () => {
  const [dir, elsewhere] = [await tempDir(), await tempDir()];
  const workspaces = await open(dir);
  await symlink(elsewhere, join(dir, "workspace"));
  await expect(workspaces.folder()).rejects.toThrow(
    `"${join(dir, "workspace")}" is a link, which is not followed here: delete it`,
  );
  await symlink(elsewhere, join(dir, ".keyhole"));
  await expect(workspaces.folder("ada")).rejects.toThrow("is a link");
  expect(await readdir(elsewhere)).toEqual([]);
});

test("a file in its place is told of", async () => {
  const dir = await tempDir();
  await writeFile(join(dir, "workspace"), "");
  await expect((await open(dir)).folder()).rejects.toThrow("Cannot make the folder");
});

test.runIf(process.getuid?.() === 0)("another user's is refused", async () => {
  const dir = await tempDir();
  await mkdir(join(dir, "workspace"));
  await chown(join(dir, "workspace"), 65_534, 65_534);
  await expect((await open(dir)).folder()).rejects.toThrow("belongs to another user (uid 65534)");
});

test("a planted .gitignore is not written through", async () => {
  const [dir, elsewhere] = [await tempDir(), await tempDir()];
  await mkdir(join(dir, "workspace"));
  await symlink(join(elsewhere, "precious"), join(dir, "workspace/.gitignore"));
  await (await open(dir)).folder();
  expect(await readdir(elsewhere)).toEqual([]);
});
