import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toNameList } from "./name-list.ts";

/** What a reader makes of a list. */
function readNames(list: string): string[] {
  const [first = "", ...lines] = list.split("\n");
  const shared = lines.flatMap((line) => {
    const [start = "", ...endings] = line.split(" ");
    return endings.map((ending) => `${start.slice(0, -1)}${ending}`);
  });
  return [...first.split(" ").slice(1), ...shared];
}

describe("toNameList", () => {
  it("writes a beginning once where that is shorter, at the borders of words", () => {
    expect(toNameList("github", ["getMe", "getTag", "getCommit", "getTeams", "getLabel", "starRepo"])).toBe(
      "github: starRepo\nget~ Me Tag Commit Teams Label",
    );
    expect(toNameList("az", ["runAz", "runAzd", "runAzqr", "runAzx", "runAzy"])).toBe(
      "az:\nrun~ Az Azd Azqr Azx Azy",
    );
    expect(toNameList("a", ["get_me", "get_tag", "get_commit", "get_team", "get_x"])).toContain(
      "get_~ me tag",
    );
  });

  it("leaves short lists as they are", () => {
    expect(toNameList("a", ["getMe", "getTag"])).toBe("a: getMe getTag");
    expect(toNameList("a", [])).toBe("a:");
  });

  it("loses and invents no name", () => {
    const word = fc.constantFrom(
      "get",
      "list",
      "Issue",
      "Issues",
      "PR",
      "URLs",
      "Az",
      "d",
      "_x",
      "2",
      "Body",
    );
    const name = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => `a${words.join("")}`);
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 60 }), (names) => {
        expect(readNames(toNameList("server", names)).sort()).toEqual([...names].sort());
      }),
    );
  });
});
