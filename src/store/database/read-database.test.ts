import { lstatSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { openStateDir } from "../state-dir.ts";
import { openDatabase } from "./open-database.ts";
import { openToRead } from "./read-database.ts";

let dir: string;
let path: string;
const MARK = "INSERT INTO tool_calls VALUES ('a', 'b', 1, 0)";

beforeEach(async () => {
  dir = await tempDir();
  path = join(dir, ".keyhole/keyhole.db");
});

const state = () => openStateDir(dir, join(dir, "home"));

async function write() {
  const db = await openDatabase(await state(), () => {});
  onCleanup(() => db.close());
  db.exec(MARK);
  return db;
}

async function read() {
  const db = await openToRead(await state());
  if (db !== undefined) onCleanup(() => db.close());
  return db;
}

/** Each file with its number and when it was changed. */
async function look() {
  const names = (await readdir(join(dir, ".keyhole"))).filter((name) => !name.endsWith("-shm")).sort();
  return names.map((name) => {
    const { ino, mtimeMs, size } = lstatSync(join(dir, ".keyhole", name));
    return [name, ino, mtimeMs, size];
  });
}

describe("a database that is only read", () => {
  it("is nothing where there is none, and none is made", async () => {
    expect(await read()).toBeUndefined();
    expect(await readdir(dir)).not.toContain(".keyhole");
    await mkdir(join(dir, ".keyhole"));
    expect(await read()).toBeUndefined();
  });

  it("tells what others write meanwhile, and can't be written to", async () => {
    const writer = await write();
    const before = await look();
    const db = await read();
    const count = () => db?.all("SELECT count(*) FROM tool_calls")[0]?.[0];
    expect(count()).toBe(1);
    expect(await look()).toEqual(before);
    writer.exec("INSERT INTO tool_calls VALUES ('a', 'c', 1, 0)");
    expect(count()).toBe(2);
    expect(await db?.allInBackground("SELECT count(*) FROM tool_calls")).toEqual([[2]]);
    expect(() => db?.exec("DELETE FROM tool_calls")).toThrow(/can't be written to/);
    await expect(db?.inBackground("DELETE FROM tool_calls")).rejects.toThrow(/can't be written to/);
  });

  it("is refused, and stays where it is, when it is not ours", async () => {
    await mkdir(join(dir, ".keyhole"));
    await writeFile(path, "SQLite format 3\u0000 and what an attacker likes");
    const opened = await state();
    const before = await look();
    await expect(openToRead(opened)).rejects.toMatchObject({ fault: "not_ours" });
    expect(await look()).toEqual(before);
  });

  it("is refused when it is a copy of ours, or its log is", async () => {
    await write();
    for (const part of ["-wal", ""]) {
      await copyFile(path + part, `${path}.copy`);
      await rename(`${path}.copy`, path + part);
      await expect(read()).rejects.toMatchObject({ fault: "not_ours" });
    }
  });
});
