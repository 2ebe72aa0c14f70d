import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cancelRun } from "../../src/engine/runs/cancel-run.ts";
import { readRun } from "../../src/engine/runs/runs-of-project.ts";
import type { Approval, ApprovalAnswer } from "../../src/policy/approvals/approval.ts";
import { openEngine } from "../fixtures/engine.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, homeOf, tempDir } from "../fixtures/project.ts";

const once = { decision: "approve", scope: "once" } as const;

async function open(approval: object = {}, config: object = {}) {
  const file = join(await tempDir(), "sent");
  const { engine, opened } = await openEngine(
    { post: fixture("postbox", file) },
    { config: { approval, ...config } },
  );
  const lines = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []);
  return {
    engine,
    opened,
    sent: () => lines(file).map((line) => JSON.parse(line)),
    reads: () => lines(`${file}.reads`),
  };
}

function person(sent: () => unknown[], answer: ApprovalAnswer | undefined = once) {
  const asked: Approval[] = [];
  return {
    asked,
    askPerson: {
      channel: "elicitation",
      async ask(approval: Approval) {
        // Never a write before the answer.
        if (asked.push(approval) === 1) expect(sent()).toEqual([]);
        return answer && { answer, by: "a test" };
      },
    },
  };
}

/** Programs in which no write's result is used: the plan is what is done. */
const PLAIN = [
  `await post.sendMail({ to: "ada" }); return "done";`,
  `const { people } = await post.listPeople({}); for (const to of people) await post.sendMail({ to }); return people.length;`,
  `const { people } = await post.listPeople({}); await Promise.all(people.map((to) => post.sendMail({ to, at: Date.now(), n: Math.random() })));`,
  `await post.sendMail({ to: "ada" }); const { people } = await post.listPeople({}); await post.sendMail({ to: people[1] });`,
  `setTimeout(() => post.sendMail({ to: "late" }), 30); await post.sendMail({ to: "first" });`,
  `async function main() { for (let i = 0; i < 3; i++) { await new Promise((r) => setTimeout(r, 5)); await post.sendMail({ to: i, id: crypto.randomUUID() }); } } main();`,
  `try { await post.sendMail({ to: "ada" }); } finally { console.log("sent"); }`,
  `const seen = []; for (const to of ["a", "b"]) { seen.push(to); await post.sendMail({ to, seen: [...seen] }); }`,
  // A helper, by import, with a reason to send.
  `import { listPeople, sendMail } from "./servers/post";
   const greet = async (to: string) => { if (to.startsWith("b")) return; await sendMail({ to, body: \`Dear \${to}\` }); };
   for (const one of (await listPeople({})).people) await greet(one);`,
  // By the tool's name.
  `const { people } = await callMCPTool("post__list_people", {}); await callMCPTool("post__send_mail", { to: people.at(-1) });`,
  // In batches.
  `const all = Array.from({ length: 7 }, (_, n) => ({ to: "p" + n }));
   for (let at = 0; at < all.length; at += 3) await Promise.all(all.slice(at, at + 3).map((one) => post.sendMail(one)));`,
  // Grouped, sorted and counted.
  `const { people } = await post.listPeople({});
   const groups = new Map<number, string[]>();
   for (const one of people) groups.set(one.length, [...(groups.get(one.length) ?? []), one]);
   for (const [length, names] of [...groups].sort()) await post.sendMail({ to: names, length });`,
  // Several reads between writes.
  `for (let page = 1; page <= 3; page++) { const { people } = await post.listPeople({ page }); await post.sendMail({ to: people[page - 1], page }); }`,
  // A write that may fail, and goes on.
  `const outcome = await Promise.allSettled(["x", "y"].map((to) => post.sendMail({ to }))); console.log(outcome.length);`,
  // Retried where it throws, which it does not.
  `async function tried(make: () => Promise<unknown>) { for (let n = 0; n < 3; n++) try { await make(); return; } catch {} }
   await tried(() => post.sendMail({ to: "ada" })); await tried(() => post.sendMail({ to: "bob" }));`,
  // Out of a file of the workspace that it writes itself.
  `import { readFile, writeFile } from "node:fs/promises";
   await writeFile("./workspace/list.json", JSON.stringify((await post.listPeople({})).people));
   for (const to of JSON.parse(await readFile("./workspace/list.json", "utf8"))) await post.sendMail({ to });`,
  // A generator, and the day on which it began.
  `const on = new Date().toISOString();
   async function* pages() { for (let page = 0; page < 2; page++) yield (await post.listPeople({ page })).people; }
   for await (const people of pages()) await post.sendMail({ to: people[0], on });`,
  // The read decides whether anything is written.
  `const { people } = await post.listPeople({}); if (people.length > 2) await post.sendMail({ to: "boss", count: people.length }); else await post.sendMail({ to: "nobody" });`,
  // A class, and a hash of what is sent.
  `class Letters { sent = 0; async write(to: string) { this.sent++; await post.sendMail({ to, number: this.sent, id: crypto.randomUUID() }); } }
   const letters = new Letters(); for (const to of ["a", "b"]) await letters.write(to); return letters.sent;`,
  // What is written is looked up again: a read after a write that does not see it.
  `await post.sendMail({ to: "ada" }); const { people } = await post.getTime({}); await post.sendMail({ to: people.join() });`,
  // Race of a write and a timer.
  `await Promise.race([post.sendMail({ to: "ada" }), new Promise((done) => setTimeout(done, 5_000))]); await post.sendMail({ to: "bob" });`,
  // In order, by a chain.
  `await ["a", "b", "c"].reduce((before, to) => before.then(() => post.sendMail({ to })), Promise.resolve());`,
];

describe("a plan", () => {
  it("is tried on more than twenty programs", () => {
    expect(PLAIN.length).toBeGreaterThanOrEqual(20);
  });

  it.each(PLAIN)("is what is done, and is one question: %s", async (code) => {
    const { engine, sent } = await open();
    const { asked, askPerson } = person(sent);
    const result = await engine.run({ code, plan: true, askPerson });
    expect(result).toMatchObject({ status: "done" });
    expect(sent().length).toBeGreaterThan(0);
    expect(asked).toHaveLength(1);
    const [{ calls, about } = { calls: [], about: {} }] = asked;
    expect(about).toMatchObject({ plan: {} });
    expect(about).not.toMatchObject({ plan: { guessFrom: expect.anything() } });
    const key = (args: unknown) => JSON.stringify(args);
    expect(sent().map(key).sort()).toEqual(calls.map(({ args }) => key(args)).sort());
  });

  it("makes each read once that came before the first write", async () => {
    const { engine, sent, reads } = await open();
    const code = `const { people } = await post.listPeople({}); await post.sendMail({ to: people[0] });`;
    const result = await engine.run({ code, plan: true, ...person(sent) });
    expect([reads(), result.calls.length]).toEqual([["list_people"], 2]);
  });

  it("that is denied leaves nothing written, and says so", async () => {
    const { engine, sent } = await open();
    const { askPerson } = person(sent, { decision: "deny", reason: "no" });
    const result = await engine.run({ code: PLAIN[1] ?? "", plan: true, askPerson });
    expect(result).toMatchObject({ status: "failed", error: { kind: "denied" } });
    expect([sent(), result.text.includes("a person said no: no")]).toEqual([[], true]);
  });

  it("that nobody answers waits, and the same program goes on with it", async () => {
    const { engine, sent } = await open({ holdMs: 300 });
    const code = PLAIN[1] ?? "";
    const first = await engine.run({ code, plan: true });
    expect([first.status, sent()]).toEqual(["waiting", []]);
    const [pending] = await engine.approvals.list({ status: "pending" });
    expect(pending?.calls).toHaveLength(3);
    await engine.approvals.answer(pending?.id ?? "", once, "a test");
    expect(await engine.run({ code })).toMatchObject({ status: "done", runId: first.runId });
    expect(sent()).toHaveLength(3);
    expect(await engine.approvals.list()).toHaveLength(1);
  });

  it("that nobody has answered is not run when it is sent again", async () => {
    const { engine, opened, sent } = await open({ mode: "plan", holdMs: 150 });
    await engine.run({ code: `require("node:fs").writeFileSync("./workspace/kept.txt", "precious")` });
    const code = `require("node:fs").writeFileSync("./workspace/kept.txt", "other"); await post.sendMail({ to: "ada" });`;
    const file = () => readFileSync(join(opened.dir, "workspace/kept.txt"), "utf8");
    const first = await engine.run({ code });
    const second = await engine.run({ code });
    expect([first, second]).toMatchObject([{ status: "waiting" }, { status: "waiting", runId: first.runId }]);
    expect([file(), sent()]).toEqual(["precious", []]);
    const [plan] = await engine.approvals.list();
    await engine.approvals.answer(plan?.id ?? "", once, "a test");
    expect(await engine.run({ code })).toMatchObject({ status: "done", runId: first.runId });
    expect([file(), sent().length, (await engine.approvals.list()).length]).toEqual(["other", 1, 1]);
  });

  it("says from where on it is a guess, and what turns out otherwise is asked for", async () => {
    const { engine, sent } = await open();
    const { asked, askPerson } = person(sent);
    const code = `const first = await post.sendMail({ to: "ada" }); await post.sendMail({ to: "bob", after: first.at }); return 1;`;
    expect(await engine.run({ code, plan: true, askPerson })).toMatchObject({ status: "done" });
    expect(asked.map(({ calls, about }) => [calls.length, about.plan?.guessFrom])).toEqual([
      [2, 2],
      [1, undefined],
    ]);
    expect(asked.map(({ about }) => about.written.map(({ effect }) => effect))).toEqual([[], ["landed"]]);
    expect(sent()).toHaveLength(2);
  });

  it("has no time after its first write: what is dated then is asked for again", async () => {
    const { engine, sent } = await open();
    const { asked, askPerson } = person(sent);
    const code = `for (const to of ["ada", "bob"]) await post.sendMail({ to, at: Date.now() });`;
    expect(await engine.run({ code, plan: true, askPerson })).toMatchObject({ status: "done" });
    expect(asked.map(({ calls }) => calls.length)).toEqual([2, 1]);
    expect(sent().map(({ to }) => to)).toEqual(["ada", "bob"]);
  });

  it("leaves files as they were, and shows nothing of itself", async () => {
    const { engine, opened, sent } = await open();
    const code = `import { appendFile } from "node:fs/promises";
      console.log("once"); await appendFile("./workspace/log", "x"); await post.sendMail({ to: "ada" }); await appendFile("./workspace/log", "y");`;
    const { askPerson } = person(sent);
    const result = await engine.run({ code, plan: true, askPerson });
    expect(result).toMatchObject({ status: "done" });
    expect(result.logs.filter(({ text }) => text === "once")).toHaveLength(1);
    expect(readFileSync(join(opened.dir, "workspace/log"), "utf8")).toBe("xy");
  });

  it("takes back nothing that others do in the workspace meanwhile, also when the run goes on later", async () => {
    const { engine, opened, sent, reads } = await open({ holdMs: 300 });
    const inWorkspace = (name: string) => join(opened.dir, "workspace", name);
    const read = (name: string) => readFileSync(inWorkspace(name), "utf8");
    const write = (name: string, text: string) =>
      engine.run({
        code: `import { writeFile } from "node:fs/promises"; await writeFile("./workspace/${name}", "${text}");`,
      });
    await write("changed", "before");
    const until = join(await tempDir(), "go");
    const code = `import { appendFile, rm } from "node:fs/promises";
      await appendFile("./workspace/own", "x"); await rm("./workspace/changed");
      await post.listPeople({ until: ${JSON.stringify(until)} }); await post.sendMail({ to: "ada" });`;
    const planned = engine.run({ code, plan: true });
    await expect.poll(reads, { timeout: 20_000 }).toHaveLength(1);
    await write("new", "another's");
    await write("changed", "after");
    writeFileSync(inWorkspace("by-hand"), "the user's");
    writeFileSync(until, "");
    expect(await planned).toMatchObject({ status: "waiting" });
    expect([read("new"), read("changed"), read("by-hand")]).toEqual(["another's", "after", "the user's"]);
    expect(existsSync(inWorkspace("own"))).toBe(false);
    expect(readdirSync(join(opened.dir, ".keyhole/plans"))).toEqual([]);
    const [pending] = await engine.approvals.list({ status: "pending" });
    await engine.approvals.answer(pending?.id ?? "", once, "a test");
    expect(await engine.run({ code })).toMatchObject({ status: "done" });
    expect([read("new"), read("by-hand"), read("own")]).toEqual(["another's", "the user's", "x"]);
    expect([existsSync(inWorkspace("changed")), sent().length]).toEqual([false, 1]);
  });

  it("is not made for programs that only read", async () => {
    const { engine, sent, reads } = await open();
    const { asked, askPerson } = person(sent);
    expect(
      await engine.run({ code: "return (await post.listPeople({})).people", plan: true, askPerson }),
    ).toMatchObject({
      status: "done",
      result: ["ada", "bob", "cyd"],
    });
    expect([asked, reads()]).toEqual([[], ["list_people"]]);
  });

  it("is made for what a rule allows too, where the config asks for plans", async () => {
    const rules = [{ tool: "*", decision: "allow" }];
    const { engine, sent } = await open({ mode: "plan" }, { permissions: { rules } });
    const { asked, askPerson } = person(sent);
    expect(await engine.run({ code: PLAIN[0] ?? "", askPerson })).toMatchObject({ status: "done" });
    expect([asked.length, asked[0]?.calls.length]).toEqual([1, 1]);
  });

  it("is made when the run goes on, though a read in it had to be asked for first", async () => {
    const rules = [
      { tool: "list_people", decision: "ask" },
      { tool: "*", decision: "allow" },
    ];
    const { engine, sent } = await open({ holdMs: 300 }, { permissions: { rules } });
    const code = PLAIN[1] ?? "";
    for (const plan of [true, undefined]) {
      const run = await engine.run({ code, ...(plan === undefined ? {} : { plan }) });
      expect([run.status, sent()]).toEqual(["waiting", []]);
      const [pending] = await engine.approvals.list({ status: "pending" });
      expect([pending?.calls[0]?.tool, pending?.about.plan]).toEqual(
        plan ? ["list_people", undefined] : ["send_mail", {}],
      );
      await engine.approvals.answer(pending?.id ?? "", once, "a test");
    }
    expect(await engine.run({ code })).toMatchObject({ status: "done" });
    expect(sent()).toHaveLength(3);
    expect(await engine.approvals.list()).toHaveLength(2);
  });
});

describe("a plan whose run is ended while a person is asked", () => {
  const WRITES = `await post.sendMail({ to: "ada" }); return 1;`;

  it.each(["its client", "another process"])("is cancelled, and asks nobody any more: by %s", async (by) => {
    const { engine, opened, sent } = await open();
    const home = await homeOf(opened.dir);
    const stop = new AbortController();
    const running = engine.run({ code: WRITES, plan: true, signal: stop.signal });
    await until(async () => (await engine.approvals.list({ status: "pending" })).length > 0, "the question");
    const [question] = await engine.approvals.list();
    const runId = question?.runId ?? "";
    if (by === "its client") stop.abort();
    else await cancelRun(opened.dir, runId, home);
    expect(await running).toMatchObject({ status: "failed", error: { kind: "cancelled" } });
    expect(await engine.approvals.get(question?.id ?? "")).toMatchObject({ status: "withdrawn" });
    expect(await readRun(opened.dir, runId, home)).toMatchObject({ status: "failed", kind: "cancelled" });
    expect(sent()).toEqual([]);
  });
});
