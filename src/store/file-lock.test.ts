import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withFileLock } from "./file-lock.ts";

let dir: string;
let lock: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
  lock = join(dir, "a.lock");
});

afterEach(() => rm(dir, { recursive: true, force: true }));

/** The id of a process that is no more. */
const goneProcess = () => spawnSync(process.execPath, ["-e", ""]).pid;

describe("a lock", () => {
  it("is held by one at a time, and gone afterwards", async () => {
    let holders = 0;
    const work = async () => {
      expect(++holders).toBe(1);
      await readFile(lock);
      holders--;
    };
    const taken = await Promise.all(Array.from({ length: 10 }, () => withFileLock(lock, work)));
    expect(taken).toEqual(Array(10).fill(true));
    expect(await readdir(dir)).toEqual([]);
  });

  it("is given back when the work fails", async () => {
    const failing = withFileLock(lock, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(await readdir(dir)).toEqual([]);
  });

  it("is taken over from a process that is gone, by one at a time", async () => {
    await writeFile(lock, `${goneProcess()} ${hostname()}`);
    let holders = 0;
    const work = async () => {
      expect(++holders).toBe(1);
      expect(await readFile(lock, "utf8")).toBe(`${process.pid} ${hostname()}`);
      holders--;
    };
    const taken = await Promise.all(Array.from({ length: 10 }, () => withFileLock(lock, work)));
    expect(taken).toEqual(Array(10).fill(true));
    expect(await readdir(dir)).toEqual([]);
  });

  it.each([
    ["a process that runs", () => `${process.pid} ${hostname()}`],
    ["another machine", () => `${goneProcess()} not-${hostname()}`],
  ])("is not taken from %s, until it is old", async (_whose, toOwner) => {
    const owner = toOwner();
    await writeFile(lock, owner);
    expect(await withFileLock(lock, async () => {})).toBe(false);
    expect(await readFile(lock, "utf8")).toBe(owner);
    await utimes(lock, 0, 0);
    expect(await withFileLock(lock, async () => {})).toBe(true);
  });

  it("is taken over when nobody's name is in it", async () => {
    await writeFile(lock, "");
    expect(await withFileLock(lock, async () => {})).toBe(true);
    expect(await readdir(dir)).toEqual([]);
  });

  it("can't be had where nothing can be written", async () => {
    expect(await withFileLock(join(dir, "none", "a.lock"), async () => {})).toBe(false);
  });
});
