import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { SignatureStyle } from "../print/signature.ts";
import { toPythonSignature } from "./python-signature.ts";

function sign(inputSchema: object, style: SignatureStyle = "whole") {
  const tool = toolRecord({
    name: "do",
    identifiers: { typescript: "doIt", python: "do_it" },
    inputSchema: { ...inputSchema },
    outputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  });
  return toPythonSignature(tool, serverRecord("demo", [tool]), style).code;
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
      'await demo.do_it(path: str, mode: Literal["a", "b"] = ..., deep: Deep = ...) -> DoItResult',
      "class Deep(TypedDict):",
      "    on: NotRequired[bool]",
      "class DoItResult(TypedDict):",
      "    id: int",
    ]);
  });

  it("takes along the types it names", () => {
    const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" } } };
    const code = sign({
      type: "object",
      properties: { root: { $ref: "#/$defs/Node" } },
      $defs: { Node: node },
    });
    expect(code).toContain("root: Node = ...");
    expect(code).toContain("class Node(TypedDict):");
  });

  it("says when it left out a name that is too long", () => {
    const long = {
      type: "object",
      properties: { ["x".repeat(2000)]: { type: "string" }, ok: { type: "string" } },
    };
    expect(sign(long)).toMatch(/^await demo\.do_it\(ok: str = \.\.\., \.\.\.\) /);
  });

  it("keeps the comments when they are wanted, each on its line", () => {
    const code = sign(input, "documented");
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
