import { describe, expect, it } from "vitest";
import { makeDay } from "../../../test/fixtures/audit/make-day.ts";
import { makeEvents } from "../../../test/fixtures/audit/make-events.ts";
import type { TokenUse } from "../event.ts";
import { createMeter, METER_GROUPINGS, type MeteredRun, type MeterGrouping } from "./meter.ts";
import { meterEvent } from "./metered-events.ts";
import { loadPrices } from "./prices.ts";

const prices = await loadPrices();
const AT = Date.UTC(2026, 10, 16, 12);
const DAY_MS = 24 * 60 * 60 * 1000;
const usage: TokenUse = {
  seenTokens: 100,
  codeTokens: 40,
  keptTokens: 500,
  directTokens: 1_600,
  catalogTokens: 1_000,
};
const run = (over: Partial<MeteredRun> = {}): MeteredRun => ({
  id: "r1",
  at: AT,
  session: "s1",
  principal: "ana",
  status: "done",
  usage,
  ...over,
});
const metered = (by: MeterGrouping, runs: readonly MeteredRun[], model?: string) => {
  const meter = createMeter({ by, prices, model });
  for (const one of runs) meter.addRun(one);
  return meter.result();
};

describe("the meter", () => {
  it("counts the catalogue once in each session, whatever the groups are", () => {
    const runs = [
      run({ id: "a" }),
      run({ id: "b", at: AT + DAY_MS, principal: "ben" }),
      // The catalogue has grown meanwhile.
      run({ id: "c", at: AT + DAY_MS, usage: { ...usage, catalogTokens: 1_200, directTokens: 1_800 } }),
      run({ id: "d", session: "s2" }),
    ];
    for (const by of METER_GROUPINGS) {
      const { total, groups } = metered(by, runs);
      expect(total).toMatchObject({
        runs: 4,
        tokens: { seen: 400, kept: 2_000, direct: 4 * 600 + 1_200 + 1_000 },
      });
      if (by === "server" || by === "tool") continue;
      const sum = groups.reduce((direct, { tokens }) => direct + tokens.direct, 0);
      expect(sum, by).toBe(total.tokens.direct);
    }
    expect(metered("day", runs).groups.map(({ key, runs: n, tokens }) => [key, n, tokens.direct])).toEqual([
      ["2026-11-16", 2, 3_200],
      ["2026-11-17", 2, 600 + 800],
    ]);
  });

  it("prices what the model wrote as output, what it read as input, and the direct way as input", () => {
    const { total, pricesOf } = metered("model", [run({ model: "claude-opus-5-5-20260922" })]);
    const seen = (40 * 20 + 60 * 4) / 1e6;
    expect(total.dollars?.seen).toBeCloseTo(seen, 12);
    expect(total.dollars?.direct).toBeCloseTo((1_600 * 4) / 1e6, 12);
    expect(total.dollars?.avoided).toBeCloseTo((1_600 * 4) / 1e6 - seen, 12);
    expect(pricesOf).toBe(prices.date);
  });

  it("takes all that was seen as output where nobody knows what was written", () => {
    const { codeTokens: _, ...unsplit } = usage;
    const { total } = metered("day", [run({ model: "claude-opus-5-5", usage: unsplit })]);
    expect(total.dollars?.seen).toBeCloseTo((100 * 20) / 1e6, 12);
  });

  it("counts tokens alone for a model that it does not know", () => {
    const { total, left, groups } = metered("model", [run({ model: "house-model" }), run({ id: "b" })]);
    expect(total.dollars).toBeUndefined();
    expect(total.tokens.seen).toBe(200);
    expect(left).toMatchObject({ unpricedRuns: 2, unpricedModels: ["house-model"] });
    expect(groups.map(({ key }) => key)).toEqual(["house-model", "unknown"]);
  });

  it("takes the configured model where the client told none", () => {
    const { total, groups } = metered("model", [run(), run({ id: "b", model: "gpt-5" })], "claude-opus-5-5");
    expect(groups.map(({ key }) => key)).toEqual(["claude-opus-5-5", "gpt-5"]);
    expect(total.dollars).toBeDefined();
  });

  it("says what the detour cost where it was dearer than the direct way", () => {
    const small = { ...usage, directTokens: 10, catalogTokens: 0 };
    expect(metered("day", [run({ model: "gpt-5", usage: small })]).total.dollars?.avoided).toBeLessThan(0);
  });

  it("tells of runs that wait, with what they have cost so far", () => {
    const { total, left } = metered("day", [run({ status: "waiting" }), run({ id: "b", status: "failed" })]);
    expect(total).toMatchObject({ runs: 1, failed: 1, tokens: { seen: 200 } });
    expect(left.waitingRuns).toBe(1);
  });

  it("tells runs that were cancelled apart from those that failed", () => {
    const meter = createMeter({ by: "day", prices });
    for (const event of makeEvents(3))
      if (event.action === "run.ended")
        meterEvent(meter, {
          ...event,
          outcome: event.outcome === "ok" ? "cancelled" : "failed",
          details: { ...event.details, status: "failed" },
        });
    const { runs, failed, cancelled } = meter.result().total;
    expect([runs, failed + cancelled, cancelled > 0]).toEqual([3, 3, true]);
  });

  it("counts a run that waited and went on once, and what the model saw both times", () => {
    const { total, left } = metered("day", [run({ status: "waiting" }), run({ at: AT + 1 })]);
    expect(total).toMatchObject({ runs: 1, tokens: { seen: 200, kept: 500, direct: 1_600 } });
    expect(left.waitingRuns).toBe(0);
  });

  it("says how many were not counted", () => {
    const { total, left } = metered("day", [run({ usage: undefined })]);
    expect(total).toMatchObject({ runs: 1, tokens: { seen: 0 } });
    expect(left).toMatchObject({ uncountedRuns: 1, unpricedRuns: 0 });
  });

  it("tells servers and tools apart by what passed through them", () => {
    const meter = createMeter({ by: "tool", prices });
    const call = { at: AT, session: "s1", principal: "ana", server: "crm", tool: "find", ok: true, ms: 4 };
    meter.addCall({ ...call, directTokens: 30 });
    meter.addCall({ ...call, ok: false, directTokens: 5 });
    meter.addCall({ ...call, server: "mail", directTokens: 300 });
    meter.addCall({ ...call, server: "mail", tool: "send" });
    const { groups, total, left } = meter.result();
    expect(
      groups.map(({ server, key, calls, failedCalls, callMs, tokens }) => [
        server,
        key,
        calls,
        failedCalls,
        callMs,
        tokens.direct,
      ]),
    ).toEqual([
      ["mail", "find", 1, 0, 4, 300],
      ["crm", "find", 2, 1, 8, 35],
      ["mail", "send", 1, 0, 4, 0],
    ]);
    expect([total.calls, total.failedCalls, left.uncountedCalls]).toEqual([4, 1, 1]);
  });

  it("puts what is beyond ten thousand groups into one", () => {
    const meter = createMeter({ by: "session", prices });
    for (let n = 0; n < 10_050; n++) meter.addRun(run({ id: `r${n}`, session: `s${n}` }));
    const { groups, total } = meter.result();
    expect(groups).toHaveLength(10_001);
    expect(groups.find(({ key }) => key === "")?.runs).toBe(50);
    expect(total.runs).toBe(10_050);
  });

  it("reads the events of a log: each run once, each call, denied ones too, none that was only answered again", () => {
    const events = [...makeEvents(120)];
    const meter = createMeter({ by: "server", prices });
    for (const event of events) meterEvent(meter, event);
    const replayed = events.find(({ action }) => action === "call.ended");
    if (replayed?.action !== "call.ended") throw new Error("There is no call");
    meterEvent(meter, { ...replayed, details: { ...replayed.details, isReplayed: true } });
    const { total, groups } = meter.result();
    const of = (action: string) => events.filter((event) => event.action === action).length;
    expect(total.runs).toBe(120);
    expect(total.calls).toBe(of("call.ended") + of("call.denied"));
    expect(total.tokens.seen).toBe(120 * 310);
    // Twelve runs share a session.
    expect(total.tokens.direct).toBe(120 * 6_000 + 10 * 25_000);
    expect(groups.reduce((calls, row) => calls + row.calls, 0)).toBe(total.calls);
  });
});

it("counts the calls that were made: none that waits, and those that were denied apart", () => {
  const meter = createMeter({ by: "tool", prices });
  for (const event of makeDay(1)) if (event.run === "r_waited") meterEvent(meter, event);
  const { total, groups } = meter.result();
  expect(total).toMatchObject({ runs: 1, waiting: 0, calls: 1, failedCalls: 0, deniedCalls: 1 });
  expect(total.tokens).toEqual({ seen: 150, kept: 10, direct: 400 });
  expect(groups.map(({ key, calls, deniedCalls }) => [key, calls, deniedCalls])).toEqual([
    ["archive_mail", 1, 0],
    ["delete_mail", 0, 1],
  ]);
});
