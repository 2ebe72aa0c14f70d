import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import { NO_LEARNER } from "../../catalog/observed/learner.ts";
import { KeyholeError } from "../../errors.ts";
import { createReceiptBook } from "../../result/receipt.ts";
import { createSession } from "../../session.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";
import { loadTokenCounter } from "../../tokens/tokens.ts";
import type { EndedCall, StartedCall } from "../recorder.ts";
import { createRun } from "../run/run-record.ts";
import { type CallResult, type NextStage, toCall } from "./call.ts";
import { deadline } from "./deadline.ts";
import { createLearn } from "./learn.ts";
import { notices } from "./notices.ts";
import { createRecord } from "./record.ts";

const tool = toolRecord({ server: "shop", name: "list" });
const { name, identifiers, folder } = serverRecord("shop", [tool]);
const server: CatalogEntry = { name, identifiers, folder, status: "ready", warnings: [], changes: [] };
const session = createSession({ client: { name: "test" } });

async function callOf({ timeoutMs, signal }: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const book = createReceiptBook(await loadTokenCounter(), () => 0);
  const request = { code: "", session };
  const run = createRun({ id: "r_1", request, signal: new AbortController().signal, book, tell: () => {} });
  const call = toCall({
    run,
    session,
    server,
    tool,
    args: { page: 1 },
    timeoutMs,
    signal: signal ?? new AbortController().signal,
  });
  return { call, run, receipt: () => book.finish({ code: "", text: "", phasesMs: {} }) };
}

function answer(result: Partial<CallResult>): NextStage {
  return async (call) => {
    call.trace.isSent = true;
    const from = { server: call.server.name, tool: call.tool.name, callId: call.id };
    return { value: null, content: [], ...result, from };
  };
}

const never: NextStage = ({ signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));

describe("record", () => {
  function recorder() {
    const told: (StartedCall | EndedCall | string)[] = [];
    return {
      told,
      stage: createRecord({ callStarted: (call) => told.push(call), callEnded: (call) => told.push(call) }),
    };
  }

  it("tells of a call before it goes on, and of its end before it comes back", async () => {
    const { told, stage } = recorder();
    const { call, run, receipt } = await callOf();
    const content = [{ type: "text", text: "héllo" }];
    await stage(call, (one) => {
      told.push("next");
      return answer({ value: "héllo", content })(one);
    });
    expect(told).toMatchObject([
      { id: call.id, runId: run.id, server: "shop", tool: "list", argumentsText: '{"page":1}' },
      "next",
      { id: call.id, ok: true, resultText: "héllo", resultBytes: 6 },
    ]);
    expect([run.calls.length, receipt().calls]).toEqual([1, 1]);
  });

  it("does not look at an answer that the host hands on unread", async () => {
    const { told, stage } = recorder();
    const { call } = await callOf();
    const large = { text: "[1]", sample: [1], outline: [1], mediaBlocks: 0 };
    await stage(call, answer({ value: new UnparsedJson(Buffer.from("[1,2]")), large }));
    expect(told[1]).toMatchObject({ ok: true, resultBytes: 5 });
    expect(told[1]).not.toHaveProperty("resultText");
  });

  it("tells why a call failed; of one that was not sent the receipt knows nothing", async () => {
    const { told, stage } = recorder();
    const { call, run, receipt } = await callOf();
    const denied = new KeyholeError("denied", "No");
    await expect(stage(call, () => Promise.reject(denied))).rejects.toBe(denied);
    expect(told[1]).toMatchObject({ id: call.id, ok: false, code: "denied", resultBytes: 0 });
    expect([run.calls.length, receipt().calls]).toEqual([1, 0]);
  });

  it("takes any failure for one of ours", async () => {
    const { told, stage } = recorder();
    const { call } = await callOf();
    await expect(stage(call, () => Promise.reject(new Error("odd")))).rejects.toBeInstanceOf(KeyholeError);
    expect(told[1]).toMatchObject({ code: "internal" });
  });
});

describe("deadline", () => {
  it("hands on a call without a limit as it is", async () => {
    const { call } = await callOf();
    const seen: unknown[] = [];
    await deadline(call, (one) => {
      seen.push(one);
      return answer({})(one);
    });
    expect(seen).toEqual([call]);
    expect(seen[0]).toBe(call);
  });

  it("ends a call that takes longer, and tells whoever makes it", async () => {
    const { call } = await callOf({ timeoutMs: 5 });
    let isEnded = false;
    const slow: NextStage = (one) => {
      one.signal.addEventListener("abort", () => {
        isEnded = true;
      });
      return never(one);
    };
    await expect(deadline(call, slow)).rejects.toMatchObject({
      code: "timeout",
      server: "shop",
      tool: "list",
    });
    expect(isEnded).toBe(true);
  });

  it("keeps the call's own signal, and waits longer for the server than for itself", async () => {
    const stop = new AbortController();
    const { call } = await callOf({ timeoutMs: 60_000, signal: stop.signal });
    const ending = deadline(call, (one) => {
      expect(one.timeoutMs).toBeGreaterThan(60_000);
      expect(one.trace).toBe(call.trace);
      return never(one);
    });
    stop.abort();
    await expect(ending).rejects.toThrow("aborted");
  });
});

it("notices tell once of a number that JSON does not have", async () => {
  const { call, run } = await callOf();
  for (const notANumber of ["NaN", "Infinity"]) await notices(call, answer({ notANumber }));
  expect(run.logs).toMatchObject([
    { level: "warn", text: expect.stringContaining("sent NaN, read as null") },
  ]);
});

describe("learn", () => {
  it("looks at what came back, of a large one at a part", async () => {
    const seen: unknown[] = [];
    const learn = createLearn({ ...NO_LEARNER, observe: (key, value) => seen.push([key.tool, value]) });
    const { call } = await callOf();
    const undeclared = { ...call, tool: { ...tool, outputSchema: undefined } };
    await learn(undeclared, answer({ value: { a: 1 } }));
    const large = { text: "", sample: [1], outline: [], mediaBlocks: 0 };
    await learn(undeclared, answer({ value: new UnparsedJson(Buffer.from("[1,2]")), large }));
    expect(seen).toEqual([
      ["list", { a: 1 }],
      ["list", [1]],
    ]);
  });

  it("learns nothing from a failure", async () => {
    const learn = createLearn({ ...NO_LEARNER, observe: () => expect.unreachable() });
    const { call } = await callOf();
    await expect(learn(call, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });
});
