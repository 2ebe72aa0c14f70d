import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { SignatureStyle } from "../print/signature.ts";
import { toTypeScriptSignature } from "./signature.ts";

const tree = {
  type: "object",
  properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Node" } } },
};
const outputSchema = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };

function sign(inputSchema: object, style: SignatureStyle, output: object | undefined = outputSchema) {
  const tool = toolRecord({
    name: "do",
    identifiers: { typescript: "doIt", python: "do" },
    inputSchema: { ...inputSchema },
    outputSchema: output && { ...output },
  });
  return toTypeScriptSignature(tool, serverRecord("demo", [tool]), style);
}

describe("toTypeScriptSignature", () => {
  it("fits on a line when compact, without comments and open ends", () => {
    const input = {
      type: "object",
      properties: {
        path: { type: "string", description: "Where" },
        deep: { type: "object", properties: { on: { type: "boolean" } } },
      },
      required: ["path"],
    };
    expect(sign(input, "whole")).toEqual({
      code: "demo.doIt(input: { path: string; deep?: { on?: boolean } }): Promise<{ id: number }>",
      isCut: false,
    });
    expect(sign(input, "documented").code).toContain("path: string; // Where");
  });

  it("takes along the types it names", () => {
    const input = { type: "object", properties: { root: { $ref: "#/$defs/Node" } }, $defs: { Node: tree } };
    expect(sign(input, "whole").code.split("\n")).toEqual([
      "demo.doIt(input?: { root?: Node }): Promise<{ id: number }>",
      "type Node = { name?: string; children?: Node[] };",
    ]);
  });

  it("has no parameter for a tool that takes none, and says when it left something out", () => {
    expect(sign({ type: "object", properties: {} }, "whole").code).toBe(
      "demo.doIt(): Promise<{ id: number }>",
    );
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`p${i}`, { type: "string" }]),
    );
    expect(sign({ type: "object", properties }, "whole").isCut).toBe(true);
    expect(sign({ type: "object", properties }, "documented").isCut).toBe(false);
  });

  it("shows of an intersection as many members as of a union", () => {
    const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
    const refs = names.map((name) => ({ $ref: `#/$defs/${name}` }));
    const rings = names.map((name, index) => [name, { allOf: [{ $ref: "#" }, { required: [`p${index}`] }] }]);
    const input = { type: "object", allOf: refs, $defs: Object.fromEntries(rings) };
    const { code, isCut } = sign(input, "short");
    expect(code.split("\n")[0]).toMatch(/^demo\.doIt\(input: [^…]+( & [^…]+){3} & …\)/);
    expect(isCut).toBe(true);
  });

  it("leaves out a name or a value that is longer than a list of functions", () => {
    const long = "x".repeat(100_000);
    const input = { type: "object", properties: { a: { enum: [long, "b"] }, [long]: { type: "string" } } };
    for (const style of ["documented", "whole", "short"] as const) {
      const { code, isCut } = sign(input, style);
      expect(code).toBe('demo.doIt(input?: { a?: … | "b"; … }): Promise<{ id: number }>');
      expect(isCut).toBe(true);
    }
  });
});
