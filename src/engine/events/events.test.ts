import { describe, expect, it } from "vitest";
import type { EngineEvent } from "./event.ts";
import { createEvents } from "./events.ts";

const ONE = { runId: "r_1", session: "s_1", principal: "ada" };
const OTHER = { runId: "r_2", session: "s_2", principal: "bob" };
const log = (text: string) => ({ kind: "log", level: "info", text }) as const;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("events", () => {
  it("come in their order, numbered, to those whose filter lets them through", async () => {
    const events = createEvents();
    const seen: Record<string, string[]> = { all: [], run: [], session: [], principal: [], nobody: [] };
    const note = (name: string) => (event: EngineEvent) =>
      seen[name]?.push(`${event.sequence} ${event.runId}`);
    events.subscribe({}, note("all"));
    events.subscribe({ runId: "r_1" }, note("run"));
    events.subscribe({ session: "s_2" }, note("session"));
    events.subscribe({ principal: "bob" }, note("principal"));
    events.subscribe({ principal: "bob", session: "s_1" }, note("nobody"));
    events.tell(ONE, log("a"));
    events.tell(OTHER, log("b"));
    await settled();
    expect(seen).toEqual({
      all: ["1 r_1", "2 r_2"],
      run: ["1 r_1"],
      session: ["2 r_2"],
      principal: ["2 r_2"],
      nobody: [],
    });
  });

  it("reach others though one listener throws, and one never returns", async () => {
    const events = createEvents();
    const texts: unknown[] = [];
    events.subscribe({}, () => {
      throw new Error("no");
    });
    events.subscribe({}, () => new Promise(() => {}));
    events.subscribe({}, () => Promise.reject(new Error("no")));
    events.subscribe({}, (event) => texts.push(event.kind === "log" && event.text));
    for (let n = 0; n < 5_000; n++) events.tell(ONE, log(String(n)));
    await settled();
    expect(texts).toEqual(Array.from({ length: 5_000 }, (_, n) => String(n)));
  });

  it("that a slow listener missed are counted, and told as soon as it listens again", async () => {
    const events = createEvents();
    const seen: EngineEvent[] = [];
    let goOn = () => {};
    events.subscribe({}, (event) => {
      seen.push(event);
      return seen.length === 1 ? new Promise<void>((resolve) => (goOn = resolve)) : undefined;
    });
    events.tell(ONE, log("first"));
    await settled();
    for (let n = 0; n < 1_500; n++) events.tell(ONE, log(String(n)));
    goOn();
    await settled();
    events.tell(OTHER, log("last"));
    await settled();
    expect(seen).toHaveLength(1 + 1_000 + 1 + 1);
    expect(seen.at(-2)).toEqual({ kind: "dropped", count: 500, sequence: 1_501, ...ONE });
    expect(seen.at(-1)).toMatchObject({ text: "last", sequence: 1_502 });
  });

  it("that wait for a slow listener are bounded by their characters too", async () => {
    const events = createEvents();
    let count = 0;
    events.subscribe({}, () => {
      count++;
      return new Promise(() => {});
    });
    for (let n = 0; n < 20; n++) events.tell(ONE, log("x".repeat(300_000)));
    await settled();
    expect(count).toBe(1);
  });

  it("wait no more when the listening has ended: what was there is told, and nothing after it", async () => {
    const events = createEvents();
    const seen: number[] = [];
    const watching = events.subscribe({}, ({ sequence }) => seen.push(sequence));
    events.tell(ONE, log("a"));
    events.tell(ONE, log("b"));
    watching.end();
    expect(seen).toEqual([1, 2]);
    events.tell(ONE, log("c"));
    await settled();
    expect(seen).toEqual([1, 2]);
  });

  it("may be told from within a listener", async () => {
    const events = createEvents();
    const seen: number[] = [];
    events.subscribe({}, ({ sequence }) => {
      seen.push(sequence);
      if (sequence < 4) events.tell(OTHER, log("more"));
    });
    events.tell(ONE, log("a"));
    await settled();
    expect(seen).toEqual([1, 2, 3, 4]);
  });
});
