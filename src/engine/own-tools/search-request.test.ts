import { describe, expect, it } from "vitest";
import { toSearchRequest } from "./search-request.ts";

describe("toSearchRequest", () => {
  it.each([
    [undefined, {}],
    [{ query: null, limit: null }, {}],
    [
      { query: "a", detail: "full", limit: 1000, language: "python", more: 1 },
      { query: "a", detail: "full", limit: 1000, language: "python" },
    ],
  ])("takes %j", (asked, request) => expect(toSearchRequest(asked)).toEqual(request));

  it.each([
    [{ query: 5 }, '"query" must be a string'],
    [{ detail: "all" }, '"detail" must be one of "name", "description", "full"'],
    [{ language: "ruby" }, '"language" must be one of "typescript", "python"'],
    [{ limit: 0 }, '"limit" must be a whole number from 1 to 1000'],
    [{ limit: 1.5 }, '"limit" must be a whole number'],
    [{ limit: 1001 }, '"limit" must be a whole number'],
    [{ limit: "5" }, '"limit" must be a whole number'],
  ])("refuses %j", (asked, problem) => expect(() => toSearchRequest(asked)).toThrow(problem));

  it("says how to write it in the program's language", () => {
    const refused = () => toSearchRequest({ limit: 0 }, "python");
    expect(refused).toThrow(expect.objectContaining({ hint: expect.stringContaining("search_tools(") }));
  });
});
