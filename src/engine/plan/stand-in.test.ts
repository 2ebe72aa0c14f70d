import { describe, expect, it } from "vitest";
import type { ToolRecord } from "../../catalog/tool.ts";
import { dependsOn, toMark, toStandIn } from "./stand-in.ts";

const tool = (outputSchema?: ToolRecord["outputSchema"]) =>
  ({ outputSchema }) as Pick<ToolRecord, "outputSchema"> as ToolRecord;

describe("a stand-in", () => {
  it("has the shape of the results, and each value of it tells whose it is", () => {
    const value = toStandIn(
      tool({
        type: "object",
        properties: {
          id: { type: "integer" },
          url: { type: "string" },
          ok: { type: "boolean" },
          state: { enum: ["open", "closed"] },
          labels: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
          owner: { anyOf: [{ type: "object", properties: { login: { type: "string" } } }, { type: "null" }] },
        },
      }),
      3,
    );
    expect(value).toEqual({
      id: expect.any(Number),
      url: toMark(3),
      ok: true,
      state: "open",
      labels: [{ name: toMark(3) }],
      owner: { login: toMark(3) },
    });
    const { id, url } = value as { id: number; url: string };
    expect(dependsOn(JSON.stringify({ issue: id }), 3)).toBe(true);
    expect(dependsOn(JSON.stringify({ text: `see ${url}` }), 3)).toBe(true);
    expect(dependsOn(JSON.stringify({ issue: id }), 4)).toBe(false);
  });

  it.each([
    [undefined, {}],
    [true, {}],
    [{ type: "null" }, null],
    [{ $ref: "#/nowhere" }, {}],
  ])("of %j is %j", (schema, expected) => {
    expect(toStandIn(tool(schema as ToolRecord["outputSchema"]), 1)).toEqual(expected);
  });

  it("comes to an end where a schema does not", () => {
    const endless: Record<string, unknown> = { type: "object" };
    endless["properties"] = { again: endless };
    expect(JSON.stringify(toStandIn(tool(endless as ToolRecord["outputSchema"]), 1)).length).toBeLessThan(
      500,
    );
  });
});
