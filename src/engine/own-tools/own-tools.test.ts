import { describe, expect, it } from "vitest";
import type { SearchRequest } from "../../search/answer.ts";
import { createSavedResults } from "../../workspace/saved-results.ts";
import { createOwnTools } from "./own-tools.ts";

function open(workMs = 0) {
  const asked: string[] = [];
  let underWay = 0;
  let most = 0;
  const results = createSavedResults({ path: "", inFolder: async () => undefined }, 0);
  const context = {
    serversFolder: { open: () => () => ({ kind: "missing" as const, message: "" }) },
    results,
    async search({ query = "" }: SearchRequest, onWork?: (ms: number) => void) {
      onWork?.(workMs);
      asked.push(query);
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return { text: "", tools: [], total: 0 };
    },
    runResult: async () => undefined,
  };
  const own = createOwnTools(context, {});
  const search = (query: string) => own("searchTools", { query }, new AbortController().signal);
  return { search, asked, most: () => most };
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
