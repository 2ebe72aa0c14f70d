import { describe, expect, it } from "vitest";
import { createPopularity } from "./popularity.ts";

describe("createPopularity", () => {
  it("counts the calls of earlier processes once, and those of this one", async () => {
    const popularity = createPopularity(async () => [["shop", "list", 3]]);
    popularity.add("shop", "list");
    expect(popularity.calls("shop", "list")).toBe(1);
    await Promise.all([popularity.load(), popularity.load()]);
    popularity.add("shop", "get");
    expect(["list", "get", "other"].map((tool) => popularity.calls("shop", tool))).toEqual([4, 1, 0]);
  });
});
