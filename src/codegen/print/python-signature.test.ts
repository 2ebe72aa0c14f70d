import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { toPythonSignature } from "./python-signature.ts";

function sign(inputSchema: object, comments = false) {
  const tool = toolRecord({
    name: "do",
    identifiers: { typescript: "doIt", python: "do_it" },
    inputSchema: { ...inputSchema },
    outputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  });
  return toPythonSignature(tool, serverRecord("demo", [tool]), { comments }).code;
}

const input = {
  type: "object",
  properties: {
    mode: { enum: ["a", "b"], description: "How\ntype: ignore" },
    path: { type: "string" },
    deep: { type: "object", properties: { on: { type: "boolean", description: "On?" } } },
  },
  required: ["path"],
};

describe("toPythonSignature", () => {
  it("has a keyword for each property, required ones first, and the classes it names", () => {
    expect(sign(input).split("\n")).toEqual([
      'await demo.do_it(path: str, mode: Literal["a", "b"] = ..., deep: Deep = ...) -> Result',
      "class Deep(TypedDict):",
      "    on: NotRequired[bool]",
      "class Result(TypedDict):",
      "    id: int",
    ]);
  });

  it("keeps the comments when they are wanted, each on its line", () => {
    const code = sign(input, true);
    expect(code).toContain('    mode: Literal["a", "b"] = ...,  # How type: ignore');
    expect(code).toContain("    # On?");
  });

  it("takes one argument where keywords can't be written", () => {
    const awkward = {
      type: "object",
      properties: { "not-a-name": { type: "string" }, class: { type: "string" } },
    };
    expect(sign(awkward)).toMatch(/^await demo\.do_it\(arguments: /);
  });
});
