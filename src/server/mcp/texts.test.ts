import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { EXECUTE_CODE, INSTRUCTIONS, SEARCH_TOOLS } from "./texts.ts";

const MAX_TOKENS = 350;

it("tells a model all it needs in at most 350 tokens", () => {
  const tokens = countTokens(JSON.stringify([SEARCH_TOOLS, EXECUTE_CODE])) + countTokens(INSTRUCTIONS);
  expect(tokens).toBeLessThanOrEqual(MAX_TOKENS);
});

it("states the rules of the sandbox", () => {
  for (const rule of [
    "await",
    "return",
    "console.log",
    "./servers/",
    "ToolError",
    "./workspace",
    "no network",
    "fs works in ./workspace",
    "Node's own modules",
    "last expression is the result",
    "un-awaited work is waited for",
    "check its shape and throw with a sample if it is not as expected, before anything is written",
    "emit(",
  ]) {
    expect(EXECUTE_CODE.description).toContain(rule);
  }
});

it("asks for one search and one program", () => {
  expect(INSTRUCTIONS).toContain("one search_tools for all steps, then one execute_code");
  expect(INSTRUCTIONS).toContain("read, check what you got, and then write, in the same program");
});
