import { expect, test } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { toTypeScriptSignature } from "../typescript/signature.ts";
import { printSafely } from "./print-safely.ts";

const tool = toolRecord({
  name: "f",
  inputSchema: { type: "object", properties: { a: { type: "string" } } },
  outputSchema: { type: "string" },
});

test("types that can be printed are printed", () => {
  expect(printSafely(tool, (one) => one)).toEqual({ made: tool, warnings: [] });
});

test("types that cannot be printed are left open, with a warning", () => {
  const { made, warnings } = printSafely(tool, (one) => {
    if (one.outputSchema !== undefined) throw new RangeError("Maximum call stack size exceeded");
    return toTypeScriptSignature(one, serverRecord("s", [one]), "whole").code;
  });
  expect(made).toBe("s.f(input?: Record<string, unknown>): Promise<unknown>");
  expect(warnings).toEqual([
    "its types cannot be printed and are left open: Maximum call stack size exceeded",
  ]);
});
