import { existsSync } from "node:fs";
import {
  chmod,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { openStateDir } from "../state-dir.ts";
import { isLocalFileSystem } from "./file-system.ts";
import { migrate, readVersion } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { type Database, openSqlite } from "./sqlite.ts";

let dir: string;
let notices: string[];

beforeEach(async () => {
  dir = await tempDir();
  notices = [];
});

const file = (suffix = "") => join(dir, `.keyhole/keyhole.db${suffix}`);
const MARK = "INSERT INTO tool_calls VALUES ('mark', 'ours', 1, 0)";

async function open(keyDir = "home"): Promise<Database> {
  const state = await openStateDir(dir, join(dir, keyDir));
  const db = await openDatabase(state, (text) => notices.push(text));
  onCleanup(() => db.close());
  return db;
}

/** One of ours, with something in it, closed. */
async function makeOwn(): Promise<void> {
  const db = await open();
  db.run(MARK);
  // All of it is in the file, nothing in the log.
  db.all("PRAGMA wal_checkpoint(TRUNCATE)");
  await db.close();
}

async function change(...statements: string[]): Promise<void> {
  const db = await openSqlite(file());
  for (const statement of statements) db.exec(statement);
  db.all("PRAGMA wal_checkpoint(TRUNCATE)");
  await db.close();
}

const marks = (db: Database) => db.all("SELECT tool FROM tool_calls WHERE server = 'mark'").length;
const asides = async () => (await readdir(join(dir, ".keyhole"))).filter((name) => name.includes(".aside-"));

describe("the database", () => {
  it("is made on first use, for its user alone, and opened again", async () => {
    await makeOwn();
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    const db = await open();
    expect([marks(db), db.all("PRAGMA journal_mode"), notices]).toEqual([1, [["wal"]], []]);
  });

  it("is opened by several at once, also when it is new", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => open()));
    all[0]?.run(MARK);
    expect(all.map(marks)).toEqual(all.map(() => 1));
    expect([notices, await asides()]).toEqual([[], []]);
  });

  it("is in memory where no later process could know it again", async () => {
    const db = await openDatabase(await openStateDir(dir), (text) => notices.push(text));
    db.run(MARK);
    expect([marks(db), existsSync(file())]).toEqual([1, false]);
    await db.close();
  });

  it("is brought up to date in one transaction, or not at all", async () => {
    const db = await openSqlite("");
    migrate(db, [["CREATE TABLE a (x)"]]);
    expect(() =>
      migrate(db, [["CREATE TABLE a (x)"], ["CREATE TABLE b (x)", "CREATE TABLE a (x)"]]),
    ).toThrow();
    expect([readVersion(db), db.all("SELECT name FROM sqlite_schema")]).toEqual([1, [["a"]]]);
    await db.close();
  });

  it("may be there without content: a full disk leaves such a file behind", async () => {
    await mkdir(join(dir, ".keyhole"), { mode: 0o700 });
    await writeFile(file(), "");
    await makeOwn();
    expect([marks(await open()), notices]).toEqual([1, []]);
  });

  it("has its modes mended", async () => {
    await makeOwn();
    await chmod(file(), 0o666);
    await open();
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });
});

describe("what is not ours is moved aside unread, with a notice", () => {
  const cases: [name: string, plant: () => Promise<void>][] = [
    [
      "a database of another program",
      async () => change("CREATE TABLE theirs (x)", "PRAGMA application_id = 7"),
    ],
    ["an ordinary file", () => writeFile(file(), "no database at all ".repeat(1_000))],
    [
      "a copy of our own, with rows of somebody else's",
      async () => {
        await makeOwn();
        await copyFile(file(), join(dir, "copy"));
        await rename(join(dir, "copy"), file());
      },
    ],
    [
      "a log beside our own",
      async () => {
        await makeOwn();
        // A connection that was closed is let go of later, and takes the log with it.
        const log = "a log that would be played back";
        const isThere = async () => (await readFile(file("-wal"), "utf8").catch(() => "")) === log;
        for (let tries = 0; !(await isThere()) && tries < 50; tries++) {
          await writeFile(file("-other"), log);
          await rename(file("-other"), file("-wal"));
          await delay(50);
        }
      },
    ],
    [
      "a rollback journal beside our own",
      async () => {
        await makeOwn();
        await writeFile(file("-journal"), "a journal that would be played back");
      },
    ],
    ["a log without a database", () => writeFile(file("-wal"), "a log")],
    [
      "one that another user's key proves",
      async () => {
        const other = await open("other-home");
        other.run(MARK);
        await other.close();
      },
    ],
  ];
  it.each(cases)("%s", async (_name, plant) => {
    await mkdir(join(dir, ".keyhole"), { mode: 0o700 });
    await plant();
    const db = await open();
    expect(notices).toEqual([
      expect.stringMatching(/was not made by this user's Keyhole in this place: it is now ".*aside/),
    ]);
    expect([marks(db), (await asides()).length > 0]).toEqual([0, true]);
    await db.close();
    await open();
    expect(notices).toHaveLength(1);
  });

  it("at most five times", async () => {
    await mkdir(join(dir, ".keyhole"), { mode: 0o700 });
    for (let n = 0; n < 5; n++) await writeFile(file(`.aside-${n}`), "");
    await writeFile(file(), "planted");
    await expect(open()).rejects.toMatchObject({ code: "store_unusable", fault: "not_ours" });
    expect(await readFile(file(), "utf8")).toBe("planted");
  });
});

describe("our own file with another content", () => {
  it.each<[name: string, spoil: () => Promise<void>]>([
    ["cut in half", () => truncate(file(), 5_000)],
    ["cut to nothing but its beginning", () => truncate(file(), 50)],
    ["overwritten", () => writeFile(file(), "x".repeat(20_000), { flag: "r+" })],
    ["with the tables of another program", () => change("PRAGMA application_id = 7")],
    [
      "with a trigger added",
      () => change("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM calls; END"),
    ],
    [
      "with a trigger under a name of SQLite's own",
      () =>
        change(
          `PRAGMA writable_schema = ON;
           INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_sequence', 'runs', 0, 'CREATE TRIGGER sqlite_sequence AFTER INSERT ON runs BEGIN DELETE FROM calls; END')`,
        ),
    ],
    [
      "with a view in the place of a table",
      () => change("DROP TABLE tool_calls", "CREATE VIEW tool_calls AS SELECT 1 AS server, 2 AS tool"),
    ],
    ["with a table missing", () => change("DROP TABLE calls")],
  ])("%s is moved aside, and a new one begun", async (_name, spoil) => {
    await makeOwn();
    await spoil();
    const db = await open();
    expect([notices.length, marks(db)]).toEqual([1, 0]);
    expect(await asides()).not.toEqual([]);
    expect(db.all("PRAGMA integrity_check")).toEqual([["ok"]]);
  });

  it("of a newer version is refused, and stays as it is", async () => {
    await makeOwn();
    await change("CREATE TABLE later (x)", "PRAGMA user_version = 99");
    await expect(open()).rejects.toMatchObject({
      code: "store_unusable",
      fault: "newer",
      message: expect.stringContaining("newer version of Keyhole (99"),
      hint: "Update Keyhole",
    });
    expect([notices, await asides()]).toEqual([[], []]);
  });
});

describe("a place that is not ours is refused", () => {
  const planted = async (place: () => Promise<void>) => {
    await mkdir(join(dir, ".keyhole"), { mode: 0o700 });
    await writeFile(join(dir, "precious"), "precious");
    await place();
  };
  it.each(["", "-wal", "-shm", "-journal", ".lock", ".new"])(
    "keyhole.db%s that is a link",
    async (suffix) => {
      await planted(() => symlink(join(dir, "precious"), file(suffix)));
      await expect(open()).rejects.toMatchObject({
        code: expect.stringMatching(/file_conflict|store_unusable/),
      });
      expect(await readFile(join(dir, "precious"), "utf8")).toBe("precious");
    },
  );

  it("keyhole.db that has a second name", async () => {
    await planted(() => link(join(dir, "precious"), file()));
    await expect(open()).rejects.toMatchObject({ code: "file_conflict" });
  });

  it("keyhole.db that is a folder", async () => {
    await planted(() => mkdir(file()));
    await expect(open()).rejects.toMatchObject({ code: "file_conflict" });
  });

  it(".keyhole that is a file", async () => {
    await writeFile(join(dir, ".keyhole"), "in the way");
    await expect(open()).rejects.toMatchObject({
      code: "store_unusable",
      message: `"${join(dir, ".keyhole")}" is not a folder`,
    });
  });

  it(".keyhole that is a link", async () => {
    await symlink(await tempDir(), join(dir, ".keyhole"));
    await expect(open()).rejects.toMatchObject({ code: "file_conflict" });
  });
});

describe("a folder of a name that is the database's", () => {
  it.each([
    "keyhole.db",
    "keyhole.db-shm",
    "keyhole.db.lock",
    "keyhole.db.lock.removal",
    "database.json",
    "keyhole.db.new",
  ])("(%s) is told of by its name", async (name) => {
    await mkdir(join(dir, ".keyhole", name, "deep"), { recursive: true });
    await expect(open()).rejects.toMatchObject({
      code: "file_conflict",
      message: `"${join(dir, ".keyhole", name)}" is not a plain file: delete it, Keyhole makes its own`,
    });
  });
});

describe("file systems of other machines", () => {
  it("get a database without a log, that several can use, and that gets one elsewhere", async () => {
    const openFar = async () => {
      const state = await openStateDir(dir, join(dir, "home"));
      const isLocal = async () => false;
      const db = await openDatabase(state, (text) => notices.push(text), { isLocal });
      onCleanup(() => db.close());
      return db;
    };
    const [one, other] = [await openFar(), await openFar()];
    one.run(MARK);
    expect([marks(other), other.all("PRAGMA journal_mode"), other.all("PRAGMA synchronous")]).toEqual([
      1,
      [["truncate"]],
      [[2]],
    ]);
    await Promise.all([one.close(), other.close()]);
    expect([marks(await openFar()), existsSync(file("-wal")), notices]).toEqual([1, false, []]);
  });

  it.each([0x6969, 0xff534d42, 0xff534d42 | 0, 0xfe534d42, 0x01021997, 0x65735546])(
    "%i are told apart",
    (type) => {
      expect(isLocalFileSystem(type)).toBe(false);
    },
  );

  it.each([0xef53, 0x01021994, 0x9123683e, 0x58465342, 0x794c7630])("%i is local", (type) => {
    expect(isLocalFileSystem(type)).toBe(true);
  });
});
