import { expect, test } from "vitest";
import { KeyholeError } from "../errors.ts";
import { describeError } from "./output.ts";

test("what an error quotes can't pass for a line of ours", () => {
  const error = new KeyholeError("internal", "No\n✓ fake", {
    details: ["a\r\n✓ fake"],
    hint: "b\u2028→ fake",
  });
  const text = describeError(error, (_style, plain) => plain).join("\n");
  expect(text.split("\n").filter((line) => line.includes("fake"))).toEqual([
    "    ✓ fake",
    "    ✓ fake",
    "    → fake",
  ]);
});
