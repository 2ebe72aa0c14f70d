import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../test/fixtures/project.ts";
import { toOutFile, writeOutFile } from "./out-file.ts";

test("a minus is standard output", () => {
  expect([undefined, "-", "a.csv"].map(toOutFile)).toEqual([undefined, undefined, resolve("a.csv")]);
});

test("a file is there as a whole, for its owner alone, or not at all", async () => {
  const dir = await tempDir();
  const file = join(dir, "a.txt");
  await writeOutFile(file, ["a", Buffer.from("b")]);
  expect([await readFile(file, "utf8"), (await stat(file)).mode & 0o777]).toEqual(["ab", 0o600]);
  await expect(
    writeOutFile(file, ["c"], { beforeDone: () => Promise.reject(new Error("not told")) }),
  ).rejects.toThrow("not told");
  expect([await readFile(file, "utf8"), await readdir(dir)]).toEqual(["ab", ["a.txt"]]);
  await mkdir(join(dir, "folder"));
  for (const bad of [join(dir, "no/where"), join(dir, "folder")])
    await expect(writeOutFile(bad, ["x"])).rejects.toMatchObject({
      code: "file_conflict",
      message: expect.not.stringContaining(".tmp"),
      hint: expect.stringContaining("folder that can be written to"),
    });
});
