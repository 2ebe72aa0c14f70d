import { expect, it } from "vitest";
import { createSpeller } from "./speller.ts";

const mend = createSpeller(["forecast", "request", "issue", "repository", "merge", "constructor"]);

it.each([
  ["forcast", ["forecast"]],
  ["reqeust", ["request"]],
  ["repostory", ["repository"]],
  ["repositor", ["repository"]],
  ["mrege", ["merge"]],
  ["zzzzzz", []],
  ["iss", []],
  ["mrge", ["merge"]],
  ["is", []],
])("takes %s for %j", (word, meant) => expect(mend(word)).toEqual(meant));
