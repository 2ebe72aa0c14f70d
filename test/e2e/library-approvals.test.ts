import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ApprovalRequest,
  createKeyhole,
  type KeyholeOptions,
  type OwnerAnswer,
} from "../../src/index.ts";
import { fixture, onCleanup, tempDir, writeProject } from "../fixtures/project.ts";

const LETTER = 'return (await post.sendMail({ to: "ada" })).sent;';
const TWO = `const sent = await Promise.all(["ada", "bob"].map((to) => post.sendMail({ to })));
  return sent.map(({ sent }) => sent);`;

async function open(options: KeyholeOptions) {
  const file = join(await tempDir(), "sent");
  const notices: string[] = [];
  const keyhole = await createKeyhole({
    poolSize: 0,
    trust: true,
    servers: { post: fixture("postbox", file, "Letters", "to") },
    onNotice: (text) => notices.push(text),
    ...options,
  });
  onCleanup(() => keyhole.close());
  const sent = () =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  return { keyhole, notices, sent };
}

describe("onApproval", () => {
  it("is asked once for calls that are made together, with all there is to know, and its answer holds [library-approval]", async () => {
    const asked: ApprovalRequest[] = [];
    const { keyhole, sent } = await open({
      onApproval: async (approval) => {
        asked.push(approval);
        return { decision: "approve" };
      },
    });
    expect(await keyhole.run(TWO)).toMatchObject({ ok: true, result: ["ada", "bob"] });
    expect(sent()).toEqual([{ to: "ada" }, { to: "bob" }]);
    expect(asked).toMatchObject([
      {
        id: expect.stringMatching(/^a_/),
        status: "pending",
        calls: [
          { server: "post", tool: "send_mail", args: { to: "ada" }, reason: expect.stringMatching(/./) },
          { args: { to: "bob" } },
        ],
        excerpt: expect.stringContaining("post.sendMail"),
        risk: { level: expect.any(String) },
        impact: { modifies: true },
        written: [],
        approvedBefore: [],
      },
    ]);
  });

  it("can hold for a session, change arguments, and deny with a reason [library-approval]", async () => {
    const answers: OwnerAnswer[] = [
      { decision: "approve", edits: { 1: { to: "eve" } } },
      { decision: "deny", reason: "not on a Friday" },
      { decision: "approve", scope: "session" },
    ];
    const { keyhole, sent } = await open({
      onApproval: ({ calls: [call] }) => {
        const answer = answers.shift();
        if (answer === undefined) throw new Error("It was asked again");
        const edits = { [call?.number ?? 0]: { to: "eve" } };
        return answer.decision === "approve" && answer.edits ? { ...answer, edits } : answer;
      },
    });
    expect(await keyhole.run(LETTER)).toMatchObject({ result: "eve" });
    const caught = `try { await post.sendMail({ to: "bob" }) } catch ({ code, message }) { return [code, message] }`;
    expect(await keyhole.run(caught)).toMatchObject({
      result: ["denied", expect.stringContaining("onApproval said no: not on a Friday")],
    });
    expect(await keyhole.run(LETTER)).toMatchObject({ result: "ada" });
    expect(await keyhole.run(TWO)).toMatchObject({ result: ["ada", "bob"] });
    expect(sent()).toEqual([{ to: "eve" }, { to: "ada" }, { to: "ada" }, { to: "bob" }]);
  });

  it.each<[string, () => unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("secret of the host");
      },
      "it threw an error",
    ],
    ["rejects", () => Promise.reject(new Error("secret of the host")), "it threw an error"],
    ["returns nothing", () => undefined, "what it returned is no answer"],
    ["returns true", () => true, "what it returned is no answer"],
    ["returns a text", () => "approve", "what it returned is no answer"],
    ["has another decision", () => ({ decision: "allow" }), "what it returned is no answer"],
    [
      "has a condition that nobody knows",
      () => ({ decision: "approve", if: "weekday" }),
      "what it returned is no answer",
    ],
    ["wants always", () => ({ decision: "approve", scope: "always" }), "what it returned is no answer"],
    [
      "edits another call",
      () => ({ decision: "approve", edits: { 99: {} } }),
      "what it returned is no answer",
    ],
    [
      "edits to what the tool does not take",
      () => ({ decision: "approve", edits: { 1: {} } }),
      "what it returned is no answer",
    ],
    ["edits to no object", () => ({ decision: "approve", edits: { 1: 5 } }), "what it returned is no answer"],
  ])(
    "that %s has said no, and the host is told why [library-approval-fails]",
    async (_name, answer, reason) => {
      const { keyhole, notices, sent } = await open({ onApproval: answer as never });
      const run = await keyhole.run(LETTER);
      expect(run).toMatchObject({ ok: false, error: { kind: "tool_error" } });
      expect(run.error?.message).toContain(`onApproval failed: ${reason}`);
      expect(run.text).not.toContain("secret of the host");
      expect(notices).toEqual([expect.stringMatching(/^onApproval failed, approval a_\w+ is denied: ./)]);
      expect(sent()).toEqual([]);
    },
  );

  it("can't change what is called by changing what it was shown [library-approval-fails]", async () => {
    const { keyhole, sent } = await open({
      onApproval: (approval) => {
        Object.assign(approval.calls[0]?.args ?? {}, { to: "eve" });
        return { decision: "approve" };
      },
    });
    expect(await keyhole.run(LETTER)).toMatchObject({ result: "ada" });
    expect(sent()).toEqual([{ to: "ada" }]);
  });

  it("that never answers leaves the run waiting, and is told by its signal; the same program asks again [library-approval-hangs]", async () => {
    const signals: AbortSignal[] = [];
    let isThere = false;
    const { keyhole, sent } = await open({
      approval: { holdMs: 200 },
      onApproval: (_approval, { signal }) => {
        signals.push(signal);
        return isThere ? { decision: "approve" } : new Promise(() => {});
      },
    });
    const run = await keyhole.run(LETTER);
    expect(run).toMatchObject({ ok: false, status: "waiting", for: [{ kind: "approval" }] });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(sent()).toEqual([]);
    isThere = true;
    expect(await keyhole.run(LETTER)).toMatchObject({ ok: true, runId: run.runId, result: "ada" });
    expect(sent()).toEqual([{ to: "ada" }]);
  });

  it("is told when its run is cancelled or closed, and what it says then changes nothing [library-approval-hangs]", async () => {
    const stop = new AbortController();
    const late: (() => void)[] = [];
    const signals: AbortSignal[] = [];
    const { keyhole, sent } = await open({
      onApproval: (_approval, { signal }) => {
        signals.push(signal);
        setImmediate(() => (signals.length === 1 ? stop.abort() : void keyhole.close()));
        return new Promise((resolve) => late.push(() => resolve({ decision: "approve" })));
      },
    });
    expect(await keyhole.run(LETTER, { signal: stop.signal })).toMatchObject({
      error: { kind: "cancelled" },
    });
    expect(await keyhole.run(TWO)).toMatchObject({ ok: false });
    for (const answer of late) answer();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    await keyhole.close();
    expect(sent()).toEqual([]);
  });
});

describe("without onApproval", () => {
  it("what needs a person is denied at once where nobody could answer, and the way out is told [library-approval-nobody]", async () => {
    const { keyhole, sent } = await open({});
    const { error } = await keyhole.run(LETTER);
    expect(error?.kind).toBe("tool_error");
    expect(`${error?.message} ${error?.hint ?? ""}`).toContain("needs the word of a person");
    expect(JSON.stringify(error)).toContain("onApproval");
    expect(sent()).toEqual([]);
  });
});

describe("permissions, securityLevel and approval", () => {
  const never = { onApproval: () => Promise.reject(new Error("Nobody should be asked")) };

  it("decide as in a config file [library-permissions]", async () => {
    const rules = [
      { server: "post", tool: "send_*", args: { "$.to": { equals: "ada" } }, decision: "allow" },
    ] as const;
    const { keyhole, sent } = await open({ ...never, permissions: { level: "read_only", rules } });
    expect(await keyhole.run(LETTER)).toMatchObject({ result: "ada" });
    expect(await keyhole.run('return await post.sendMail({ to: "bob" });')).toMatchObject({ ok: false });
    expect(sent()).toEqual([{ to: "ada" }]);
    const low = await open({ ...never, securityLevel: "low" });
    expect(await low.keyhole.run(LETTER)).toMatchObject({ result: "ada" });
  });

  it("never make less strict what the project's files say [library-permissions]", async () => {
    const file = join(await tempDir(), "sent");
    const project = await writeProject({
      ".mcp.json": { mcpServers: { post: fixture("postbox", file, "Letters", "to") } },
      "keyhole.config.json": {
        securityLevel: "moderate",
        permissions: { rules: [{ tool: "send_mail", decision: "deny", reason: "by hand only" }] },
        approval: { holdMs: 100, onExpiry: "deny" },
      },
    });
    const { keyhole } = await open({
      ...never,
      project,
      servers: undefined,
      securityLevel: "low",
      permissions: { rules: [{ tool: "*", decision: "allow" }] },
    });
    expect((await keyhole.run(LETTER)).error?.message).toContain("by hand only");
    expect(existsSync(file)).toBe(false);
  });

  it.each<[object, string]>([
    [{ securityLevel: "none" }, 'createKeyhole: key "securityLevel"'],
    [{ permissions: { rules: [{ tool: "x", decision: "maybe" }] } }, 'key "permissions.rules[0].decision"'],
    [
      { permissions: { rules: [{ tool: undefined, decision: "allow" }] } },
      'key "permissions.rules[0].tool" is undefined',
    ],
    [{ approval: { holdMs: -1 } }, 'key "approval.holdMs"'],
    [{ approval: { chanels: [] } }, 'key "approval.chanels"'],
    [{ onApproval: "yes" }, 'key "onApproval" must be a function'],
    [
      { ...never, approval: { channels: ["cli"] } },
      'onApproval is never asked: "approval.channels" has no "library"',
    ],
  ])("are refused when they are wrong: %j [library-permissions]", async (options, message) => {
    await expect(open(options)).rejects.toMatchObject({
      name: "KeyholeError",
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/./),
    });
  });
});
