import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFolders } from "./make-folders.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-folders-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

it("makes a folder with those above it, however many do at once", async () => {
  const deep = join(dir, "a/b/c/d");
  await Promise.all(Array.from({ length: 10 }, () => makeFolders(deep)));
  expect((await stat(deep)).mode & 0o777).toBe(0o700);
});

it("says so where there can be none", async () => {
  await writeFile(join(dir, "file"), "");
  await expect(makeFolders(join(dir, "file/a"))).rejects.toThrow("ENOTDIR");
});

it.runIf(process.platform === "linux")("ends where the file system has no place for folders", async () => {
  await expect(makeFolders("/proc/keyhole-nowhere/a/b")).rejects.toThrow("ENOENT");
});
