import { describe, expect, it } from "vitest";
import { createInputFit } from "./input-fit.ts";

const inputSchema = {
  type: "object",
  properties: { to: { type: "string" }, copies: { type: "array", items: { type: "string" } } },
  required: ["to"],
  additionalProperties: false,
};
const misfitOf = createInputFit((_server, tool) =>
  tool === "send" ? { hash: "h", inputSchema } : { hash: "h", inputSchema, hasUnusableInput: true },
);
const asked = { number: 1, server: "mail", tool: "send", toolHash: "h", args: {}, reason: "" };

describe("arguments that a person gives", () => {
  it.each<[string | undefined, Record<string, unknown>]>([
    [undefined, { to: "ann" }],
    [undefined, { to: "ann", copies: ["bob"] }],
    ['"to" is missing', {}],
    ['"to" must be string, and is number', { to: 5 }],
    ['"copies.[]" must be string, and is null', { to: "ann", copies: [null] }],
    ['"*" must be no further keys, and is a further key', { to: "ann", bcc: "eve" }],
  ])("are told what does not fit: %s", async (misfit, args) => {
    expect(await misfitOf(asked, args)).toBe(misfit);
  });

  it("are not judged by another definition than the one that was asked for, nor by one that can't be used", async () => {
    expect(await misfitOf({ ...asked, toolHash: "other" }, {})).toBeUndefined();
    expect(await misfitOf({ ...asked, tool: "odd" }, {})).toBeUndefined();
  });
});
