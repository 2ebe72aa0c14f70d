import { expect, it } from "vitest";
import { toClauses, toSteps } from "./clauses.ts";

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
  expect(toClauses("delete the file. ".repeat(1000)).length).toBeLessThanOrEqual(8);
});

it.each([
  [
    "search tasks; update a task; find an email address",
    ["search tasks", "update a task", "find an email address"],
  ],
  ["search tasks\nupdate a task", ["search tasks", "update a task"]],
  ["1. search tasks 2. update a task", ["search tasks", "update a task"]],
  ["(1) search tasks (2) update a task", ["search tasks", "update a task"]],
  ["step 1: search tasks step 2: update a task", ["search tasks", "update a task"]],
  ["search tasks, then update a task", ["search tasks", "update a task"]],
  ["search tasks, update a task, find an address", ["search tasks", "update a task", "find an address"]],
])("takes %j for stated steps", (query, steps) => {
  const { texts, areStated } = toSteps(query);
  expect(texts.map((text) => text.trim())).toEqual(steps);
  expect(areStated).toBe(true);
});

it.each([
  "create_page, make_page",
  "read a file + write a file",
  "I am in Rome. Find me a hotel.",
  "update the file to version 2. of May",
])("does not take %j for stated steps", (query) => expect(toSteps(query).areStated).toBe(false));
