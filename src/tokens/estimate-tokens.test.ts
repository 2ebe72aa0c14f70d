import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";

describe("estimateTokens", () => {
  it.each([
    "github.createIssue(input: { owner: string; repo: string; title: string; body?: string }): Promise<unknown>",
    "// Add a reply and/or reaction to an existing pull request comment. It needs a number.",
    "getCommit listBranches updatePullRequestDraftState addReplyToPullRequestComment unstarRepository",
    "获取指定城市的天气预报，包括温度和湿度。",
  ])("is near what an encoder counts: %j", (text) => {
    const exact = countTokens(text);
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(exact * 0.85);
    expect(estimateTokens(text)).toBeLessThanOrEqual(exact * 1.6);
  });

  it("is nothing for nothing", () => expect(estimateTokens("")).toBe(0));
});
