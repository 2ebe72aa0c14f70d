import { describe, expect, it } from "vitest";
import { KeyholeError } from "../../errors.ts";
import { type PiiFact, WithFacts } from "../../text/with-facts.ts";
import { SANDBOX_LIMITS } from "../limits.ts";
import type { Host, Program } from "../sandbox.ts";
import { createGuestCalls } from "./guest-calls.ts";
import type { Verdict } from "./guest-words.ts";
import { createLedger } from "./ledger.ts";
import { FRAME } from "./protocol.ts";
import { createHostTurns } from "./turns.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A program's frames, as hostile as they may be, and what its host makes of them. */
function conversation(host: Host, facts?: Program["facts"]) {
  const sent: [type: number, id: number, payload: unknown][] = [];
  const broken: Verdict[] = [];
  const ledger = createLedger();
  const calls = createGuestCalls({
    host,
    limits: SANDBOX_LIMITS,
    account: ledger.open(SANDBOX_LIMITS.heldBytes),
    turn: createHostTurns().join(() => {
      while (calls.startNext());
      return false;
    }),
    facts,
    canAnswer: () => true,
    send: (type, id, payload) => sent.push([type, id, JSON.parse(String(payload))]),
    onWaiting: () => {},
    onBroken: (verdict) => broken.push(verdict),
  });
  let id = 0;
  return {
    sent,
    broken,
    ledger,
    calls,
    async say(type: number, text: string) {
      const verdict = calls.receive(type, ++id, Buffer.from(text));
      if (verdict) broken.push(verdict);
      while (calls.startNext());
      await turn();
    },
  };
}

function recording() {
  const heard: unknown[] = [];
  const host: Host = {
    callTool: async (server, tool, args) => heard.push(["tool", server, tool, args]),
    callOwn: async (tool, args) => heard.push(["own", tool, args]),
  };
  return { heard, host };
}

describe("the calls of a program", () => {
  it("are a server's or Keyhole's own by their frame, never by their names", async () => {
    const { heard, host } = recording();
    const { say, broken } = conversation(host);
    await say(FRAME.call, '["keyhole","searchTools",{}]');
    await say(FRAME.ownCall, '["searchTools",{"__proto__":{"x":1},"query":"y"}]');
    await say(FRAME.ownCall, '["__proto__",[["github"]]]');
    await say(FRAME.ownCall, '["github__create_issue",null]');
    expect(broken).toEqual([]);
    expect(heard).toEqual([
      ["tool", "keyhole", "searchTools", {}],
      ["own", "searchTools", { query: "y" }],
      ["own", "__proto__", [["github"]]],
      ["own", "github__create_issue", null],
    ]);
  });

  it.each([
    [FRAME.call, '["","searchTools",{}]'],
    [FRAME.call, '["searchTools",{}]'],
    [FRAME.call, '[["github"],"x",{}]'],
    // Names that are not where a queue is looked for by them: such a call would wait in none.
    [FRAME.call, '[ "github","x",{}]'],
    [FRAME.call, '["github", "x",{}]'],
    [FRAME.call, ' ["github","x",{}]'],
    [FRAME.call, '["github"\n,"x",{}]'],
    [FRAME.ownCall, '["github","createIssue",{}]'],
    [FRAME.ownCall, '[["searchTools"],{}]'],
    [FRAME.ownCall, '{"0":"searchTools","1":{},"length":2}'],
    [FRAME.ownCall, ""],
  ])("end it when frame %i is %j", async (type, text) => {
    const { heard, host } = recording();
    const { say, broken } = conversation(host);
    await say(type, text);
    expect(heard).toEqual([]);
    expect(broken).toMatchObject([{ ok: false, error: { kind: "protocol" } }]);
  });

  it.each(["a", "gét-\\u0041", '\\"quoted\\"', "\\\\", "x".repeat(512), "\\ud83d\\ude00"])(
    "wait in the queue of their server however its name is written: %j",
    async (name) => {
      const asked: unknown[] = [];
      const { heard, host } = recording();
      const { say, broken } = conversation({
        ...host,
        queueOf(...names) {
          asked.push(names);
          return undefined;
        },
      });
      await say(FRAME.call, `["${name}","${name}",{}]`);
      const plain = JSON.parse(`"${name}"`);
      expect(broken).toEqual([]);
      expect(asked).toEqual([[plain, plain]]);
      expect(heard).toEqual([["tool", plain, plain, {}]]);
    },
  );

  it("fail with a code where the host has no tools of its own", async () => {
    const { say, sent } = conversation({ callTool: async () => null });
    await say(FRAME.ownCall, '["searchTools",{}]');
    expect(sent).toEqual([
      [FRAME.failure, 1, { message: 'There is no "searchTools" here', code: "tool_unknown" }],
    ]);
  });

  it.each([
    ["denied", "denied"],
    ["waiting", "waiting"],
    ["usage", "bad_arguments"],
    ["too_large", "limit"],
  ] as const)("that the host ends with %s have the code %s", async (code, expected) => {
    const { say, sent } = conversation({ callTool: () => Promise.reject(new KeyholeError(code, "Why")) });
    await say(FRAME.call, '["a","b",{}]');
    expect(sent).toEqual([[FRAME.failure, 1, { message: "Why", code: expected }]]);
  });

  it("leave nothing held when all are answered, and none that waits when the program has ended", async () => {
    const ends: (() => void)[] = [];
    const { say, ledger, calls } = conversation({
      callTool: () => new Promise<void>((resolve) => ends.push(resolve)),
    });
    for (let n = 0; n < 20; n++) await say(FRAME.call, `["a","b",{"n":${n}}]`);
    expect(ends).toHaveLength(8);
    for (const end of ends) {
      end();
      await turn();
    }
    expect(ends).toHaveLength(20);
    expect(ledger.heldBytes).toBe(0);
    for (let n = 0; n < 20; n++) await say(FRAME.call, `["a","b",{"n":${n}}]`);
    calls.end();
    for (const end of ends) end();
    await turn();
    expect(ends).toHaveLength(28);
  });
});

describe("facts of personal values in a result", () => {
  const FACTS: readonly PiiFact[] = [["[EMAIL_1]", "v1", { domain: "corp.example" }]];
  const host: Host = { callTool: async () => new WithFacts({ email: "[EMAIL_1]" }, FACTS) };
  const result = [FRAME.result, 1, { email: "[EMAIL_1]" }];

  it("are sent right before it, to a program that was started with some", async () => {
    const { say, sent } = conversation(host, []);
    await say(FRAME.call, '["crm","list",{}]');
    expect(sent).toEqual([[FRAME.facts, 1, FACTS], result]);
  });

  it("are names alone where the program is denied them, and none where it has no use for them", async () => {
    const denied = conversation(host, "denied");
    await denied.say(FRAME.call, '["crm","list",{}]');
    expect(denied.sent).toEqual([[FRAME.facts, 1, [["[EMAIL_1]", "v1", {}]]], result]);
    const plain = conversation(host);
    await plain.say(FRAME.call, '["crm","list",{}]');
    expect(plain.sent).toEqual([result]);
  });

  it("are not sent of a call that was cancelled", async () => {
    const { say, calls, sent } = conversation(
      { callTool: () => turn().then(host.callTool as () => unknown) },
      [],
    );
    await Promise.all([say(FRAME.call, '["crm","list",{},null]'), calls.cancel(1)]);
    await turn();
    await turn();
    expect(sent).toEqual([]);
  });
});
