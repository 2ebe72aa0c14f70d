import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRun } from "../../src/engine/runs/runs-of-project.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { toHash } from "../../src/text/hash.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { person } from "../fixtures/person.ts";
import { fixture, homeOf, onCleanup, tempDir } from "../fixtures/project.ts";

const once = { decision: "approve", scope: "once" } as const;

async function open(approval: object = {}) {
  const file = join(await tempDir(), "sent");
  const { engine, opened } = await openEngine({ post: fixture("postbox", file) }, { config: { approval } });
  return {
    engine,
    opened,
    sent: () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []),
    async database() {
      const db = await openSqlite(join(opened.dir, ".keyhole/keyhole.db"));
      onCleanup(() => db.close());
      return db;
    },
    again: async () => (await reopenEngine(opened.dir)).engine,
  };
}

describe("what a failed run tells of its writes", () => {
  it("has their arguments, bounded, and so has the next question; the journal has none", async () => {
    const { engine, opened } = await open();
    const { asked, askPerson } = person(({ calls }) =>
      calls[0]?.args["to"] === "cyd" ? { decision: "deny" } : once,
    );
    const code = `for (const to of ["ada", "bob", "cyd"]) await post.sendMail({ to, text: "x".repeat(5_000) });`;
    const run = await engine.run({ code, askPerson });
    expect(run.ledger).toMatchObject([
      { effect: "landed", arguments: expect.stringContaining('to:"ada"') },
      { effect: "landed", arguments: expect.stringContaining('to:"bob"') },
      { effect: "failed", arguments: expect.stringContaining('to:"cyd"') },
    ]);
    for (const { arguments: line = "" } of run.ledger ?? []) expect(line.length).toBeLessThanOrEqual(300);
    expect(asked[2]?.about.written).toMatchObject([
      { arguments: expect.stringContaining("ada") },
      { arguments: expect.stringContaining("bob") },
    ]);
    const { receipt } = await readRun(opened.dir, run.runId, await homeOf(opened.dir));
    expect(receipt?.["ledger"]).toHaveLength(3);
    expect(JSON.stringify(receipt)).not.toContain("ada");
  });

  it("has the arguments that a person gave them, also when it went on from its record", async () => {
    const { engine, again, sent } = await open({ holdMs: 300 });
    const code = `await post.sendMail({ to: "ada" }); await post.sendMail({ to: "bob" });`;
    const first = await engine.run({ code });
    const [question] = await engine.approvals.list({ status: "pending" });
    const edits = { [String(question?.calls[0]?.number)]: { to: "eve" } };
    await engine.approvals.answer(question?.id ?? "", { ...once, edits }, "a test");
    expect((await engine.run({ code })).ledger).toMatchObject([{ arguments: '{to:"eve"}' }]);
    const { asked, askPerson } = person(() => ({ decision: "deny" }));
    const last = await (await again()).run({ code, askPerson });
    expect([last.runId, last.status]).toEqual([first.runId, "failed"]);
    expect(asked[0]?.about.written).toMatchObject([{ arguments: '{to:"eve"}' }]);
    expect(last.text).toContain('post.sendMail done: {to:"eve"}');
    expect(last.text).toContain('post.sendMail not made: {to:"bob"}');
    expect(last.text).not.toContain('{to:"ada"}');
    expect(sent()).toEqual(['{"to":"eve"}']);
  });

  it("says the arguments that a person gave them at once", async () => {
    const { engine } = await open();
    const { askPerson } = person(({ calls }) => ({
      ...once,
      edits: { [String(calls[0]?.number)]: { to: "eve" } },
    }));
    const { text } = await engine.run({
      code: `await post.sendMail({ to: "ada" }); throw new Error("later")`,
      askPerson,
    });
    expect(text).toContain('post.sendMail done: {to:"eve"}');
    expect(text).not.toContain('{to:"ada"}');
  });

  it("says that nobody knows of a write that was sent, whoever denied to repeat it", async () => {
    const { engine, again, database } = await open({ holdMs: 300 });
    const code = `await post.sendMail({ to: "ada" }); await post.sendMail({ to: "bob" });`;
    const { runId } = await engine.run({ code });
    await engine.close();
    const db = await database();
    // As a host leaves it that was killed after the letter had gone out.
    db.run(
      "INSERT INTO replay_calls (run, number, server, tool, arguments_hash, arguments, is_write, sent, effect) VALUES (?, 1, 'post', 'send_mail', ?, '{to:\"ada\"}', 1, 1, 'unknown')",
      [runId, toHash(JSON.stringify({ to: "ada" }))],
    );
    const { askPerson, asked } = person(() => ({ decision: "deny" }));
    const last = await (await again()).run({ code, askPerson });
    expect(asked[0]?.calls).toMatchObject([{ repeat: 1 }]);
    expect(last.ledger).toMatchObject([{ effect: "unknown" }]);
    expect(last.text).toContain('post.sendMail no answer, may have been done: {to:"ada"}');
  });
});

it("ends a run whose write landed and can't be written down: the program can't do it again", async () => {
  const { engine, database, sent } = await open();
  // Then the store is there.
  await engine.run({ code: "return 1" });
  const db = await database();
  const { askPerson } = person(() => {
    db.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON replay_calls WHEN NEW.effect = 'landed' BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    return { decision: "approve", scope: "run" };
  });
  const code = `for (let tries = 0; tries < 3; tries++)
    try { return await post.sendMail({ to: "ada" }); } catch {}`;
  const run = await engine.run({ code, askPerson });
  expect(run).toMatchObject({ status: "failed", error: { kind: "store_unusable" } });
  expect(run.ledger).toMatchObject([{ effect: "landed" }]);
  expect(sent()).toHaveLength(1);
});
