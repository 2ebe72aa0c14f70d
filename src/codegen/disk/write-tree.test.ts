import { execFile } from "node:child_process";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KeyholeError } from "../../errors.ts";
import { writeTree } from "./write-tree.ts";

let root: string;
let out: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "keyhole-tree-"));
  out = join(root, "deep/servers");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const files = (...entries: [string, string][]) => new Map(entries);
const both = files(["a/x.ts", "x"], ["a/y.ts", "y"]);
const manifest = () => readFile(join(out, ".keyhole-typescript.json"), "utf8");

test("a tree is written once and then left alone", async () => {
  expect(await writeTree(out, both, "typescript")).toEqual({
    written: ["a/x.ts", "a/y.ts"],
    unchanged: 0,
    removed: [],
    kept: [],
  });
  const before = await Promise.all(
    ["a/x.ts", ".keyhole-typescript.json"].map((path) => stat(join(out, path))),
  );
  expect(await writeTree(out, both, "typescript")).toEqual({
    written: [],
    unchanged: 2,
    removed: [],
    kept: [],
  });
  const after = await Promise.all(
    ["a/x.ts", ".keyhole-typescript.json"].map((path) => stat(join(out, path))),
  );
  expect(after.map(({ ino, mtimeMs }) => [ino, mtimeMs])).toEqual(
    before.map(({ ino, mtimeMs }) => [ino, mtimeMs]),
  );
});

test("only what changed is written, and what is no longer generated goes, with its folder", async () => {
  await writeTree(out, files(["a/x.ts", "x"], ["a/y.ts", "y"], ["b/z.ts", "z"]), "typescript");
  const report = await writeTree(out, files(["a/x.ts", "new"], ["a/y.ts", "y"]), "typescript");
  expect(report).toEqual({ written: ["a/x.ts"], unchanged: 1, removed: ["b/z.ts"], kept: [] });
  expect((await readdir(out)).sort()).toEqual([".keyhole-typescript.json", "a"]);
});

test("one language does not touch the files of the other", async () => {
  await writeTree(out, both, "typescript");
  const report = await writeTree(out, files(["a/x.py", "x"]), "python");
  expect(report.removed).toEqual([]);
  expect(await writeTree(out, both, "typescript")).toMatchObject({ unchanged: 2, removed: [] });
  expect(await writeTree(out, files(), "python")).toMatchObject({ removed: ["a/x.py"] });
});

test("a server that could not be read keeps its files, and they stay ours", async () => {
  await writeTree(out, both, "typescript");
  expect(await writeTree(out, files(), "typescript", { keep: ["a"] })).toMatchObject({
    removed: [],
    kept: [],
  });
  expect(await writeTree(out, files(), "typescript")).toMatchObject({ removed: ["a/x.ts", "a/y.ts"] });
});

describe("the user's files", () => {
  test("a file that was there before is kept, also in an emptied folder", async () => {
    await mkdir(join(out, "a"), { recursive: true });
    await writeFile(join(out, "a/x.ts"), "mine");
    await writeFile(join(out, "a/notes.md"), "mine");
    const report = await writeTree(out, both, "typescript");
    expect(report.kept).toEqual([{ path: "a/x.ts", reason: "not written by keyhole" }]);
    expect(await writeTree(out, files(), "typescript")).toMatchObject({ removed: ["a/y.ts"], kept: [] });
    expect((await readdir(join(out, "a"))).sort()).toEqual(["notes.md", "x.ts"]);
  });

  test("a file with the same content is adopted", async () => {
    await mkdir(join(out, "a"), { recursive: true });
    await writeFile(join(out, "a/x.ts"), "x");
    expect(await writeTree(out, both, "typescript")).toMatchObject({ written: ["a/y.ts"], unchanged: 1 });
    expect(await writeTree(out, files(), "typescript")).toMatchObject({ removed: ["a/x.ts", "a/y.ts"] });
  });

  test("an edited file is neither overwritten nor removed, until the edit is undone", async () => {
    await writeTree(out, both, "typescript");
    await writeFile(join(out, "a/x.ts"), "edited");
    const changed = files(["a/x.ts", "newer"], ["a/y.ts", "y"]);
    const reason = "changed since keyhole wrote it";
    expect((await writeTree(out, changed, "typescript")).kept).toEqual([{ path: "a/x.ts", reason }]);
    await writeFile(join(out, "a/x.ts"), "x");
    expect(await writeTree(out, changed, "typescript")).toMatchObject({ written: ["a/x.ts"], kept: [] });
    await writeFile(join(out, "a/x.ts"), "edited again");
    const report = await writeTree(out, files(), "typescript");
    expect(report).toMatchObject({ removed: ["a/y.ts"], kept: [{ path: "a/x.ts" }] });
    expect(await readFile(join(out, "a/x.ts"), "utf8")).toBe("edited again");
  });

  test("with a damaged manifest every other file is the user's", async () => {
    await writeTree(out, both, "typescript");
    await writeFile(join(out, ".keyhole-typescript.json"), "{");
    const report = await writeTree(out, files(["a/x.ts", "new"], ["a/y.ts", "y"]), "typescript");
    expect(report.kept.map(({ path }) => path)).toEqual([".keyhole-typescript.json", "a/x.ts"]);
    expect(report.unchanged).toBe(1);
  });
});

describe("paths", () => {
  test("nothing is written or removed through a symbolic link", async () => {
    const outside = join(root, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "y.ts"), "y");
    await writeTree(out, files(["b/y.ts", "y"]), "typescript");
    await rm(join(out, "b"), { recursive: true });
    await symlink(outside, join(out, "b"));
    await symlink(join(outside, "new.ts"), join(out, "link.ts"));
    const report = await writeTree(out, files(["b/x.ts", "x"], ["link.ts", "x"]), "typescript");
    expect(report).toMatchObject({ written: [], removed: [] });
    expect(report.kept.map(({ reason }) => reason)).toEqual(Array(3).fill("behind a symbolic link"));
    expect(await readdir(outside)).toEqual(["y.ts"]);
  });

  test.each(["../x.ts", "/x.ts", "a/../../x.ts", "a//x.ts", "a\\..\\x.ts", "C:x.ts"])(
    "%s is refused",
    async (path) => {
      const report = await writeTree(out, files([path, "x"]), "typescript");
      expect(report.kept).toEqual([{ path, reason: "outside the output folder" }]);
    },
  );

  test("a hostile manifest removes nothing outside the folder", async () => {
    await mkdir(out, { recursive: true });
    await writeFile(join(root, "deep/x.ts"), "x");
    const hash = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    const manifest = { version: 1, files: { "../x.ts": [hash] } };
    await writeFile(join(out, ".keyhole-typescript.json"), JSON.stringify(manifest));
    expect(await writeTree(out, files(), "typescript")).toMatchObject({ removed: [] });
    expect(await readFile(join(root, "deep/x.ts"), "utf8")).toBe("x");
  });

  test.skipIf(process.platform === "win32").each([
    ["a pipe", (path: string) => promisify(execFile)("mkfifo", [path])],
    ["a link to a device", (path: string) => symlink("/dev/zero", path)],
    ["a link to a file outside", (path: string) => symlink(join(root, "theirs.json"), path)],
  ])("%s in the place of the manifest is never read, and replaced", async (_what, plant) => {
    await mkdir(out, { recursive: true });
    await writeFile(join(root, "theirs.json"), "theirs");
    const place = join(out, ".keyhole-typescript.json");
    await plant(place);
    const report = await writeTree(out, both, "typescript");
    expect(report.kept).toEqual([
      {
        path: ".keyhole-typescript.json",
        reason: "not a plain file; replaced, and files already in the folder are treated as yours",
      },
    ]);
    expect((await lstat(place)).isFile()).toBe(true);
    expect(await readFile(join(root, "theirs.json"), "utf8")).toBe("theirs");
    expect(await writeTree(out, both, "typescript")).toMatchObject({ unchanged: 2, kept: [] });
  });

  test("a file where a folder is needed is a conflict with a hint", async () => {
    await mkdir(out, { recursive: true });
    await writeFile(join(out, "a"), "");
    const error = await writeTree(out, both, "typescript").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KeyholeError);
    expect(error).toMatchObject({
      code: "file_conflict",
      hint: expect.stringContaining("another output folder"),
    });
    await writeFile(join(root, "plain"), "");
    await expect(writeTree(join(root, "plain"), both, "typescript")).rejects.toMatchObject({
      code: "file_conflict",
    });
  });

  // Root writes everywhere, so there the test gives up its rights for the moment.
  test.skipIf(process.platform === "win32")("a folder that may not be written is a conflict", async () => {
    await mkdir(out, { recursive: true });
    await chmod(out, 0o500);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      await chmod(root, 0o755);
      process.seteuid?.(65534);
    }
    try {
      await expect(writeTree(out, both, "typescript")).rejects.toMatchObject({ code: "file_conflict" });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });
});

test("two languages written at the same time both know their files", async () => {
  const python = files(["a/x.py", "x"]);
  await Promise.all([writeTree(out, both, "typescript"), writeTree(out, python, "python")]);
  await Promise.all([writeTree(out, files(), "typescript"), writeTree(out, files(), "python")]);
  expect((await readdir(out)).sort()).toEqual([".keyhole-python.json", ".keyhole-typescript.json"]);
});

describe("after a crash", () => {
  test("files that were written before the end are still ours", async () => {
    await writeTree(out, both, "typescript");
    const before = await manifest();
    await writeTree(out, files(["a/x.ts", "new"], ["a/y.ts", "y"]), "typescript");
    const after = await manifest();
    // As if killed between the first manifest and the last: it names the old and the new content.
    const [old, now] = [JSON.parse(before), JSON.parse(after)];
    const mixed = { ...now.files, "a/x.ts": [...old.files["a/x.ts"], ...now.files["a/x.ts"]] };
    await writeFile(join(out, ".keyhole-typescript.json"), JSON.stringify({ ...now, files: mixed }));
    const report = await writeTree(out, files(["a/x.ts", "newest"]), "typescript");
    expect(report).toEqual({ written: ["a/x.ts"], unchanged: 0, removed: ["a/y.ts"], kept: [] });
  });

  test("old temporary files are swept up, young ones left to their owner", async () => {
    await writeTree(out, both, "typescript");
    const old = join(out, "a/.keyhole-00000000-0000-0000-0000-000000000000.tmp");
    const young = join(out, "a/.keyhole-00000000-0000-0000-0000-000000000001.tmp");
    await writeFile(old, "");
    await writeFile(young, "");
    const lost = join(out, "gone/.keyhole-00000000-0000-0000-0000-000000000002.tmp");
    await mkdir(join(out, "gone"));
    await writeFile(lost, "");
    await utimes(lost, 1, 1);
    await utimes(old, 1, 1);
    await writeTree(out, files(["a/x.ts", "new"]), "typescript");
    expect((await readdir(out)).sort()).toEqual([".keyhole-typescript.json", "a"]);
    expect((await readdir(join(out, "a"))).sort()).toEqual([
      ".keyhole-00000000-0000-0000-0000-000000000001.tmp",
      "x.ts",
    ]);
  });
});
