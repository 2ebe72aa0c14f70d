import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../store/database/migrations.ts";
import { type Database, openSqlite } from "../../store/database/sqlite.ts";
import { createDurableRun, newReplay, toProgramHash } from "./durable-run.ts";
import { openReplayLog, type ReplayLog } from "./replay-log.ts";

let dir: string;
let db: Database;
let log: ReplayLog;

const program = toProgramHash("return 1", "typescript");
const first = { number: 1, server: "mail", tool: "list", argumentsHash: "aa" };
const second = { number: 2, server: "mail", tool: "send", argumentsHash: "bb" };
const answer = { ok: true, form: "json", bytes: Buffer.from('{"id":1}') } as const;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-replay-"));
  db = await openSqlite(join(dir, "test.db"));
  migrate(db);
  log = openReplayLog(async () => db);
});
afterEach(async () => {
  await log.close();
  await db.close();
  await rm(dir, { recursive: true, force: true });
});

async function begin(id = "r_1") {
  const kept = newReplay({ id, principal: "local", programHash: program, isPlanned: false });
  await log.begin(kept);
  return createDurableRun(kept, log);
}

async function again(id = "r_1") {
  const kept = await log.read(id);
  if (!kept) throw new Error("It was not kept");
  return createDurableRun(kept, log);
}

describe("a run that starts over", () => {
  it("has the same world, and the outcome of each call that it made", async () => {
    const run = await begin();
    expect(run.recall(first)).toBeUndefined();
    await run.ended(first, { isWrite: false, effect: "landed", outcome: answer });
    run.onHappened([["r1", 5]]);
    await run.sent(second);
    const failure = { ok: false, code: "tool_failed", message: "no" } as const;
    await run.ended(second, { isWrite: true, effect: "failed", outcome: failure });
    const resumed = await again();
    expect(resumed.isResumed).toBe(true);
    expect(resumed.steady).toEqual({ ...run.steady, past: [["r1", 5]] });
    expect(resumed.recall(first)).toMatchObject({ ok: true, form: "json" });
    expect(resumed.recall(second)).toMatchObject({ ...failure, effect: "failed", sent: 1 });
    expect(resumed.recall({ ...second, number: 3 })).toBeUndefined();
    expect(resumed.writes).toMatchObject([{ tool: "send", effect: "failed" }]);
  });

  it("does not know of a write that was sent whether it was done", async () => {
    const run = await begin();
    await run.sent({ ...second, number: 1 });
    const resumed = await again();
    expect(resumed.recall({ ...second, number: 1 })).toEqual({ sent: 1 });
    expect(resumed.writes).toMatchObject([{ effect: "unknown" }]);
    await resumed.sent({ ...second, number: 1 });
    expect((await again()).recall({ ...second, number: 1 })).toEqual({ sent: 2 });
  });

  it("writes no call over another that had its number", async () => {
    const run = await begin();
    await run.ended(first, { isWrite: false, effect: "landed", outcome: answer });
    await run.ended(second, { isWrite: false, effect: "landed", outcome: answer });
    const resumed = await again();
    const other = { number: 2, server: "mail", tool: "pay", argumentsHash: "dd" };
    expect(resumed.recall({ ...second, number: 1 })).toMatchObject({ ok: true });
    expect([resumed.recall(other), resumed.timesMade(other)]).toEqual([undefined, 0]);
    await resumed.sent(other);
    await resumed.ended(other, { isWrite: true, effect: "landed", outcome: answer });
    expect(resumed.timesMade(other)).toBe(1);
    const third = await again();
    expect(third.recall({ ...second, number: 1 })).toMatchObject({ ok: true, isWrite: false });
    expect(third.recall(other)).toMatchObject({ ok: true, isWrite: true, sent: 1 });
    expect(third.recall(other)).toBeUndefined();
    expect(third.timesMade(other)).toBe(1);
    expect(third.writes).toMatchObject([{ tool: "pay" }]);
  });

  it("finds calls that come in another order, and refuses others", async () => {
    const run = await begin();
    await run.ended(first, { isWrite: false, effect: "landed", outcome: answer });
    await run.ended(second, { isWrite: false, effect: "landed", outcome: answer });
    const resumed = await again();
    expect(resumed.recall({ ...second, number: 1 })).toMatchObject({ ok: true });
    expect(resumed.recall({ ...first, number: 2 })).toMatchObject({ ok: true });
    const other = await again();
    expect(() => other.recall({ ...first, argumentsHash: "cc" })).toThrow(
      "its call 1 is mail.list, and was the same with other arguments",
    );
    expect(() => other.recall({ ...second, number: 1, tool: "forward" })).toThrow("and was mail.list");
  });

  it("makes a call that was under way beside one that came back", async () => {
    const run = await begin();
    await run.ended(second, { isWrite: true, effect: "landed", outcome: answer });
    const resumed = await again();
    expect(resumed.recall(first)).toBeUndefined();
    expect(resumed.recall(second)).toMatchObject({ ok: true });
  });

  it("can't be resumed when more was returned than is kept, and its writes are known all the same", async () => {
    const run = await begin();
    const large = { ok: true, form: "json", bytes: Buffer.alloc(70 * 1024 * 1024) } as const;
    await run.sent(second);
    await run.ended(second, { isWrite: true, effect: "landed", outcome: large });
    expect(await log.read("r_1")).toMatchObject({
      obstacle: "what its calls returned was too much to be kept",
      calls: [{ effect: "landed" }],
    });
  });
});

it("is found by its program, for whoever it belongs to, and forgotten at its end", async () => {
  await begin("r_1");
  await begin("r_2");
  expect((await log.find("local", program)).sort()).toEqual(["r_1", "r_2"]);
  expect(await log.find("other", program)).toEqual([]);
  expect(await log.find("local", toProgramHash("return 1", "python"))).toEqual([]);
  await log.forget("r_1");
  expect(await log.find("local", program)).toEqual(["r_2"]);
  expect(await log.read("r_1")).toBeUndefined();
});
