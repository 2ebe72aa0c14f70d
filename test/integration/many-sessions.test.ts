import { setMaxListeners } from "node:events";
import { expect, it } from "vitest";
import { createSession } from "../../src/session.ts";
import { openEngine } from "../fixtures/engine.ts";
import { fixture } from "../fixtures/project.ts";

const SESSIONS = 10_000;
const OF_OTHERS = 15;
/** What the queue takes of one principal beside those that run. */
const MAX_WAITING = 1_024;

it("of ten thousand sessions so many wait, the rest is refused at once, and real programs take turns by principal", async () => {
  const { engine } = await openEngine(
    { good: fixture("good") },
    { checkTypes: false, config: { maxConcurrentTasks: 2 } },
  );
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const started: string[] = [];
  engine.events.subscribe({}, ({ kind, principal }) => {
    if (kind === "started") started.push(principal);
  });
  const run = (principal: string) =>
    engine.run({
      code: "return (await good.good0({ value: 'x' })).echoed",
      session: createSession({ principal, client: { name: "many" } }),
      signal: stop.signal,
    });
  const crowd = Array.from({ length: SESSIONS - 2 * OF_OTHERS }, () =>
    run("crowd").then(
      ({ error }) => error?.kind ?? "done",
      ({ code }) => String(code),
    ),
  );
  const others = Array.from({ length: 2 * OF_OTHERS }, (_, n) => run(n % 2 === 0 ? "ada" : "bob"));

  for (const { result } of await Promise.all(others)) expect(result).toEqual({ value: "x" });
  const turns = (principal: string) => started.filter((name) => name === principal).length;
  expect([turns("ada"), turns("bob")]).toEqual([OF_OTHERS, OF_OTHERS]);
  // A third of the time is the crowd's. How many turns that is, is a matter of how long each took; but they came first, and would have had all.
  expect(turns("crowd")).toBeLessThan(MAX_WAITING / 10);

  stop.abort();
  const ends = await Promise.all(crowd);
  expect([...new Set(ends)].sort()).toEqual(["cancelled", "done", "too_large"]);
  const taken = ends.filter((end) => end !== "too_large").length;
  expect(taken).toBeGreaterThanOrEqual(MAX_WAITING);
  expect(taken).toBeLessThanOrEqual(MAX_WAITING + turns("crowd"));
  expect(engine.runs.list()).toEqual([]);
  expect(await engine.run({ code: "return 1" })).toMatchObject({ result: 1 });
}, 240_000);
