import { expect, test, vi } from "vitest";
import { KeyholeError } from "../errors.ts";
import { createOutput, describeError } from "./output.ts";

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

test.each([
  [true, "a,\u001b[31mred\r\nb\r\n", /^a,[^\u001b]*red[^\u001b]*\nb\n$/],
  [false, "a,\u001b[31mred\r\nb\r\n", /^a,\u001b\[31mred\r\nb\r\n$/],
])(
  "a piece of a file has nothing for a terminal to obey, and is itself in a pipe: %s",
  async (isTTY, piece, expected) => {
    const { stdout } = process;
    const before = Object.getOwnPropertyDescriptor(stdout, "isTTY");
    Object.defineProperty(stdout, "isTTY", { value: isTTY, configurable: true });
    const write = vi.spyOn(stdout, "write").mockReturnValue(true);
    try {
      await createOutput().rawPiece(piece);
      expect(write.mock.calls.map(([text]) => text).join("")).toMatch(expected);
    } finally {
      write.mockRestore();
      if (before) Object.defineProperty(stdout, "isTTY", before);
      else Reflect.deleteProperty(stdout, "isTTY");
    }
  },
);
