import { describe, expect, it } from "vitest";
import { readCall, readNames, readOwnCall } from "./guest-words.ts";

const bytes = (text: string) => Buffer.from(text);

describe("a call of a program", () => {
  it("is a server, a tool and arguments, and may have a limit", () => {
    const call = { server: "github", tool: "get", args: { n: 1 } };
    expect(readCall(bytes('["github","get",{"n":1}]'))).toEqual({ ...call, isCancellable: false });
    expect(readCall(bytes('["github","get",{"n":1},null]'))).toEqual({ ...call, isCancellable: true });
    expect(readCall(bytes('["github","get",{"n":1},5]'))).toEqual({
      ...call,
      isCancellable: true,
      timeoutMs: 5,
    });
  });

  it.each([
    "",
    "{}",
    "[]",
    '["github"]',
    '["github","get"]',
    '["","searchTools",{}]',
    '["github","",{}]',
    '[["github"],"get",{}]',
    '["github",{"toString":1},{}]',
    '[null,"searchTools",{}]',
    '["github","get",{},0]',
    '["github","get",{},-1]',
    '["github","get",{},1.5]',
    '["github","get",{},"5"]',
    '["github","get",{},5,6]',
    `["${"x".repeat(513)}","get",{}]`,
  ])("is not %j", (text) => expect(readCall(bytes(text))).toBeUndefined());
});

describe("a call of one of Keyhole's own tools", () => {
  it("has no server, whatever it says", () => {
    expect(readOwnCall(bytes('["searchTools",{"query":"x"}]'))).toEqual({
      tool: "searchTools",
      args: { query: "x" },
      isCancellable: false,
    });
    expect(readOwnCall(bytes('["searchTools",["github","get"],null]'))).not.toHaveProperty("server");
    expect(readOwnCall(bytes('["__proto__",{"__proto__":{"server":"github"}}]'))?.args).toEqual({});
  });

  it.each([
    "",
    "null",
    '"searchTools"',
    '["searchTools"]',
    '["",{}]',
    '[["searchTools"],{}]',
    '[{"server":"x"},{}]',
    '["github","get",{}]',
    '["github","get",{},null]',
    `["${"x".repeat(513)}",{}]`,
  ])("is not %j", (text) => expect(readOwnCall(bytes(text))).toBeUndefined());
});

it("the names of a call are read without its arguments", () => {
  expect(readNames('["github","get"')).toEqual({ server: "github", tool: "get" });
  expect(readNames('["git\\u0068ub","a\\"b"')).toEqual({ server: "github", tool: 'a"b' });
  for (const start of ["", '["github"', '["github","get","x"', '["","get"', '["github",5', "[".repeat(9)])
    expect(readNames(start)).toBeUndefined();
});
