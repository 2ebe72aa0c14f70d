import { expect, it } from "vitest";
import type { PiiFact } from "../../text/with-facts.ts";
import { CHUNK_BYTES } from "./chunks.ts";
import { toFactLists } from "./fact-lists.ts";

const toFacts = (count: number, text: string): PiiFact[] =>
  Array.from({ length: count }, (_, at) => [`${text}${at}`, `v${at}`, { mask: "•••" }]);

it("makes lists none of which is larger than a chunk, of all facts in their order", () => {
  for (const [count, text] of [
    [1, "a"],
    [20_000, "ä"],
    [100, "\u{1f511}".repeat(3_000)],
    [5_000, "\ud800\u0000"],
  ] as const) {
    const facts = toFacts(count, text);
    const lists = toFactLists(facts, []);
    for (const list of lists) expect(Buffer.byteLength(list)).toBeLessThanOrEqual(CHUNK_BYTES);
    expect(lists.flatMap((list): unknown[] => JSON.parse(list))).toEqual(facts);
  }
});

it("makes none of no facts, of one that is too long, and for a program without", () => {
  expect(toFactLists([], [])).toEqual([]);
  expect(toFactLists(toFacts(3, "x".repeat(CHUNK_BYTES)), [])).toEqual([]);
  expect(toFactLists(toFacts(3, "x"), undefined)).toEqual([]);
});
