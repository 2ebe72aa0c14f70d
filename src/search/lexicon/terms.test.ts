import { describe, expect, it } from "vitest";
import { toTerms } from "./terms.ts";

function toStems(text: string): string[] {
  return toTerms(text).flatMap(({ stem, isStop }) => (isStop ? [] : [stem]));
}

describe("toTerms", () => {
  it.each([
    ["createIssue", ["creat", "issu"]],
    ["list_pull-requests", ["list", "pull", "request"]],
    ["getHTTPStatus", ["get", "http", "status"]],
    ["context7 on s3 as mp4", ["context", "7", "s3", "mp4"]],
    ["the files of a folder", ["fil", "folder"]],
    ["what's the user's name", ["user", "nam"]],
    ["", []],
    ["the of 💥 (.*) '; --", []],
  ])("splits %j", (text, stems) => expect(toStems(text)).toEqual(stems));

  it("keeps a word as it was written beside its stem", () => {
    expect(toTerms("Deployments")).toEqual([{ surface: "deployments", stem: "deployment", isStop: false }]);
  });

  it("reads Chinese, Japanese and Korean words that the lexicon knows as English", () => {
    expect(toStems("查询天气")).toEqual(expect.arrayContaining(["queri", "weather"]));
    expect(toStems("天気を検索")).toEqual(expect.arrayContaining(["weather", "search"]));
  });

  it("reads pairs of characters where it knows no word", () => {
    expect(toStems("饕餮囹圄")).toEqual(["饕餮", "餮囹", "囹圄"]);
  });
});
