import { describe, expect, it } from "vitest";
import { readTraceContext, toChildContext, toTraceMeta } from "./trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const traceparent = `00-${TRACE}-${SPAN}-01`;

describe("a client's trace", () => {
  it("is read and told again as it came", () => {
    const tracestate = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE";
    const context = readTraceContext({ traceparent, tracestate, baggage: "user=ana" });
    expect(context).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true, state: tracestate });
    expect(context && toTraceMeta(context)).toEqual({ traceparent, tracestate });
  });

  it("of a later version is read as far as it is known", () => {
    const later = `cc-${TRACE}-${SPAN}-00-what-the-future-will-be-like`;
    expect(readTraceContext({ traceparent: later })).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      isSampled: false,
    });
  });

  it.each([
    ["nothing", undefined],
    ["no text", 7],
    ["upper case", traceparent.toUpperCase()],
    ["a trace of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["a span of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["a forbidden version", `ff-${TRACE}-${SPAN}-01`],
    ["more than version 00 has", `${traceparent}-more`],
    ["too short", `00-${TRACE}-${SPAN}`],
    ["spaces", ` ${traceparent}`],
    ["a line break", `${traceparent}\n`],
    ["very much", `cc-${TRACE}-${SPAN}-01-${"x".repeat(600)}`],
  ])("that is %s is none", (_what, value) => {
    expect(readTraceContext({ traceparent: value, tracestate: "a=1" })).toBeUndefined();
  });

  it.each([
    ["a key twice", "a=1,a=2"],
    ["no value", "a"],
    ["a wrong key", "A=1"],
    ["a line break", "a=1\nb=2"],
    ["too many members", Array.from({ length: 33 }, (_, n) => `k${n}=1`).join(",")],
    ["too long", `a=${"x".repeat(600)}`],
    ["no text", { a: 1 }],
    ["a sign that is not ASCII", "a=é"],
  ])("goes on without a state that has %s", (_what, tracestate) => {
    expect(readTraceContext({ traceparent, tracestate })).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      isSampled: true,
    });
  });

  it("has children in the same trace, sampled as it is", () => {
    const parent = { traceId: TRACE, spanId: SPAN, isSampled: false, state: "a=1" };
    const child = toChildContext(parent);
    expect(child).toMatchObject({ traceId: TRACE, isSampled: false, state: "a=1" });
    expect(child.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(child.spanId).not.toBe(SPAN);
  });

  it("begins where there is none", () => {
    const made = Array.from({ length: 1_000 }, () => toChildContext(undefined));
    expect(new Set(made.map(({ traceId }) => traceId)).size).toBe(1_000);
    for (const context of made) expect(readTraceContext(toTraceMeta(context))).toEqual(context);
  });
});
