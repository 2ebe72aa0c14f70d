import { describe, expect, it } from "vitest";
import { didYouMean, nearNames } from "./did-you-mean.ts";

describe("near names", () => {
  const names = ["createIssue", "listIssues", "getUser", "updateIssue", "search"];

  it.each([
    ["createissue", "createIssue"],
    ["create_issue", "createIssue"],
    ["issueCreate", "createIssue"],
    ["listissue", "listIssues"],
    ["getUsers", "getUser"],
  ])("finds what was meant by %s first", (name, meant) => {
    expect(nearNames(name, names)[0]).toBe(meant);
  });

  it("are few, and none when nothing is near", () => {
    expect(nearNames("issue", names).length).toBeLessThanOrEqual(3);
    expect(didYouMean("zzzzzzzzzz", names)).toBeUndefined();
  });
});
