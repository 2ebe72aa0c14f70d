import { expect, test } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { toCheckedTypes } from "./checked-types.ts";

function inputText(properties: object): string {
  const tool = toolRecord({ name: "f", inputSchema: { type: "object", properties: { ...properties } } });
  return toCheckedTypes(tool, serverRecord("s", [tool]), { useHints: true }).inputText;
}

test("a type is written out on one line", () => {
  const names = Array.from({ length: 12 }, (_, index) => `property${index}`);
  const inner = { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) };
  const text = names.map((name) => `${name}?: unknown;`).join(" ");
  expect(inputText({ inner })).toBe(`{ inner?: { ${text} }; }`);
});

test("a value of millions of spaces is written out like any other", () => {
  const spaces = " ".repeat(5_000_000);
  expect(inputText({ e: { enum: [`a\n${spaces}`, "b"] } })).toBe(`{ e?: "a\\n${spaces}" | "b"; }`);
});
