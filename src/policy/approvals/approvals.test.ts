import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../store/database/migrations.ts";
import { type Database, openSqlite } from "../../store/database/sqlite.ts";
import { PLAIN_COMMAND } from "../../text/keyhole-command.ts";
import type { PendingCall } from "./approval.ts";
import { type Approvals, type ApprovalsOptions, createApprovals } from "./approvals.ts";

let dir: string;
let databases: Database[];
let all: Approvals[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-approvals-"));
  databases = [];
  all = [];
  migrate(await database());
});
afterEach(async () => {
  for (const approvals of all) approvals.close();
  for (const db of databases) await db.close();
  await rm(dir, { recursive: true, force: true });
});

async function database(): Promise<Database> {
  const db = await openSqlite(join(dir, "test.db"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  databases.push(db);
  return db;
}

/** As another process has it: with a connection of its own. */
function approvals(options: Partial<ApprovalsOptions> = {}): Approvals {
  let opened: Promise<Database> | undefined;
  const made = createApprovals({
    database: () => {
      opened ??= database();
      return opened;
    },
    expiresMs: 60_000,
    onExpiry: "deny",
    prove: (text) => createHmac("sha256", "a key").update(text).digest("hex"),
    command: PLAIN_COMMAND,
    ...options,
  });
  all.push(made);
  return made;
}

const call = (number = 1) => ({
  number,
  server: "mail",
  tool: "send",
  toolHash: "h",
  args: { to: "a@b.c" },
  reason: "It sends",
});
const request = (id = "a_1", calls = [call()]) => ({
  id,
  runId: "r_1",
  session: "s_1",
  principal: "local",
  calls,
  about: { written: [], approvedBefore: [] },
});
const forever = new AbortController().signal;
const yes = { decision: "approve", scope: "once" } as const;

describe("an approval", () => {
  it("is seen, answered and heard of in other processes", async () => {
    const [asker, answerer] = [approvals(), approvals()];
    await asker.open(request());
    const settled = asker.settled("a_1", forever);
    expect(await answerer.list({ status: "pending" })).toMatchObject([
      { id: "a_1", calls: [{ tool: "send", args: { to: "a@b.c" } }] },
    ]);
    await answerer.answer("a_1", { ...yes, edits: { "1": { to: "x@y.z" } } }, "cli somebody");
    expect(await settled).toMatchObject({
      status: "approved",
      answer: { by: "cli somebody", edits: { "1": { to: "x@y.z" } } },
    });
    expect(await answerer.list({ status: "pending" })).toEqual([]);
  });

  it("has one answer, though two people give one at the same time", async () => {
    const people = Array.from({ length: 6 }, () => approvals());
    await people[0]?.open(request());
    const answers = await Promise.allSettled(
      people.map((one, index) =>
        one.answer("a_1", index % 2 ? { decision: "deny", reason: `${index}` } : yes, `person ${index}`),
      ),
    );
    const [given, ...others] = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(others).toEqual([]);
    expect(await people[5]?.get("a_1")).toEqual(given);
    for (const one of answers)
      if (one.status === "rejected")
        expect(one.reason.message).toMatch(/is (approved|denied) already by person/);
  });

  it("expires, and takes no answer after that", async () => {
    const asker = approvals({ expiresMs: 30 });
    await asker.open(request());
    expect(await asker.settled("a_1", forever)).toMatchObject({ status: "expired" });
    await expect(asker.answer("a_1", yes, "late")).rejects.toThrow("is expired already");
  });

  it("is given by its expiry for nothing that may have been done already", async () => {
    const asker = approvals({ expiresMs: 30, onExpiry: "approve" });
    const again: PendingCall = { ...call(), repeat: 1 };
    await asker.open({ ...request(), calls: [again] });
    expect(await asker.settled("a_1", forever)).toMatchObject({ status: "expired" });
  });

  it.each([
    [
      "its answer",
      `status = 'approved', answer = '{"decision":"approve","scope":"session","by":"cli me","at":1}'`,
    ],
    ["its question", `request = replace(request, 'a@b.c', 'x@y.z')`],
    ["its owner", `principal = 'other'`],
    ["its time", "expires_at = expires_at + 1000000"],
  ])("is nobody's word when somebody else wrote %s", async (_, change) => {
    const asker = approvals();
    await asker.open(request());
    const db = await database();
    db.exec(`UPDATE approvals SET ${change}`);
    expect(await asker.get("a_1")).toMatchObject({ status: "withdrawn", calls: [] });
    expect(await asker.list({ status: "approved" })).toEqual([]);
    await expect(asker.answer("a_1", yes, "me")).rejects.toThrow("is withdrawn already");
  });

  it("that was denied is not approved by writing so", async () => {
    const asker = approvals();
    await asker.open(request());
    await asker.answer("a_1", { decision: "deny" }, "me");
    (await database()).exec(
      "UPDATE approvals SET status = 'approved', answer = replace(answer, 'deny', 'approve')",
    );
    expect(await asker.get("a_1")).toMatchObject({ status: "withdrawn" });
  });

  it("is given by its expiry where the user said so", async () => {
    const asker = approvals({ expiresMs: 30, onExpiry: "approve" });
    await asker.open(request());
    expect(await asker.settled("a_1", forever)).toMatchObject({
      status: "approved",
      answer: { by: "expiry" },
    });
  });

  it("is still pending for whoever waits no longer", async () => {
    const asker = approvals();
    await asker.open(request());
    expect(await asker.settled("a_1", AbortSignal.timeout(20))).toMatchObject({ status: "pending" });
    await asker.withdraw("a_1");
    await expect(asker.answer("a_1", yes, "late")).rejects.toThrow("is withdrawn already");
  });

  it("takes no other arguments for calls that it has not, and is answered by its own id alone", async () => {
    const asker = approvals();
    await asker.open(request());
    await expect(asker.answer("a_1", { ...yes, edits: { "2": {} } }, "x")).rejects.toThrow("has no call 2");
    await expect(asker.answer("a_2", yes, "x")).rejects.toThrow('There is no approval "a_2"');
    expect(await asker.get("a_1")).toMatchObject({ status: "pending" });
  });
});

it("keeps a thousand apart that wait at once", async () => {
  const [asker, answerer] = [approvals(), approvals()];
  const ids = Array.from({ length: 1_000 }, (_, index) => `a_${index}`);
  for (const id of ids) await asker.open(request(id));
  const settled = ids.map((id) => asker.settled(id, forever));
  for (const [index, id] of ids.entries())
    await answerer.answer(id, index % 2 ? yes : { decision: "deny" }, `person ${index}`);
  for (const [index, approval] of (await Promise.all(settled)).entries())
    expect(approval).toMatchObject({ id: `a_${index}`, status: index % 2 ? "approved" : "denied" });
});
