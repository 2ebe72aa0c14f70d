import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRun } from "../../src/engine/runs/runs-of-project.ts";
import { createSession } from "../../src/session.ts";
import { eventsOf, only } from "../fixtures/audit/events-of.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { person } from "../fixtures/person.ts";
import { fixture, homeOf, tempDir } from "../fixtures/project.ts";
import { fixtureTiers } from "../fixtures/tiers.ts";

/** By their text alone: nothing of it is done. */
const HIGH = "const off = false; if (off) for (const id of [1]) await mailbox.deleteMail({ id }); return 1";
const CRITICAL = `const off = false;
  if (off) for (const id of [1]) { await mailbox.deleteMail({ id }); await fetch("https://a.example"); await callMCPTool(String(id), {}); }
  return 1`;
const ALLOW_ALL = { permissions: { rules: [{ tool: "*", decision: "allow" }] } };

async function open(missing: readonly string[], config: object = {}, user?: object) {
  const fixtures = fixtureTiers(...missing);
  const servers = { mailbox: fixture("mailbox") };
  const { engine, opened } = await openEngine(servers, {
    tiers: fixtures.tiers,
    config: { ...ALLOW_ALL, ...config },
    ...(user && { user }),
  });
  return { ...fixtures, engine, opened };
}

describe("a program runs", () => {
  it("in the process where nothing asks for more, and no other tier is asked or opened", async () => {
    const { engine, seen } = await open([]);
    const run = await engine.run({ code: "return 1" });
    expect(run).toMatchObject({ result: 1, receipt: { tier: { name: "process", by: "level" } }, text: "1" });
    expect([...new Set(seen.asked)]).toEqual(["process"]);
    expect(seen.opened).toEqual(["process"]);
    await engine.close();
    expect(seen.closed).toEqual(["process"]);
  });

  it("in what its risk suggests, each in a sandbox that is opened once and closed", async () => {
    const { engine, seen } = await open([]);
    for (const code of [HIGH, CRITICAL, HIGH])
      expect(await engine.run({ code })).toMatchObject({ result: 1 });
    const [high, critical] = [await engine.run({ code: HIGH }), await engine.run({ code: CRITICAL })];
    expect(high).toMatchObject({
      risk: { level: "high" },
      receipt: { tier: { name: "docker", by: "risk" } },
    });
    expect(critical).toMatchObject({
      risk: { level: "critical" },
      receipt: { tier: { name: "vm", by: "risk" } },
      text: "1",
    });
    expect([...seen.opened].sort()).toEqual(["docker", "process", "vm"]);
    await engine.close();
    expect([...seen.closed].sort()).toEqual(["docker", "process", "vm"]);
  });

  it("in the strongest that there is where the suggested one is missing; a session is told once", async () => {
    const { engine } = await open(["docker", "vm"]);
    const first = await engine.run({ code: CRITICAL });
    expect(first).toMatchObject({
      result: 1,
      receipt: { tier: { name: "process", by: "level", suggested: "vm" } },
      text: '1\n(ran in the tier "process": its risk suggests "vm", which is missing here)',
    });
    const second = await engine.run({ code: HIGH });
    expect(second).toMatchObject({ text: "1", receipt: { tier: { suggested: "docker" } } });
    const session = createSession({ client: { name: "another" } });
    expect((await engine.run({ code: HIGH, session })).text).toContain("suggests");
  });

  it("nowhere where what is demanded is missing: nothing of it runs, and it says what to install", async () => {
    for (const [config, tier] of [
      [{ securityLevel: "high" }, "docker"],
      [{ securityLevel: "maximum" }, "vm"],
      [{ sandboxMode: "vm" }, "vm"],
      [{ sandboxMode: "process", securityLevel: "high" }, "docker"],
    ] as const) {
      const { engine, seen } = await open(["docker", "vm"], config);
      const run = await engine.run({ code: "console.log('ran'); return 1" });
      expect(run).toMatchObject({
        status: "failed",
        logs: [],
        error: { kind: "tier", tier, hint: expect.stringContaining(`Install ${tier}`) },
      });
      expect(run.text).toContain(`No ${tier} here`);
      expect(run.receipt.tier).toBeUndefined();
      expect(seen.opened).toEqual([]);
    }
  });

  it("in what the caller asks for, if that is more than the config demands", async () => {
    const { engine } = await open(["vm"], { sandboxMode: "docker" });
    const tierOf = async (tier: string) => {
      const { receipt, error } = await engine.run({ code: "return 1", tier });
      return receipt.tier ?? error?.kind;
    };
    expect(await tierOf("process")).toEqual({ name: "docker", by: "mode" });
    expect(await tierOf("docker")).toEqual({ name: "docker", by: "option" });
    expect(await tierOf("vm")).toBe("tier");
    expect(await tierOf("__proto__")).toBe("tier");
  });

  it("no lower than the user's own level, whatever a project says", async () => {
    const { engine } = await open([], { sandboxMode: "process" }, { securityLevel: "high" });
    const { receipt } = await engine.run({ code: "return 1" });
    expect(receipt.tier).toEqual({ name: "docker", by: "level" });
  });
});

it("a tier that can't run its language is as good as missing", async () => {
  const { tiers } = fixtureTiers();
  const refusing = {
    ...tiers,
    docker: {
      create: () => {
        throw new Error("It has no such runtime");
      },
      missing: async () => undefined,
    },
  };
  const { engine } = await openEngine({ good: fixture("good") }, { tiers: refusing, config: ALLOW_ALL });
  const asked = await engine.run({ code: "return 1", tier: "docker" });
  expect(asked).toMatchObject({
    error: { kind: "tier", message: expect.stringContaining("no such runtime") },
  });
  expect(await engine.run({ code: "return 1" })).toMatchObject({ result: 1 });
});

describe("commands", () => {
  const config = { ...ALLOW_ALL, commands: { allow: [{ command: "echo", args: ["*"] }] } };
  const code =
    'return await runCommand("echo", ["hi"]).then(({ stdout }) => stdout, ({ code, message }) => [code, message])';

  it("run beside the program, or not at all: none runs in a weaker tier than its program", async () => {
    const { engine } = await open([], config);
    expect(await engine.run({ code })).toMatchObject({ result: "hi\n" });
    expect(await engine.run({ code, tier: "docker" })).toMatchObject({
      receipt: { tier: { name: "docker" } },
      result: ["denied", expect.stringContaining('the tier "docker" runs no commands')],
    });
  });
});

describe("a run that goes on", () => {
  const LETTER = 'const at = Date.now(); await post.sendMail({ to: "ada", at }); return at';
  const config = {
    permissions: { rules: [{ tool: "send_mail", decision: "ask" }] },
    approval: { holdMs: 200, mode: "call" },
  };

  it("does so in the tier in which it began, does the same there, and still tells why there", async () => {
    const file = join(await tempDir(), "sent");
    const servers = { post: fixture("postbox", file) };
    const fixtures = fixtureTiers();
    const { engine, opened } = await openEngine(servers, { tiers: fixtures.tiers, config });
    const { askPerson } = person(() => undefined);
    const waiting = await engine.run({ code: LETTER, tier: "docker", askPerson });
    expect(waiting).toMatchObject({ status: "waiting", receipt: { tier: { name: "docker", by: "option" } } });
    await engine.close();
    await opened.close();

    // Nothing asks for docker any more, and it is missing: nothing is begun, and the run waits on.
    const without = fixtureTiers("docker");
    const later = await reopenEngine(opened.dir, { tiers: without.tiers });
    const refused = await later.engine.run({ code: LETTER });
    expect(refused).toMatchObject({
      runId: waiting.runId,
      error: { kind: "tier", message: expect.stringContaining("the run that it goes on with") },
    });
    const home = await homeOf(opened.dir);
    expect((await readRun(opened.dir, waiting.runId, home)).status).toBe("waiting");

    const [approval] = await later.engine.approvals.list({ runId: waiting.runId });
    await later.engine.approvals.answer(approval?.id ?? "", { decision: "approve", scope: "once" }, "a test");
    await later.engine.close();
    await later.opened.close();

    const there = fixtureTiers();
    const last = await reopenEngine(opened.dir, { tiers: there.tiers });
    const done = await last.engine.run({ code: LETTER });
    expect(done).toMatchObject({
      status: "done",
      runId: waiting.runId,
      receipt: { tier: { name: "docker", by: "resume", first: "option" } },
    });
  });
});

it("the audit log and the journal say where each ran, and why there", async () => {
  const { engine, opened } = await open(["vm"]);
  const plain = await engine.run({ code: "return 1" });
  const risky = await engine.run({ code: HIGH });
  const fallen = await engine.run({ code: CRITICAL });
  const refused = await engine.run({ code: "return 1", tier: "vm" });
  const home = await homeOf(opened.dir);
  await engine.close();
  expect((await readRun(opened.dir, fallen.runId, home)).receipt).toMatchObject({
    tier: { name: "docker", by: "risk", suggested: "vm" },
  });
  await opened.close();
  const events = await eventsOf(opened.dir);
  const of = (id: string) => ({
    started: only(events, "run.started").find(({ run }) => run === id)?.details,
    placed: only(events, "run.placed").find(({ run }) => run === id)?.details,
    ended: only(events, "run.ended").find(({ run }) => run === id)?.details,
  });
  const least = { tier: "process", tierBy: "level" };
  expect(of(plain.runId)).toMatchObject({ started: least, placed: undefined, ended: least });
  const raised = { tier: "docker", tierBy: "risk" };
  expect(of(risky.runId)).toMatchObject({ started: least, placed: raised, ended: raised });
  const fell = { ...raised, suggestedTier: "vm" };
  expect(of(fallen.runId)).toMatchObject({ placed: fell, ended: fell });
  expect(of(refused.runId)).toMatchObject({
    started: { tier: "vm", tierBy: "option" },
    placed: undefined,
    ended: { tier: "none", kind: "tier", status: "failed" },
  });
});
