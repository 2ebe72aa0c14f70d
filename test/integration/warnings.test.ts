import { join } from "node:path";
import { expect, it } from "vitest";
import { openEngine } from "../fixtures/engine.ts";
import { fixture, onCleanup, tempDir } from "../fixtures/project.ts";

const once = { decision: "approve", scope: "once" } as const;
const approves = {
  channel: "elicitation",
  ask: async () => ({ answer: once, by: "a test" }),
};
/** As many questions as there are calls: each comes when the one before it has been asked. */
const APART = `const all = [];
  for (let to = 0; to < 20; to++) {
    all.push(post.sendMail({ to }));
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return (await Promise.all(all)).length;`;
const TOGETHER = `return (await Promise.all(Array.from({ length: 1_000 }, (_, to) => post.sendMail({ to })))).length`;

it("calls that are held, plans, and runs that share a signal are taken for no leak", {
  timeout: 60_000,
}, async () => {
  const warnings: string[] = [];
  const note = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
  process.on("warning", note);
  onCleanup(async () => void process.off("warning", note));
  const { engine } = await openEngine({ post: fixture("postbox", join(await tempDir(), "sent")) });
  const { signal } = new AbortController();
  const run = (code: string, plan = false) =>
    engine.run({ code, signal, plan, askPerson: approves }).then(({ result }) => result);

  expect(await run(TOGETHER)).toBe(1_000);
  expect(await run(APART)).toBe(20);
  expect(await run(`${TOGETHER} // planned`, true)).toBe(1_000);
  const many = Array.from({ length: 12 }, (_, index) =>
    run(`return (await post.sendMail({})).sent ?? ${index}`),
  );
  expect(await Promise.all(many)).toEqual(many.map((_, index) => index));
  // Told in a later turn.
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});
