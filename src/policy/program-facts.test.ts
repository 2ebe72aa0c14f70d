import { expect, it } from "vitest";
import { MAX_FACTS, type ProgramFacts, readProgramFacts } from "./program-facts.ts";

const place = { line: 1, column: 1 };
const FACTS: ProgramFacts = {
  lines: 3,
  complexity: 2,
  hits: [{ rule: "dynamic-eval", what: "eval", ...place }],
  moreHits: 0,
  tools: [{ server: "a", tool: "b", inLoop: true, ...place }],
  dynamic: [{ server: "a", ...place }, place],
  files: [{ path: "x", access: "write", ...place }],
  hosts: [{ host: "h", ...place }],
  commands: [{ command: "git", ...place }],
  flows: [{ from: { server: "a", tool: "b" }, to: { server: "c", tool: "d" }, ...place }],
};

it("takes what has the shape, and nothing else of it", () => {
  const said = { ...FACTS, extra: 1, tools: [{ ...FACTS.tools[0], extra: 1 }] };
  expect(readProgramFacts(JSON.parse(JSON.stringify(said)))).toEqual(FACTS);
});

it.each([
  ["nothing", undefined],
  ["a list", []],
  ["no counts", { ...FACTS, lines: "3" }],
  ["a count that is none", { ...FACTS, complexity: -1 }],
  ["no numbers", { ...FACTS, moreHits: Number.NaN }],
  ["a list that is missing", { ...FACTS, flows: undefined }],
  ["a list that is too long", { ...FACTS, dynamic: Array(MAX_FACTS + 1).fill(place) }],
  ["a text that is too long", { ...FACTS, hosts: [{ host: "x".repeat(10_000), ...place }] }],
  ["a text that is none", { ...FACTS, hits: [{ rule: { toString: "x" }, ...place }] }],
  ["no place", { ...FACTS, tools: [{ server: "a", tool: "b", inLoop: true }] }],
  ["another access", { ...FACTS, files: [{ access: "own", ...place }] }],
  ["a flow without an end", { ...FACTS, flows: [{ from: { server: "a", tool: "b" }, ...place }] }],
])("refuses %s", (_, said) => {
  expect(readProgramFacts(said)).toBeUndefined();
});
