import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { createSpoolFile } from "./spool-file.ts";
import { isFinished, MAX_SILENCE_MS, parseSpoolFile, toSpoolFile, toSpoolName } from "./spool-name.ts";

const open = async (options?: { maxBytes?: number }) => {
  const folder = join(await tempDir(), "a/b/spool");
  const file = createSpoolFile(folder, options);
  onCleanup(async () => file.close());
  const append = (text: string, now = Date.now()) =>
    file.append(Buffer.from(text), Buffer.byteLength(text), now);
  const texts = async () =>
    Promise.all((await readdir(folder)).sort().map((name) => readFile(join(folder, name), "utf8")));
  const finished = async () => {
    const stats = (await readdir(folder)).sort().map(async (name) => {
      const owner = parseSpoolFile(name)?.owner;
      return owner !== undefined && isFinished(owner, await lstat(join(folder, name)), Date.now());
    });
    return Promise.all(stats);
  };
  return { folder, file, append, texts, finished };
};

describe("createSpoolFile", () => {
  it("makes its folders at the first line, closed to others", async () => {
    const { folder, append } = await open();
    expect(append('{"a":1}\n')).toEqual({ written: 8 });
    const [name = ""] = await readdir(folder);
    expect((await lstat(folder)).mode & 0o777).toBe(0o700);
    expect((await lstat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  it.runIf(process.platform === "linux")(
    "says why it can't be made, where a file system has no folders to make",
    () => {
      const { append } = createSpoolFile("/proc/keyhole/audit/spool");
      expect(append(Buffer.from("1\n"), 2, 1)).toMatchObject({
        written: 0,
        failure: { code: "ENOENT", path: "/proc/keyhole" },
      });
    },
  );

  it("begins another file when one is large, and the first is finished", async () => {
    const { append, texts, finished } = await open({ maxBytes: 10 });
    append("1234567890\n", 1);
    append("second\n", 2);
    expect(await texts()).toEqual(["1234567890\n", "second\n"]);
    expect(await finished()).toEqual([true, false]);
  });

  it("begins another file after a long silence: others may have taken the old one for forsaken", async () => {
    const { append, texts } = await open();
    const now = Date.now();
    append("first\n", now);
    append("second\n", now + MAX_SILENCE_MS);
    expect(await texts()).toEqual(["first\n", "second\n"]);
  });

  it("finishes its file when it is closed, and leaves no empty one", async () => {
    const { append, file, texts, finished } = await open();
    append("line\n");
    file.close();
    expect(await finished()).toEqual([true]);
    file.open(Date.now());
    file.close();
    expect(await texts()).toEqual(["line\n"]);
  });

  it("tells what stands against it, and goes on when that is gone", async () => {
    const dir = await tempDir();
    await writeFile(join(dir, "spool"), "in the way");
    const file = createSpoolFile(join(dir, "spool"));
    expect(file.append(Buffer.from("line\n"), 5, 1)).toMatchObject({
      written: 0,
      failure: { code: "ENOTDIR" },
    });
    const other = createSpoolFile(join(dir, "other"));
    onCleanup(async () => other.close());
    await mkdir(join(dir, "other"));
    expect(other.append(Buffer.from("line\n"), 5, 1)).toEqual({ written: 5 });
  });
});

describe("isFinished", () => {
  it("is so for a process that is gone, and for one whose number another one has now", async () => {
    const dir = await tempDir();
    const name = toSpoolName(Date.now());
    const path = join(dir, toSpoolFile(name));
    await writeFile(path, "", { mode: 0o600 });
    const stats = await lstat(path);
    const owner = parseSpoolFile(toSpoolFile(name))?.owner ?? expect.fail();
    expect(isFinished(owner, stats, Date.now())).toBe(false);
    expect(isFinished({ ...owner, pid: 2 ** 30 }, stats, Date.now())).toBe(true);
    if (owner.started !== "0") expect(isFinished({ ...owner, started: "1" }, stats, Date.now())).toBe(true);
    expect(isFinished({ ...owner, machine: "0".repeat(12), pid: 2 ** 30 }, stats, Date.now())).toBe(false);
    expect(isFinished({ ...owner, machine: "0".repeat(12) }, stats, Date.now() + 5 * MAX_SILENCE_MS)).toBe(
      true,
    );
  });

  it("takes no other file for a spool", () => {
    expect(parseSpoolFile("notes.txt")).toBeUndefined();
    expect(parseSpoolFile("../x.jsonl")).toBeUndefined();
  });
});
