import { describe, expect, it } from "vitest";
import { KeyholeError } from "../../errors.ts";
import type { SearchRequest } from "../../search/answer.ts";
import { createSavedResults } from "../../workspace/saved-results.ts";
import type { EndedCall, StartedCall } from "../recorder.ts";
import { createOwnTools, toCallOwn } from "./own-tools.ts";

function open(workMs = 0) {
  const asked: string[] = [];
  let underWay = 0;
  let most = 0;
  const results = createSavedResults({ path: "", inFolder: async () => undefined }, 0);
  const context = {
    serversFolder: { open: () => () => ({ kind: "missing" as const, message: "" }) },
    readSkills: async () => ({ kind: "missing" as const, message: "" }),
    results,
    async search({ query = "" }: SearchRequest, onWork?: (ms: number) => void) {
      onWork?.(workMs);
      asked.push(query);
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return { text: "", tools: [], total: 0 };
    },
    runResult: async (args: unknown) => {
      if (args === "wrong") throw new KeyholeError("usage", "Wrong");
      return { status: "done" };
    },
    runCommand: async () => ({ code: 0 }),
    refuseFetch: () => {},
    noteFetch: () => {},
    saveSkill: { isRecorded: true, call: () => ({ name: "sum-up" }) },
    state: [],
  };
  const recorded: (StartedCall | EndedCall)[] = [];
  const recorder = {
    callStarted: (call: StartedCall) => recorded.push(call),
    callEnded: (call: EndedCall) => recorded.push(call),
  };
  const own = toCallOwn(createOwnTools(context, {}), "r_1", recorder);
  const call = (name: string, args: unknown) => own(name, args, new AbortController().signal, {});
  const search = (query: string) => call("searchTools", { query });
  return { call, search, asked, recorded, most: () => most };
}

describe("searches of a program", () => {
  it("are made one at a time, and the same one once", async () => {
    const { search, asked, most } = open();
    await Promise.all(["a", "b", "a", "c", "a"].map(search));
    expect(asked).toEqual(["a", "b", "c"]);
    expect(most()).toBe(1);
  });

  it("come to an end after so many, with a limit that can be caught", async () => {
    const { search, asked } = open();
    const all = await Promise.allSettled(Array.from({ length: 1_000 }, (_, n) => search(`tool ${n}`)));
    expect(asked).toHaveLength(200);
    expect(all.at(-1)).toMatchObject({ status: "rejected", reason: { code: "too_large" } });
  });

  it("come to an end when they took too much of the host's time, counted as it is", async () => {
    const { search, asked } = open(600);
    const all = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => search(`tool ${n}`)));
    expect(asked).toHaveLength(6);
    expect(all.at(-1)).toMatchObject({ status: "rejected", reason: { code: "too_large" } });
  });

  it("let the event loop go round between two", async () => {
    const { search, asked } = open();
    const done = Promise.all(Array.from({ length: 20 }, (_, n) => search(`tool ${n}`)));
    let rounds = 0;
    while (asked.length < 20) {
      await new Promise((resolve) => setImmediate(resolve));
      rounds++;
      expect(asked.length).toBeLessThanOrEqual(rounds);
    }
    await done;
  });
});

describe("a tool of Keyhole's own", () => {
  it("is recorded, how it ended too, where its table says so", async () => {
    const { call, search, recorded } = open();
    await search("a");
    await call("readFolder", { folder: "servers", path: "" });
    expect(recorded).toEqual([]);
    await call("runResult", { id: "r_2" });
    await expect(call("runResult", "wrong")).rejects.toMatchObject({ code: "usage" });
    const started = { runId: "r_1", server: "keyhole", tool: "runResult" };
    expect(recorded).toMatchObject([
      { ...started, argumentsText: '{"id":"r_2"}' },
      { id: recorded[0]?.id, ok: true, resultText: '{"status":"done"}', resultBytes: 17 },
      { ...started, argumentsText: '"wrong"' },
      { id: recorded[2]?.id, ok: false, code: "usage" },
    ]);
  });

  it.each([
    "__proto__",
    "constructor",
    "toString",
    "get",
    "size",
    "searchtools",
    "readFolder\u0000",
    "takeText",
    "nope",
  ])("is not found by %j", async (name) => {
    await expect(open().call(name, {})).rejects.toMatchObject({ code: "tool_unknown" });
  });

  it.each([[[]], ["x"], [5], [null], [{ query: {} }], [{ query: ["a"] }], [{ detail: "__proto__" }]])(
    "reads %j as arguments or refuses it",
    async (args) => {
      const answer = await open()
        .call("searchTools", args)
        .catch((error: unknown) => error);
      if (answer instanceof Error) expect(answer).toMatchObject({ code: "usage" });
      else expect(answer).toEqual({ tools: [], total: 0 });
    },
  );
});
