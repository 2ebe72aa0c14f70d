import { expect, it } from "vitest";
import { loadDeclarations } from "../../world/declarations.ts";
import { CALL_FAILURE_CODES } from "./call-failure.ts";

it("has the codes that programs are checked against", () => {
  const [, declared = ""] = /type ToolErrorCode =([^;]*);/.exec(loadDeclarations()) ?? [];
  const codes = Array.from(declared.matchAll(/"(\w+)"/g), ([, code]) => code);
  expect(codes).toEqual([...CALL_FAILURE_CODES]);
});
