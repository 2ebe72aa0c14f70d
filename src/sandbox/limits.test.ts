import { describe, expect, it } from "vitest";
import { limitError } from "./limits.ts";

describe("the error of a limit", () => {
  it("says what was allowed and what was used", () => {
    expect(limitError("memory", 512 * 1024 * 1024, 530 * 1024 * 1024)).toMatchObject({
      kind: "memory",
      message: "The program went over its limit of memory: 530 MB used, 512 MB allowed",
    });
  });

  it("says what was used in whole units, more than was allowed", () => {
    expect(limitError("cpu", 4000, 4000.460220000001)).toMatchObject({
      message: expect.stringContaining("4001 ms used, 4000 ms allowed"),
      limit: { allowed: 4000, used: 4001, unit: "ms" },
    });
  });
});
