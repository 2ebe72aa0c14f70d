import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../store/database/migrations.ts";
import { type Database, openSqlite } from "../../store/database/sqlite.ts";
import { PLAIN_COMMAND } from "../../text/keyhole-command.ts";
import type { Approval, ApprovalAnswer } from "./approval.ts";
import { type Approvals, createApprovals } from "./approvals.ts";
import { type AskingRun, createDesk, type DeskOptions } from "./desk.ts";

let dir: string;
let db: Database;
let approvals: Approvals;

const command = PLAIN_COMMAND;
const prove = (text: string) => `ours: ${text}`;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-desk-"));
  db = await openSqlite(join(dir, "test.db"));
  migrate(db);
  approvals = createApprovals({
    database: async () => db,
    expiresMs: 60_000,
    onExpiry: "deny",
    prove,
    command,
  });
});
afterEach(async () => {
  approvals.close();
  await db.close();
  await rm(dir, { recursive: true, force: true });
});

let lastId = 0;
const desk = (options: Partial<DeskOptions> = {}) =>
  createDesk({
    approvals,
    holdMs: 5_000,
    channels: ["cli", "elicitation"],
    hasOtherWay: true,
    newId: () => `a_${++lastId}`,
    ...options,
  });
const run = (known: Partial<AskingRun> = {}): AskingRun => ({
  id: "r_1",
  session: "s_1",
  principal: "local",
  about: () => ({ written: [] }),
  hold: (work) => work(true),
  ...known,
});
const call = (number: number, args: Record<string, unknown> = { number }, toolHash = "h") => ({
  number,
  server: "mail",
  tool: "send",
  toolHash,
  args,
  reason: "It sends",
});
const { signal } = new AbortController();

/** A person who says the same to whatever is asked, and what that was. */
function person(answer: ApprovalAnswer | undefined) {
  const asked: Approval[] = [];
  return {
    asked,
    askPerson: {
      channel: "elicitation",
      async ask(approval: Approval) {
        asked.push(approval);
        return answer && { answer, by: "somebody" };
      },
    },
  };
}

describe("calls that need a person", () => {
  it("are one question when they come together, with their arguments", async () => {
    const { asked, askPerson } = person({ decision: "approve", scope: "once" });
    const opened = desk().open(run({ askPerson }));
    const calls = Array.from({ length: 40 }, (_, index) => call(index + 1));
    const rulings = await Promise.all(calls.map((one) => opened.ask(one, signal)));
    expect(asked).toMatchObject([{ calls }]);
    expect(rulings).toMatchObject(calls.map(({ args }) => ({ decision: "approved", args })));
  });

  it("that are one open question are one for the run that goes on, too", async () => {
    const calls = Array.from({ length: 40 }, (_, index) => call(index + 1));
    const before = desk({ holdMs: 50 }).open(run());
    const held = await Promise.all(calls.map((one) => before.ask(one, signal)));
    expect(new Set(held.map(({ decision }) => decision))).toEqual(new Set(["waiting"]));
    const { asked, askPerson } = person({ decision: "approve", scope: "once" });
    const again = desk().open(run({ askPerson }));
    const rulings = await Promise.all(calls.map((one) => again.ask(one, signal)));
    expect(rulings).toMatchObject(calls.map(({ args }) => ({ decision: "approved", args })));
    expect(asked).toHaveLength(1);
  });

  it.each([
    ["wait at once", {}, {}, {}, "waiting"],
    [
      "are held all the same where the run can't go on later",
      {},
      { obstacle: () => "no record" },
      {},
      "approved",
    ],
    ["are held all the same where nobody could answer later", { hasOtherWay: false }, {}, {}, "approved"],
    ["are held all the same for a function that is asked", {}, {}, { isWorthSlot: true }, "approved"],
  ] as const)("that would keep others from the run's slot %s", async (_how, options, its, asks, decision) => {
    const { asked, askPerson } = person({ decision: "approve", scope: "once" });
    const told: string[] = [];
    const opened = desk({ holdMs: 600_000, ...options }).open(
      run({
        askPerson: { ...askPerson, ...asks },
        hold: (work) => work(false),
        onAsked: ({ id }) => told.push(id),
        ...its,
      }),
    );
    expect(await opened.ask(call(1), signal)).toMatchObject({ decision });
    expect([told.length, opened.hasAsked(), asked.length]).toEqual([1, true, decision === "waiting" ? 0 : 1]);
    expect(await approvals.list({ status: "pending" })).toHaveLength(decision === "waiting" ? 1 : 0);
    // With room for it, it is held like any other.
    const again = desk().open(run({ askPerson }));
    expect(await again.ask(call(1), signal)).toMatchObject({ decision: "approved" });
  });

  it("are asked for again by the same run only when they differ", async () => {
    const { asked, askPerson } = person({ decision: "approve", scope: "once" });
    await desk().open(run({ askPerson })).ask(call(1), signal);
    // As after a restart: the same run, its program from the start.
    const again = desk().open(run({ askPerson }));
    expect(await again.ask(call(1), signal)).toMatchObject({ decision: "approved" });
    expect(asked).toHaveLength(1);
    await again.ask(call(1, { other: true }), signal);
    await again.ask(call(2), signal);
    expect(asked).toHaveLength(3);
  });

  it.each([
    ["run", "r_1", "s_2", 1],
    ["run", "r_2", "s_1", 2],
    ["session", "r_2", "s_1", 1],
    ["session", "r_2", "s_2", 2],
  ] as const)("approved for the %s hold in %s of %s", async (scope, id, session, questions) => {
    const { asked, askPerson } = person({ decision: "approve", scope });
    await desk().open(run({ askPerson })).ask(call(1), signal);
    await desk().open(run({ askPerson, id, session })).ask(call(7), signal);
    expect(asked).toHaveLength(questions);
  });

  it("are found in what another process answered meanwhile", async () => {
    const opened = desk({ holdMs: 30 }).open(run());
    for (const number of [1, 1])
      expect(await opened.ask(call(number), signal)).toMatchObject({ decision: "waiting" });
    const other = await openSqlite(join(dir, "test.db"));
    const there = createApprovals({
      database: async () => other,
      expiresMs: 60_000,
      onExpiry: "deny",
      prove,
      command,
    });
    const [asked] = await there.list();
    await there.answer(asked?.id ?? "", { decision: "approve", scope: "run" }, "another");
    expect(await opened.ask(call(2), signal)).toMatchObject({ decision: "approved" });
    expect(await approvals.list()).toHaveLength(1);
    there.close();
    await other.close();
  });

  it("are not looked for in the database one by one when one question is for all of them", async () => {
    let reads = 0;
    const counting: Database = {
      ...db,
      all: (sql, values) => {
        if (sql.includes("run = ?")) reads++;
        return db.all(sql, values);
      },
    };
    const own = createApprovals({
      database: async () => counting,
      expiresMs: 60_000,
      onExpiry: "deny",
      prove,
      command,
    });
    const { askPerson } = person({ decision: "approve", scope: "once" });
    const opened = desk({ approvals: own }).open(run({ askPerson }));
    const calls = Array.from({ length: 300 }, (_, index) => call(index + 1));
    await opened.askAll(calls, {});
    const before = reads;
    for (const one of calls)
      expect(await opened.ask(one, signal)).toMatchObject({ decision: "approved", args: one.args });
    expect(reads - before).toBe(1);
    own.close();
  });

  it("are asked for again when the tool is no longer what it was", async () => {
    const { asked, askPerson } = person({ decision: "approve", scope: "session" });
    const opened = desk().open(run({ askPerson }));
    await opened.ask(call(1), signal);
    await opened.ask(call(2, {}, "changed"), signal);
    expect(asked).toHaveLength(2);
  });

  it("are denied with the reason of who denied them, and made with the arguments of who changed them", async () => {
    const no = person({ decision: "deny", reason: "not on Sundays" });
    expect(await desk().open(run(no)).ask(call(1), signal)).toMatchObject({
      decision: "denied",
      by: "somebody",
      reason: "a person said no: not on Sundays",
    });
    const other = person({ decision: "approve", scope: "once", edits: { "1": { to: "me" } } });
    expect(
      await desk()
        .open(run({ ...other, id: "r_2" }))
        .ask(call(1), signal),
    ).toMatchObject({
      decision: "approved",
      args: { to: "me" },
    });
  });

  it("wait no longer than they may be held, and go on when they were answered meanwhile", async () => {
    const opened = desk({ holdMs: 40 }).open(run(person(undefined)));
    const ruling = await opened.ask(call(1), signal);
    expect(ruling).toMatchObject({ decision: "waiting" });
    const [pending] = await approvals.list({ status: "pending" });
    await approvals.answer(pending?.id ?? "", { decision: "approve", scope: "once" }, "cli");
    expect(await desk().open(run()).ask(call(1), signal)).toMatchObject({ decision: "approved" });
    expect(await approvals.list()).toHaveLength(1);
  });

  it("are not waited for where nobody can be asked", async () => {
    const closed = ["a terminal is missing"];
    const ruling = await desk({ channels: ["terminal"], hasOtherWay: false, closed })
      .open(run())
      .ask(call(1), signal);
    expect(ruling).toEqual({ decision: "unasked", closed });
    expect(await approvals.list()).toEqual([]);
  });

  it("are asked for again with other arguments, though the same were approved for always", async () => {
    const { asked, askPerson } = person({ decision: "approve", scope: "always" });
    const opened = desk().open(run({ askPerson }));
    await opened.ask({ ...call(1), args: { to: "ada" } }, signal);
    await opened.ask({ ...call(2), args: { to: "ada" } }, signal);
    expect(asked).toHaveLength(1);
    await opened.ask({ ...call(3), args: { to: "eve" } }, signal);
    expect(asked).toHaveLength(2);
  });

  it("are nobody's business any more when their run is over", async () => {
    const ending = new AbortController();
    const { askPerson } = person(undefined);
    const asking = desk({ holdMs: 60_000 })
      .open(run({ askPerson, signal: ending.signal }))
      .ask(call(1), signal);
    while ((await approvals.list({ status: "pending" })).length === 0) await setImmediate();
    ending.abort();
    await asking;
    expect((await approvals.list()).map(({ status }) => status)).toEqual(["withdrawn"]);
  });

  it("come with what was approved before in the same run", async () => {
    const { askPerson } = person({ decision: "approve", scope: "once" });
    const opened = desk().open(run({ askPerson }));
    await opened.ask(call(1), signal);
    await opened.ask(call(2), signal);
    const [first, second] = await approvals.list();
    expect([first?.about.approvedBefore, second?.about.approvedBefore]).toEqual([
      [],
      [expect.stringContaining(`${first?.id}: `)],
    ]);
  });

  it("are not answered by a way that the user has excluded", async () => {
    const { asked, askPerson } = person({ decision: "approve", scope: "once" });
    const ruling = await desk({ channels: ["cli"], holdMs: 40 })
      .open(run({ askPerson }))
      .ask(call(1), signal);
    expect([ruling.decision, asked]).toEqual(["waiting", []]);
  });
});

describe("a call that was sent before, and of which nobody knows whether it was done", () => {
  it("is asked for each time, whatever was approved for it, with the arguments it was sent with", async () => {
    const edited = { decision: "approve", scope: "session", edits: { "1": { number: 7 } } } as const;
    const first = person(edited);
    await desk().open(run(first)).ask(call(1), signal);
    for (const repeat of [1, 2]) {
      const { asked, askPerson } = person({ decision: "approve", scope: "session" });
      const ask = () =>
        desk()
          .open(run({ askPerson }))
          .ask({ ...call(1), repeat }, signal);
      expect(await ask()).toMatchObject({ decision: "approved", args: { number: 7 } });
      expect(asked.map(({ calls }) => calls)).toMatchObject([[{ number: 1, repeat, args: { number: 7 } }]]);
      // The same question again, as after a restart: its answer is there.
      expect(await ask()).toMatchObject({ decision: "approved" });
      expect(asked).toHaveLength(1);
    }
  });
});

describe("what was approved once", () => {
  it("is used up by the call that was made, and asked for again by the next", async () => {
    const { asked, askPerson } = person({ decision: "approve", scope: "once" });
    const seat = desk().open(run({ askPerson }));
    expect(await seat.ask(call(1), signal)).toMatchObject({ decision: "approved" });
    expect(await seat.ask(call(1), signal)).toMatchObject({ decision: "approved" });
    expect(asked).toHaveLength(1);
    expect(await seat.ask(call(1), signal, 1)).toMatchObject({ decision: "approved" });
    expect(asked).toHaveLength(2);
  });
});

describe("a question that nobody answered in time", () => {
  it("counts as denied for the run that goes on, and is not asked again", async () => {
    const short = createApprovals({
      database: async () => db,
      expiresMs: 300,
      onExpiry: "deny",
      prove,
      command,
    });
    const ask = (id: string) => desk({ approvals: short, holdMs: 1 }).open(run({ id })).ask(call(1), signal);
    expect(await ask("r_1")).toMatchObject({ decision: "waiting" });
    while ((await short.list({ status: "expired" })).length === 0) await setImmediate();
    const denied = { decision: "denied", reason: "nobody answered in time" };
    expect([await ask("r_1"), await ask("r_1")]).toMatchObject([denied, denied]);
    expect(await short.list()).toHaveLength(1);
    // Another run is another matter.
    expect(await ask("r_2")).toMatchObject({ decision: "waiting" });
    short.close();
  });
});

describe("what a person answers", () => {
  it("has more done by it only when it is the answer that holds", async () => {
    const held: string[] = [];
    const asking = (other: boolean) => ({
      channel: "elicitation",
      async ask({ id }: Approval) {
        if (other) await approvals.answer(id, { decision: "deny" }, "somebody else");
        const onHeld = async () => {
          held.push(id);
        };
        return { answer: { decision: "approve", scope: "always" } as const, by: "somebody", onHeld };
      },
    });
    const first = desk().open(run({ askPerson: asking(true) }));
    expect(await first.ask(call(1), signal)).toMatchObject({ decision: "denied" });
    expect(held).toEqual([]);
    const second = desk().open(run({ askPerson: asking(false) }));
    expect(await second.ask(call(2), signal)).toMatchObject({ decision: "approved" });
    expect(held).toHaveLength(1);
  });

  it("is told of and kept later when it can't be written down", async () => {
    db.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON approvals BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    const notices: string[] = [];
    const { askPerson } = person({ decision: "approve", scope: "once" });
    const onNotice = (text: string) => {
      notices.push(text);
      db.exec("DROP TRIGGER full");
    };
    const ruling = await desk({ onNotice, holdMs: 60_000 }).open(run({ askPerson })).ask(call(1), signal);
    expect(ruling).toMatchObject({ decision: "approved" });
    expect(notices).toEqual([expect.stringContaining("the disk is full")]);
  });

  it("is for the calls alone where there are more tools than a question names", async () => {
    const calls = Array.from({ length: 51 }, (_, n) => ({ ...call(n + 1), tool: `send${n}` }));
    const notices: string[] = [];
    const { askPerson } = person({ decision: "approve", scope: "session" });
    const opened = desk({ onNotice: (text) => notices.push(text), holdMs: 300 }).open(run({ askPerson }));
    const rulings = await Promise.all(calls.map((one) => opened.ask(one, signal)));
    expect(new Set(rulings.map(({ decision }) => decision))).toEqual(new Set(["waiting"]));
    expect(notices).toEqual([expect.stringContaining("too many tools")]);
    const [{ id } = { id: "" }] = await approvals.list();
    await approvals.answer(id, { decision: "approve", scope: "once" }, "cli");
    expect(await opened.ask(calls[50] ?? call(0), signal)).toMatchObject({ decision: "approved" });
  });
});

it("a run with more questions than a page holds is not asked again for any of them", async () => {
  db.exec("PRAGMA synchronous = OFF");
  const about = { written: [], approvedBefore: [] };
  const whose = { runId: "r_1", session: "s_1", principal: "local", about };
  for (let number = 1; number <= 1_100; number++) {
    const id = `a_many${number}`;
    await approvals.open({ ...whose, id, calls: [call(number)] });
    await approvals.answer(id, { decision: "approve", scope: "once" }, "cli");
  }
  const { asked, askPerson } = person(undefined);
  const opened = desk().open(run({ askPerson }));
  expect(await opened.ask(call(1_100), signal)).toMatchObject({ decision: "approved" });
  expect(asked).toEqual([]);
  expect(await approvals.list()).toHaveLength(1_100);
});
