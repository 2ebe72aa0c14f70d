import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { withTimeLimit } from "./time-limit.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve(signal.reason.name)));

it("comes to its end, whatever the garbage collection takes meanwhile", async () => {
  const other = new AbortController();
  const ended = withTimeLimit(300, [other.signal], untilAborted);
  for (let n = 0; n < 10; n++) {
    await pause(10);
    collect();
  }
  expect(await ended).toBe("TimeoutError");
});

it("ends by another's signal before that", async () => {
  const other = new AbortController();
  const ended = withTimeLimit(60_000, [other.signal], untilAborted);
  other.abort(new DOMException("gone", "AbortError"));
  expect(await ended).toBe("AbortError");
});
