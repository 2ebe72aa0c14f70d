import { describe, expect, it } from "vitest";
import { limitError } from "./limits.ts";

describe("the error of a limit", () => {
  it("says what was allowed and what was used", () => {
    expect(limitError("memory", 512 * 1024 * 1024, 530 * 1024 * 1024)).toMatchObject({
      kind: "memory",
      message: "The program went over its limit of memory: 530 MB used, 512 MB allowed",
    });
  });
});
