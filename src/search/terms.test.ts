import { describe, expect, it } from "vitest";
import { toStem, toTerms } from "./terms.ts";

describe("toTerms", () => {
  it.each([
    ["createIssue", ["creat", "issu"]],
    ["list_pull-requests", ["list", "pull", "request"]],
    ["getHTTPStatus", ["get", "http", "status"]],
    ["please give me the files of a folder", ["giv", "fil", "folder"]],
    ["", []],
    ["the of 💥 (.*) '; --", []],
  ])("splits %j", (text, terms) => expect(toTerms(text)).toEqual(terms));

  it("reads pairs of characters where words are not separated", () => {
    expect(toTerms("查询天气")).toEqual(["查询", "询天", "天气"]);
  });
});

describe("toStem", () => {
  it.each([
    ["queries", "query"],
    ["query", "query"],
    ["creating", "create"],
    ["created", "create"],
    ["boxes", "box"],
    ["running", "run"],
    ["issues", "issue"],
  ])("gives %s and %s the same stem", (one, other) => expect(toStem(one)).toBe(toStem(other)));

  it.each(["status", "class", "gas", "bus", "red", "king"])("leaves %s alone", (word) =>
    expect(toStem(word)).toBe(word),
  );
});
