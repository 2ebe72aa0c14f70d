import { expect, it } from "vitest";
import { CALL_FAILURE_CODES } from "../../errors.ts";
import { loadDeclarations } from "../../world/declarations.ts";

it("has the codes that programs are checked against", () => {
  const [, declared = ""] = /type ToolErrorCode =([^;]*);/.exec(loadDeclarations()) ?? [];
  const codes = Array.from(declared.matchAll(/"(\w+)"/g), ([, code]) => code);
  expect(codes).toEqual([...CALL_FAILURE_CODES]);
});
