import { describe, expect, it } from "vitest";
import { createSession, type Session } from "../../session.ts";
import { createKeptRuns } from "./kept-runs.ts";

const session = (principal: string) => createSession({ principal, client: { name: "test" } });

function kept(id: string, of: Session, size = 1) {
  const report = { runId: id, status: "done" as const, result: "x".repeat(size), logs: [], calls: 0 };
  return { session: of, startedAt: "", report, blocks: [{ type: "text", text: id }] };
}

describe("results of runs that went on", () => {
  it("are kept for an hour", () => {
    let time = 0;
    const runs = createKeptRuns(() => time);
    runs.add(kept("a", session("ada")));
    time = 59 * 60_000;
    expect(runs.get("a")?.json.parse()).toMatchObject({ runId: "a", result: "x" });
    time = 61 * 60_000;
    expect(runs.get("a")).toBeUndefined();
    expect(runs.all()).toEqual([]);
  });

  it("are so many of a principal, in however many sessions, and the oldest go first", () => {
    const runs = createKeptRuns();
    const bob = session("bob");
    runs.add(kept("bob's", bob));
    for (let n = 0; n < 10_000; n++) runs.add(kept(`a${n}`, session("ada")));
    expect(runs.all()).toHaveLength(33);
    expect([runs.get("bob's"), runs.get("a9999")].map((run) => run?.summary.runId)).toEqual([
      "bob's",
      "a9999",
    ]);
    expect(runs.get("a9000")).toBeUndefined();
  });

  it("take so many bytes, but the last one is kept whatever its size", () => {
    const runs = createKeptRuns();
    const ada = session("ada");
    const MIB = 1024 * 1024;
    for (const id of ["a", "b", "c"]) runs.add(kept(id, ada, 14 * MIB));
    expect(runs.all().map(({ summary }) => summary.runId)).toEqual(["b", "c"]);
    runs.add(kept("huge", ada, 40 * MIB));
    expect(runs.all().map(({ summary }) => summary.runId)).toEqual(["huge"]);
  });

  it("are forgotten with their session, and show what was emitted once", () => {
    const runs = createKeptRuns();
    const [one, two] = [session("ada"), session("ada")];
    runs.add(kept("a", one));
    runs.add(kept("b", two));
    expect(runs.takeBlocks("b")).toEqual([{ type: "text", text: "b" }]);
    expect(runs.takeBlocks("b")).toEqual([]);
    runs.forget(one.id);
    expect(runs.all().map(({ summary }) => summary.runId)).toEqual(["b"]);
  });
});
