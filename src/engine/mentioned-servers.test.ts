import { describe, expect, it } from "vitest";
import { mentionedServers } from "./mentioned-servers.ts";

const ALL = ["github", "git", "my_db"];

describe("mentionedServers", () => {
  it.each([
    ["return github.list()", ["github"]],
    ['import { list } from "./servers/git"; return list()', ["git"]],
    ['return callMCPTool("my_db__query", {})', ["my_db"]],
    ['for (const name of ["git", "my_db"]) await use(name)', ["git", "my_db"]],
    ["return 1", []],
    ['return globalThis["git" + "hub"].list()', ALL],
    ["return git\\u0068ub.list()", ALL],
  ])("finds in %j what it can mean", (code, expected) => {
    expect(mentionedServers(code, ALL)).toEqual(expected);
  });
});
