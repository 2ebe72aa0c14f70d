import { describe, expect, it } from "vitest";
import { boundSchema } from "./bound-schema.ts";

function nested(levels: number): unknown {
  let schema: unknown = {};
  for (let level = 0; level < levels; level++) schema = { not: schema };
  return schema;
}

describe("boundSchema", () => {
  it.each([[true], [false], [{}], [{ type: "object" }], [nested(99)]])("accepts %j", (schema) => {
    expect(boundSchema(schema)).toEqual({ schema });
  });

  it.each([
    ["null", null, "is null"],
    ["nothing", undefined, "is missing"],
    ["a text", "object", "is a string"],
    ["an array", [], "is an array"],
    ["a thousand levels", nested(1000), "levels deep"],
    ["a million levels", nested(1_000_000), "levels deep"],
    ["ten megabytes of text", { description: "x".repeat(10_000_000) }, "larger than"],
    ["a million keys", { enum: Array.from({ length: 1_000_000 }, (_, i) => i) }, "larger than"],
  ])("refuses %s", (_name, schema, problem) => {
    expect(boundSchema(schema)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
