import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openEngine } from "../fixtures/engine.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, tempDir } from "../fixtures/project.ts";

const RUNS = 5;
const CALLS = 200;

/** Each call comes when those before it have been asked: as a question of its own, but where the machine is slow. */
const toProgram = (run: number) => `const calls = [];
  for (let number = 0; number < ${CALLS}; number++) {
    calls.push(post.sendMail({ to: "${run}-" + number }));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return (await Promise.all(calls)).map(({ sent }) => sent);`;

it("a thousand calls wait at once; each question is answered once and each call made once, though two people answer all of them", async () => {
  const file = join(await tempDir(), "sent");
  const config = { approval: { mode: "call", holdMs: 600_000 }, maxExecutionTime: 600_000 };
  const { engine } = await openEngine(
    { post: { ...fixture("postbox", file), maxConcurrency: 50 } },
    { config, maxConcurrentTasks: RUNS },
  );
  const programs = Array.from({ length: RUNS }, (_, run) => run);
  const runs = programs.map((run) => engine.run({ code: toProgram(run) }));
  const asked = new Map<string, number>();
  await until(async () => {
    for (const { id, calls } of await engine.approvals.list({ status: "pending" }))
      asked.set(id, calls.length);
    const waiting = [...asked.values()].reduce((sum, calls) => sum + calls, 0);
    return waiting === RUNS * CALLS || undefined;
  }, "all questions");
  expect(await engine.approvals.list({ status: "pending" })).toHaveLength(asked.size);
  const answers = await Promise.allSettled(
    [...asked.keys()].flatMap((id) =>
      ["ann", "ben"].map((by) => engine.approvals.answer(id, { decision: "approve", scope: "once" }, by)),
    ),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(asked.size);
  const expected = programs.map((run) => Array.from({ length: CALLS }, (_, number) => `${run}-${number}`));
  expect((await Promise.all(runs)).map((run) => run.ok && run.result)).toEqual(expected);
  const sent = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  expect(sent.map((line) => JSON.parse(line).to).sort()).toEqual(expected.flat().sort());
}, 180_000);
