import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cancelRun } from "../../src/engine/runs/cancel-run.ts";
import { readRun } from "../../src/engine/runs/runs-of-project.ts";
import { createSession } from "../../src/session.ts";
import { eventsOf, only } from "../fixtures/audit/events-of.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { person } from "../fixtures/person.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, homeOf, tempDir } from "../fixtures/project.ts";

const LETTER = `return (await post.sendMail({ to: "ada" })).sent`;
const once = { decision: "approve", scope: "once" } as const;
const resultOf = (runId: string) => `return await runs.result(${JSON.stringify(runId)})`;

async function open(approval: object = {}, answerAfterMs = 2_500) {
  const file = join(await tempDir(), "sent");
  const config = { approval };
  const { engine, opened } = await openEngine({ post: fixture("postbox", file) }, { config, answerAfterMs });
  await engine.run({ code: "return 1" });
  return {
    engine,
    opened,
    sent: () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []),
    pending: () => engine.approvals.list({ status: "pending" }),
    another: async () => (await reopenEngine(opened.dir)).engine,
  };
}

describe("a client that is answered while a person is asked", () => {
  it("is told who is asked and how to answer, by runs.result too", async () => {
    const { engine, pending, sent } = await open();
    const first = await engine.answer({ code: LETTER });
    const [question] = await pending();
    const id = question?.id ?? "";
    expect(first).toMatchObject({ status: "waiting", for: [{ kind: "approval", approvalId: id }] });
    for (const words of ["waits for a person", `keyhole approvals approve ${id}`, resultOf(first.runId)])
      expect(first.text).toContain(words);
    const asked = await engine.run({ code: resultOf(first.runId) });
    expect(asked.result).toMatchObject({
      status: "waiting",
      for: [{ kind: "approval", approvalId: id }],
      hint: expect.stringContaining(`keyhole approvals approve ${id}`),
    });
    await engine.approvals.answer(id, once, "a test");
    const end = await engine.run({ code: resultOf(first.runId) });
    expect([end.result, sent().length]).toMatchObject([{ status: "done", result: "ada" }, 1]);
  });

  it("is told to send the program again by runs.result, once it is held no more", async () => {
    const { engine, pending } = await open({ holdMs: 4_000 });
    const first = await engine.answer({ code: LETTER });
    await until(() => !engine.runs.isAsking(first.runId), "the end of the hold");
    const [question] = await pending();
    expect((await engine.run({ code: resultOf(first.runId) })).result).toMatchObject({
      status: "waiting",
      for: [{ approvalId: question?.id }],
      hint: expect.stringContaining("send exactly the same program again"),
    });
  });
});

describe("a program that is sent again while a person is asked for it", () => {
  it("is answered by the same run, in another session too, and done once", async () => {
    const { engine, pending, sent } = await open();
    const first = await engine.answer({ code: LETTER });
    const session = createSession({ client: { name: "other" } });
    const second = await engine.answer({ code: LETTER, session });
    expect([second.runId, second.status, second.for]).toEqual([first.runId, "waiting", first.for]);
    const third = engine.run({ code: LETTER });
    const questions = await pending();
    expect(questions).toHaveLength(1);
    await engine.approvals.answer(questions[0]?.id ?? "", once, "a test");
    expect(await third).toMatchObject({ status: "done", runId: first.runId, result: "ada" });
    expect((await engine.run({ code: resultOf(first.runId), session })).result).toMatchObject({
      result: "ada",
    });
    const stranger = createSession({ client: { name: "stranger" } });
    expect((await engine.run({ code: resultOf(first.runId), session: stranger })).status).toBe("failed");
    expect(sent()).toHaveLength(1);
  });

  it("has the person at its own end asked, too", async () => {
    const { engine, sent } = await open();
    await engine.answer({ code: LETTER });
    const { asked, askPerson } = person(() => once);
    expect(await engine.run({ code: LETTER, askPerson })).toMatchObject({ status: "done", result: "ada" });
    expect([asked.length, sent().length]).toEqual([1, 1]);
  });

  it("is another program's, or another principal's, run otherwise", async () => {
    const { engine, pending } = await open();
    const first = await engine.answer({ code: LETTER });
    const session = createSession({ principal: "bob", client: { name: "other" } });
    const others = [
      await engine.answer({ code: `${LETTER};` }),
      await engine.answer({ code: LETTER, session }),
    ];
    expect(new Set([first, ...others].map(({ runId }) => runId)).size).toBe(3);
    expect(await pending()).toHaveLength(3);
  });

  it("is told of the run and the question that another process holds", async () => {
    const { engine, another, pending } = await open();
    const first = await engine.answer({ code: LETTER });
    const [question] = await pending();
    const next = await another();
    const sentAgain = next.run({ code: LETTER });
    await expect(sentAgain).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(`${first.runId}.*${question?.id}`),
      hint: expect.stringContaining(`keyhole approvals approve ${question?.id}`),
    });
    expect(await pending()).toHaveLength(1);
  });
});

describe("a run that waits and is cancelled", () => {
  it("has ended, its question is taken back, and its program begins anew", async () => {
    const { engine, opened, pending } = await open({ holdMs: 200 });
    const code = `require("node:fs").writeFileSync("./workspace/a.txt", "a"); ${LETTER}`;
    const first = await engine.run({ code });
    expect(first.status).toBe("waiting");
    const home = await homeOf(opened.dir);
    await cancelRun(opened.dir, first.runId, home);
    expect(await readRun(opened.dir, first.runId, home)).toMatchObject({
      status: "failed",
      kind: "cancelled",
    });
    const events = (await eventsOf(opened.dir)).filter(({ run }) => run === first.runId);
    const [asked] = only(events, "approval.asked");
    const approval = asked?.details.approval;
    expect(only(events, "approval.answered")).toMatchObject([
      { run: first.runId, outcome: "cancelled", details: { approval, status: "withdrawn" } },
    ]);
    expect(only(events, "run.ended")).toMatchObject([
      { run: first.runId, outcome: "waiting" },
      {
        run: first.runId,
        outcome: "cancelled",
        client: asked?.client,
        details: {
          kind: "cancelled",
          code: { hash: only(events, "run.started")[0]?.details.code.hash },
          approvals: [approval],
        },
      },
    ]);
    expect(await pending()).toEqual([]);
    expect(existsSync(join(opened.dir, ".keyhole/kept", first.runId))).toBe(false);
    await expect(cancelRun(opened.dir, first.runId, home)).rejects.toThrow("has ended already");
    const second = await engine.run({ code });
    expect([second.status, second.runId === first.runId]).toEqual(["waiting", false]);
  });
});
