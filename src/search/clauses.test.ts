import { expect, it } from "vitest";
import { toClauses } from "./clauses.ts";

function trimmed(query: string): string[] {
  return toClauses(query).map((clause) => clause.trim());
}

it.each([
  [
    "Make a word cloud of the trends and put it in a PDF",
    ["Make a word cloud of the trends", "put it in a PDF"],
  ],
  ["Read the paper, then write a report", ["Read the paper", "write a report"]],
  ["What is the weather in Rome? Also, find me a hotel.", ["What is the weather in Rome", "find me a hotel"]],
  ["create directory + write file", ["create directory", "write file"]],
])("splits %j into its steps", (query, clauses) => expect(trimmed(query)).toEqual(clauses));

it.each(["merge pull requests", "restaurants and bars in Rome", "copy, paste", ""])(
  "leaves %j whole",
  (query) => expect(trimmed(query).length).toBeLessThan(2),
);

it("makes no step of a sentence that says nothing", () => {
  expect(trimmed("Hello. Please help me. Merge the pull request.")).toHaveLength(1);
});

it("finds no more than a few steps", () => {
  expect(toClauses("delete the file. ".repeat(1000)).length).toBeLessThanOrEqual(6);
});
