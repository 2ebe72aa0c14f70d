import { beforeEach, describe, expect, it } from "vitest";
import { addLeftRun, type LeftRun, whereIs } from "../../../test/fixtures/left-runs.ts";
import { onCleanup } from "../../../test/fixtures/project.ts";
import { migrate } from "../../store/database/migrations.ts";
import { type Database, openSqlite } from "../../store/database/sqlite.ts";
import { claimRun } from "./recorded-runs.ts";
import { makeRoom, tidy } from "./retention.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.now();
const { signal } = new AbortController();
const ALL = ["runs", "calls 3", "approvals", "replay_runs", "replay_calls 3", "replay_happenings 3"];

let db: Database;
beforeEach(async () => {
  db = await openSqlite("");
  migrate(db);
  onCleanup(() => db.close());
});

const keep = { keepMs: 30 * DAY_MS, maxBytes: 1e9 };
const old: Pick<LeftRun, "at"> = { at: NOW - 31 * DAY_MS };
const statusOf = (id: string) => db.all("SELECT status, kind FROM runs WHERE id = ?", [id])[0];

describe("a run that nobody goes on with", () => {
  it.each(["denied", "expired", "withdrawn", "pending", "approved"] as const)(
    "goes with all that was kept for it when its time is over (its question: %s)",
    async (question) => {
      addLeftRun(db, { id: "old", ...old, question });
      addLeftRun(db, { id: "young", at: NOW - 29 * DAY_MS, question });
      await tidy(db, keep, signal);
      expect(whereIs(db)).toEqual({ young: ALL });
    },
  );

  it("goes as well when it was interrupted, or has ended and its process did not come to forget it", async () => {
    addLeftRun(db, { id: "old", ...old, status: "lost", question: "pending" });
    addLeftRun(db, { id: "young", at: NOW - DAY_MS, status: "lost", question: "denied" });
    addLeftRun(db, { id: "ended", at: NOW - DAY_MS, status: "failed", question: "denied" });
    await tidy(db, keep, signal);
    expect(whereIs(db)).toEqual({ young: ALL, ended: ALL.slice(0, 3) });
  });

  it("stays while somebody can answer it, whatever its age and size", async () => {
    addLeftRun(db, { id: "open", ...old, question: "pending", expiresAt: NOW + HOUR_MS, bytes: 1e9 });
    addLeftRun(db, { id: "lost", ...old, status: "lost", question: "pending", expiresAt: NOW + HOUR_MS });
    addLeftRun(db, { id: "yes", ...old, question: "approved", expiresAt: NOW + HOUR_MS });
    await tidy(db, { keepMs: 1, maxBytes: 1, maxKeptBytes: 1 }, signal);
    expect(whereIs(db)).toEqual({ open: ALL, lost: ALL, yes: ALL });
  });

  it("stays when somebody goes on with it in this moment", async () => {
    addLeftRun(db, { id: "taken", ...old, question: "denied" });
    expect(claimRun(db, "taken", "q")).toBe(3);
    await tidy(db, { keepMs: 1, maxBytes: 1, maxKeptBytes: 1 }, signal);
    expect(whereIs(db)).toEqual({ taken: ALL });
    addLeftRun(db, { id: "gone", ...old, question: "denied" });
    await makeRoom(db, 1);
    expect([claimRun(db, "gone", "q"), statusOf("gone")]).toEqual([undefined, ["failed", "expired"]]);
  });

  it("makes room for others, the longest left first, and what it wrote is still told", async () => {
    const sizes = { bytes: 60, folderBytes: 40, question: "expired" } as const;
    addLeftRun(db, { id: "second", at: NOW - 2 * HOUR_MS, ...sizes });
    addLeftRun(db, { id: "first", at: NOW - 3 * HOUR_MS, ...sizes, status: "lost" });
    addLeftRun(db, { id: "third", at: NOW - HOUR_MS, ...sizes });
    expect(await makeRoom(db, 250)).toEqual({ leftBytes: 50, expired: ["first"] });
    expect(await makeRoom(db, 150)).toEqual({ leftBytes: 50, expired: ["second"] });
    expect(whereIs(db)).toEqual({ first: ALL.slice(0, 3), second: ALL.slice(0, 3), third: ALL });
    const [[receipt] = []] = db.all("SELECT receipt FROM runs WHERE id = 'first'");
    expect(JSON.parse(String(receipt)).ledger).toHaveLength(3);
  });

  it("makes none where people can still answer", async () => {
    addLeftRun(db, { id: "open", at: NOW, question: "pending", expiresAt: NOW + HOUR_MS, bytes: 500 });
    expect(await makeRoom(db, 400)).toEqual({ leftBytes: -100, expired: [] });
  });

  it("leaves nothing behind where no journal is kept", async () => {
    addLeftRun(db, { id: "old", ...old, question: "pending" });
    addLeftRun(db, { id: "young", at: NOW, question: "pending" });
    db.exec("DELETE FROM runs; DELETE FROM calls");
    await tidy(db, keep, signal);
    expect(whereIs(db)).toEqual({ young: ALL.slice(2) });
  });
});
