import { describe, expect, it } from "vitest";
import { toolRecord } from "../../test/fixtures/codegen/records.ts";
import { withOwnNames } from "./argument-names.ts";

const properties = { perPage: {}, from: {}, a_b: {}, aB: {}, sort: {} };
const tool = toolRecord({ name: "list", inputSchema: { type: "object", properties } });
const open = toolRecord({
  name: "open",
  inputSchema: { type: "object", properties, additionalProperties: true },
});

describe("the names of arguments", () => {
  it.each([
    ["another spelling", { per_page: 5, from_: "a", sort: "x" }, { perPage: 5, from: "a", sort: "x" }],
    ["what is given already", { per_page: 5, perPage: 6 }, { per_page: 5, perPage: 6 }],
    ["two that mean one", { per_page: 5, PerPage: 6 }, { per_page: 5, PerPage: 6 }],
    ["one that could mean two", { AB: 1 }, { AB: 1 }],
    ["something else", { page: 1, _: 2 }, { page: 1, _: 2 }],
  ])("%s", (_what, args, meant) => {
    expect(withOwnNames(args, tool)).toEqual(meant);
  });

  it("stay as they are where a tool takes any", () => {
    expect(withOwnNames({ per_page: 5 }, open)).toEqual({ per_page: 5 });
  });
});
