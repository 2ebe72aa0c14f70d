import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { permissionsSchema } from "../../src/config/permissions/schema.ts";
import { toAlwaysRules } from "../../src/engine/approvals/always-rule.ts";
import { WRITING_COMMAND } from "../../src/engine/own-tools/commands/command-record.ts";
import type { Approval, ApprovalAnswer } from "../../src/policy/approvals/approval.ts";
import { createPolicy } from "../../src/policy/permissions/policy.ts";
import { openEngine } from "../fixtures/engine.ts";
import { person } from "../fixtures/person.ts";
import { fixture, tempDir } from "../fixtures/project.ts";

const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
const suite = hasBubblewrap ? describe : describe.skip;

const ALLOW = [
  { command: "touch", args: ["*"] },
  { command: "cp", args: ["*"] },
  { command: "sleep", args: ["*"] },
  { command: "wc", args: ["*"], readOnly: true },
];
const ASK = [{ server: "keyhole", tool: "runCommand", decision: "ask", reason: "by my word" }];
/** Programs that run many commands are planned otherwise. */
const CALL_BY_CALL = { approval: { mode: "call" } };
const once = { decision: "approve", scope: "once" } as const;

type Answering = (approval: Approval) => ApprovalAnswer | undefined;

async function open(config: object = {}, answer: Answering = () => once) {
  const file = join(await tempDir(), "sent");
  const { engine, opened } = await openEngine(
    { post: fixture("postbox", file) },
    { config: { commands: { allow: ALLOW }, permissions: { rules: ASK }, ...config } },
  );
  const { asked, askPerson } = person(answer);
  return {
    engine,
    asked,
    run: (code: string) => engine.run({ code, askPerson }),
    has: (name: string) => existsSync(join(opened.dir, "workspace", name)),
    reads: () =>
      existsSync(`${file}.reads`) ? readFileSync(`${file}.reads`, "utf8").trim().split("\n") : [],
  };
}

suite("a command that needs a person", () => {
  it("is asked for with its command line, and run when it was approved", async () => {
    const { run, asked, has } = await open();
    const made = await run('return (await runCommand("touch", ["a b.txt"])).code');
    expect(made).toMatchObject({ ok: true, result: 0 });
    expect(has("a b.txt")).toBe(true);
    expect(asked).toMatchObject([
      {
        calls: [
          {
            server: "keyhole",
            tool: "runCommand",
            args: { command: "touch", args: ["a b.txt"] },
            reason: expect.stringContaining("by my word"),
          },
        ],
        about: { excerpt: expect.stringContaining("runCommand"), written: [] },
      },
    ]);
  });

  it("is one question with others, and with calls, that are made together", async () => {
    const { run, asked } = await open();
    const code = `return (await Promise.all([
      runCommand("touch", ["a"]), runCommand("touch", ["b"]), post.sendMail({ to: "ada" })])).length`;
    expect(await run(code)).toMatchObject({ result: 3 });
    expect(asked.map(({ calls }) => calls.map(({ tool }) => tool))).toEqual([
      ["runCommand", "runCommand", "send_mail"],
    ]);
  });

  it.each(["run", "session"] as const)(
    "is approved for the %s by its command's name alone",
    async (scope) => {
      const { run, asked } = await open(CALL_BY_CALL, () => ({ decision: "approve", scope }));
      const code = `for (const name of ["a", "b"]) await runCommand("touch", [name]);
      await runCommand("cp", ["a", "c"]); await runCommand("wc", ["-c", "a"]); return "all"`;
      expect(await run(code)).toMatchObject({ result: "all" });
      expect(asked.map(({ calls: [call] }) => call?.args["command"])).toEqual(["touch", "cp", "wc"]);
      await run('await runCommand("touch", ["d"]);');
      expect(asked).toHaveLength(scope === "session" ? 3 : 4);
    },
  );

  it("is denied with the reason, and does nothing", async () => {
    const { run, has } = await open({}, () => ({ decision: "deny", reason: "not today" }));
    const code = `try { await runCommand("touch", ["a"]) } catch ({ code, message }) { return [code, message] }`;
    expect(await run(code)).toMatchObject({ result: ["denied", expect.stringContaining("not today")] });
    expect(has("a")).toBe(false);
  });

  it("is run with the arguments that a person changed, if the list has them", async () => {
    const edits: Record<string, unknown>[] = [
      { command: "touch", args: ["b"] },
      { command: "rm", args: ["b"] },
      { command: "touch", args: ["c"], cwd: "../.." },
    ];
    const { run, has } = await open({}, ({ calls: [call] }) => ({
      ...once,
      edits: { [call?.number ?? 0]: edits.shift() ?? {} },
    }));
    expect(await run('return (await runCommand("touch", ["a"])).code')).toMatchObject({ result: 0 });
    expect([has("a"), has("b")]).toEqual([false, true]);
    for (const _ of [1, 2])
      expect(await run('return (await runCommand("touch", ["a"])).code')).toMatchObject({ ok: false });
    expect([has("b"), has("c")]).toEqual([true, false]);
  });

  it("that only reads does not become one that writes by what a person changed", async () => {
    const { run, has } = await open({}, ({ calls: [call] }) => ({
      ...once,
      edits: { [call?.number ?? 0]: { command: "touch", args: ["a"] } },
    }));
    expect(await run('return (await runCommand("wc", ["-c", "x"])).code')).toMatchObject({ ok: false });
    expect(has("a")).toBe(false);
  });

  it("waits, and the same program goes on with it: nothing that was done is done again", async () => {
    let isThere = false;
    const { run, has, engine, reads } = await open({ approval: { holdMs: 150 } }, () =>
      isThere ? once : undefined,
    );
    const code = `const { people } = await post.listPeople({});
      const { code } = await runCommand("touch", [people[0]]); return [code, people.length]`;
    const waits = await run(code);
    expect(waits).toMatchObject({ status: "waiting", for: [{ kind: "approval" }] });
    expect(has("ada")).toBe(false);
    const [pending] = await engine.approvals.list({ status: "pending" });
    await engine.approvals.answer(pending?.id ?? "", once, "another test");
    isThere = true;
    expect(await run(code)).toMatchObject({ ok: true, runId: waits.runId, result: [0, 3] });
    expect(has("ada")).toBe(true);
    expect(reads()).toHaveLength(1);
  });

  it("that only read is answered from the record when its run goes on", async () => {
    const isAsked = ({ calls: [call] }: Approval) => (call?.server === "keyhole" ? once : undefined);
    const { run, engine, asked } = await open({ approval: { holdMs: 150 } }, isAsked);
    const code = `const { stdout } = await runCommand("wc", ["-c"], { input: "four" });
      return [stdout.trim(), (await post.sendMail({ to: "ada" })).sent]`;
    const waits = await run(code);
    expect(waits).toMatchObject({ status: "waiting" });
    const [pending] = await engine.approvals.list({ status: "pending" });
    await engine.approvals.answer(pending?.id ?? "", once, "another test");
    expect(await run(code)).toMatchObject({ ok: true, runId: waits.runId, result: ["4", "ada"] });
    expect(asked.filter(({ calls }) => calls[0]?.server === "keyhole")).toHaveLength(1);
  });

  it("that wrote is in the ledger, and its run is told why it can't be left to wait", async () => {
    const isAsked = ({ calls: [call] }: Approval) => (call?.server === "keyhole" ? once : undefined);
    const { run, asked } = await open({ approval: { holdMs: 150 } }, isAsked);
    const waits = await run('await runCommand("touch", ["a"]); return await post.sendMail({ to: "ada" })');
    expect(waits).toMatchObject({
      status: "failed",
      ledger: [
        { server: "keyhole", tool: "runCommand", effect: "landed" },
        { tool: "send_mail", effect: "failed" },
      ],
    });
    expect(waits.text).toContain("it ran a command that can write in ./workspace");
    expect(asked.at(-1)?.about.written).toMatchObject([{ tool: "runCommand", effect: "landed" }]);
  });

  it("has its outcome in the ledger of a run that failed: done, not done, or nobody knows", async () => {
    const { run } = await open(CALL_BY_CALL, ({ calls: [call] }) =>
      call?.args["command"] === "cp" ? { decision: "deny" } : once,
    );
    const failed = await run(`await runCommand("touch", ["a"]);
      await runCommand("cp", ["a", "b"]).catch(() => {});
      await runCommand("sleep", ["100"], { timeoutMs: 100 });
      await runCommand("wc", ["-c", "a"]);
      throw new Error("it went wrong")`);
    expect(failed).toMatchObject({ ok: false, error: { kind: "exception" } });
    expect(failed.ledger?.map(({ effect }) => effect)).toEqual(["landed", "failed", "unknown"]);
  });

  it("is on the plan, and not run before the answer to that", async () => {
    const seen: boolean[] = [];
    const { run, asked, has, engine } = await open({ approval: { mode: "plan" } }, () => {
      seen.push(has("a"));
      return once;
    });
    const code = `const { code, stdout } = await runCommand("touch", ["a"]);
      const bytes = await runCommand("touch", ["b"], { encoding: "buffer" });
      return [code, typeof stdout, bytes.stdout instanceof Uint8Array]`;
    expect(await run(code)).toMatchObject({ ok: true, result: [0, "string", true] });
    expect(seen).toEqual([false]);
    expect(has("a") && has("b")).toBe(true);
    expect(asked).toMatchObject([
      { about: { plan: {} }, calls: [{ tool: "runCommand" }, { tool: "runCommand" }] },
    ]);
    // Commands are no calls of servers' tools.
    expect((await engine.stats()).calls).toBe(0);
  });

  it("can be allowed for always: this command line, and no other", async () => {
    const { run, asked } = await open();
    await run('await runCommand("touch", ["a", "b"]);');
    const made = toAlwaysRules({ calls: asked[0]?.calls ?? [] }, () => undefined);
    if (!("rules" in made)) throw new Error(made.reason);
    const permissions = permissionsSchema.parse({ rules: [...made.rules, ...ASK] });
    const policy = createPolicy([{ file: "test", permissions }]);
    const decide = (args: object) =>
      policy.decide({
        tool: WRITING_COMMAND,
        args: { ...args },
        principal: "local",
        session: "s",
        client: "c",
        now: new Date(),
      }).decision;
    expect(decide({ command: "touch", args: ["a", "b"] })).toBe("allow");
    for (const other of [
      { command: "touch", args: ["a", "c"] },
      { command: "touch", args: ["a"] },
      { command: "touch", args: ["a", "b", "--reference=x"] },
      { command: "touch", args: ["a", "b"], cwd: "x" },
      { command: "touch", args: ["a", "b"], input: "x" },
      { command: "cp", args: ["a", "b"] },
    ])
      expect(decide(other), JSON.stringify(other)).toBe("ask");
  });
});
