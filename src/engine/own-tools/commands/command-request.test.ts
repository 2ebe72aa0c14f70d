import { describe, expect, it } from "vitest";
import { toCommandRequest } from "./command-request.ts";

const ask = (more: object) => toCommandRequest({ command: "git", ...more });

describe("a program's request", () => {
  it.each([
    [undefined, ""],
    [".", ""],
    ["repo", "repo"],
    ["./workspace", ""],
    ["workspace/repo/", "repo"],
    ["./a//b/.", "a/b"],
    ["/workspace", ""],
    ["/workspace/repo", "repo"],
  ])("has the folder %j as %j", (cwd, read) => expect(ask({ cwd }).cwd).toBe(read));

  it.each([
    "..",
    "a/../..",
    "/",
    "/etc",
    "/workspaces/x",
    "//workspace",
    "/workspace/../etc",
    "workspace/..",
    "a\0b",
    5,
    {},
  ])("has no folder %j", (cwd) => {
    expect(() => ask({ cwd })).toThrow("must be a folder in ./workspace");
  });

  it("has one input, whichever way it is written", () => {
    const inputBase64 = Buffer.of(104, 255).toString("base64");
    expect([...ask({ inputBase64 }).input]).toEqual([104, 255]);
    expect([...ask({ inputBase64, input: "h\ufffd" }).input]).toEqual([104, 255]);
    expect(() => ask({ inputBase64, input: "other" })).toThrow("the same as inputBase64");
  });

  it("may have numbers among its arguments, and nothing else that is no text", () => {
    expect(ask({ args: ["-n", 5] }).args).toEqual(["-n", "5"]);
    for (const args of ["x", [null], [["x"]], [{ toString: () => "x" }], Array(1_001).fill("")])
      expect(() => ask({ args })).toThrow("a list of");
  });

  it.each([null, undefined, 5, "git", [], { command: "__proto__/x" }, { command: "" }, { command: {} }])(
    "is refused without a command: %j",
    (asked) => expect(() => toCommandRequest(asked)).toThrow('"command" of a command must be'),
  );
});
