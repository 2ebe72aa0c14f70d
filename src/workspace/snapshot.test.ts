import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SANDBOX_LIMITS } from "../sandbox/limits.ts";
import { copyFolder, putBack, readFolderManifest, toChanges } from "./snapshot.ts";

let dir: string;
let [folder, copy] = ["", ""];

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-snapshot-")));
  [folder, copy] = [join(dir, "workspace"), join(dir, "copy")];
  await mkdir(join(folder, "a/b"), { recursive: true });
  await mkdir(copy);
  await writeFile(join(folder, "a/b/one.txt"), "one");
  await writeFile(join(folder, "two.bin"), Buffer.alloc(300_000, 7));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

it("tells what has changed since a copy was made, and makes it as it was", async () => {
  const { manifest: before } = await copyFolder(folder, copy, SANDBOX_LIMITS);
  expect(toChanges(before, await readFolderManifest(folder))).toEqual([]);
  await writeFile(join(folder, "a/b/one.txt"), "two");
  await writeFile(join(folder, "new.txt"), "new");
  await rm(join(folder, "two.bin"));
  await mkdir(join(folder, "c"));
  expect(toChanges(before, await readFolderManifest(folder))).toEqual([
    "a/b/one.txt",
    "c",
    "new.txt",
    "two.bin",
  ]);
  await putBack(copy, folder, SANDBOX_LIMITS);
  expect(toChanges(before, await readFolderManifest(folder))).toEqual([]);
  expect(await readFile(join(folder, "a/b/one.txt"), "utf8")).toBe("one");
});

it("follows no link, neither when it copies nor when it puts back", async () => {
  const secret = join(dir, "secret.txt");
  await writeFile(secret, "secret");
  await symlink(secret, join(folder, "link.txt"));
  const { manifest: before } = await copyFolder(folder, copy, SANDBOX_LIMITS);
  expect([...before.keys()].sort()).toEqual(["a", "a/b", "a/b/one.txt", "two.bin"]);
  await rm(join(folder, "two.bin"));
  await symlink(secret, join(folder, "two.bin"));
  await putBack(copy, folder, SANDBOX_LIMITS);
  expect(await readFile(secret, "utf8")).toBe("secret");
  expect(toChanges(before, await readFolderManifest(folder))).toEqual([]);
});

it("copies no more than may be kept", async () => {
  const limits = { ...SANDBOX_LIMITS, diskBytes: 100_000 };
  await expect(copyFolder(folder, copy, limits)).rejects.toThrow("Cannot keep a copy of the workspace");
});
