import { describe, expect, it } from "vitest";
import type { CallResult } from "./call.ts";
import { createFlights, type Landed } from "./flights.ts";

const result: CallResult = { value: 1, content: [], from: { server: "board", tool: "get", callId: "c_1" } };
const about = { version: 3, scope: { server: "board", tool: "get" }, timeoutMs: undefined };
const never = () => new AbortController().signal;

function open<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((resolving, rejecting) => {
    [resolve, reject] = [resolving, rejecting];
  });
  return { promise, resolve, reject };
}

function begin(flights = createFlights()) {
  const work = open<Landed>();
  let signal: AbortSignal | undefined;
  const flight = flights.begin("key", about, (given) => {
    signal = given;
    return work.promise;
  });
  return { flights, flight, work, isStopped: () => signal?.aborted };
}

describe("calls that are shared", () => {
  it("answer all who wait, and whoever comes while the result is kept", async () => {
    const { flights, flight, work } = begin();
    const [first, second] = [flight.join(never()), flight.join(never())];
    const kept = open<void>();
    const began = open<void>();
    const after = () => {
      began.resolve();
      return kept.promise;
    };
    work.resolve({ result, after });
    expect(await Promise.all([first, second])).toEqual([
      { ok: true, result },
      { ok: true, result },
    ]);
    await began.promise;
    expect(await flights.find("key", 3)?.join(never())).toEqual({ ok: true, result });
    kept.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(flights.find("key", 3)).toBeUndefined();
  });

  it("go on for the others when one is cancelled, and end when all are", async () => {
    const { flight, work, isStopped } = begin();
    const [one, other] = [new AbortController(), new AbortController()];
    const [first, second] = [flight.join(one.signal), flight.join(other.signal)];
    one.abort();
    expect(await first).toEqual({ ok: false, error: undefined });
    expect(isStopped()).toBe(false);
    other.abort();
    work.reject(new Error("stopped"));
    expect(await second).toMatchObject({ ok: false });
    expect(isStopped()).toBe(true);
  });

  it("are not found at another version, after a change, nor when they failed", async () => {
    const { flights, flight, work } = begin();
    expect(flights.find("key", 4)).toBeUndefined();
    flights.forget([{ server: "board", tool: "other" }]);
    expect(flights.find("key", 3)).toBeDefined();
    flights.forget([{ server: "board" }]);
    expect(flights.find("key", 3)).toBeUndefined();
    work.reject(new Error("no"));
    expect(await flight.join(never())).toMatchObject({ ok: false });
    const failed = begin(flights);
    failed.work.reject(new Error("no"));
    await failed.flight.join(never());
    await new Promise((resolve) => setImmediate(resolve));
    expect(flights.find("key", 3)).toBeUndefined();
  });
});
