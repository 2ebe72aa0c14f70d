import { beforeEach, describe, expect, it } from "vitest";
import { onCleanup } from "../../../test/fixtures/project.ts";
import { type Database, openSqlite } from "../../store/database/sqlite.ts";
import { createGroupCommit, type OnFailure } from "./group-commit.ts";

const MAX_WAITING = 20_000;
let db: Database;
let notices: string[];

beforeEach(async () => {
  notices = [];
  db = await openSqlite("");
  onCleanup(() => db.close());
  db.exec("CREATE TABLE entries (number INTEGER)");
});

function create(onFailure: OnFailure, opened: Promise<void> = Promise.resolve()) {
  return createGroupCommit<number>({
    open: () => opened.then(() => db),
    write(to, entries) {
      for (const entry of entries) to.run("INSERT INTO entries VALUES (?)", [entry]);
    },
    onWritten() {},
    onFailure,
    onNotice: (text) => notices.push(text),
  });
}

const count = () => db.all("SELECT count(*) FROM entries")[0]?.[0];

describe("more than can wait to be written", () => {
  it("is lost with a notice at once and one afterwards, but not how something ended", async () => {
    const group = create("continue");
    for (let n = 0; n < MAX_WAITING; n++) expect(group.add(n, 1)).toBe(true);
    expect([group.add(1, 1), group.add(2, 1), group.add(3, 1, true)]).toEqual([false, false, true]);
    expect(notices).toEqual(["20000 entries wait to be written down: what comes now is lost"]);
    await group.commit();
    expect(notices.slice(1)).toEqual(["Runs are written down again; 2 entries were lost meanwhile"]);
    expect(count()).toBe(MAX_WAITING + 1);
  });

  it("is not taken where work stops then, until it is written", async () => {
    const group = create("stop");
    for (let n = 0; n < MAX_WAITING; n++) group.add(n, 1);
    expect(group.failure()).toBeUndefined();
    expect([group.add(1, 1), group.add(2, 1, true)]).toEqual([false, true]);
    expect(group.failure()).toMatchObject({ code: "store_unusable" });
    expect(notices).toEqual(["20000 entries wait to be written down: nothing is run until they are"]);
    await group.commit();
    expect([group.failure(), count()]).toEqual([undefined, MAX_WAITING + 1]);
  });

  it("is told of when it is closed and could never be written", async () => {
    const group = create("continue", Promise.reject(new Error("no disk")));
    group.add(1, 1);
    await group.close();
    expect(notices.at(-1)).toMatch(/^1 entries were not written down: /);
  });
});
