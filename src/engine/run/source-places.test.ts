import { expect, it } from "vitest";
import { toSourcePlaces } from "./source-places.ts";

/** Line, column, and where they were: ten lines further down. */
const moved = Int32Array.of(1, 1, 11, 1, 2, 5, 12, 5, 3, 1, 13, 1);

it("tells the places of a stack as the program was written", () => {
  const text = "Error: no\n    at main (program:2:5)\n\tat a b (program:3:1)\nnot (program:4:1)";
  expect(toSourcePlaces(text, moved)).toBe(
    "Error: no\n    at main (program:12:5)\n\tat a b (program:13:1)\nnot (program:4:1)",
  );
});

it("tells those of skills by their own tables, and leaves what is none of them", () => {
  const text = "Error: no\n    at f (skills/a-b:2:5)\n    at g (skills/other:2:5)\n    at main (program:1:1)";
  expect(toSourcePlaces(text, moved, [{ name: "a-b", places: Int32Array.of(2, 5, 7, 3) }])).toBe(
    "Error: no\n    at f (skills/a-b:7:3)\n    at g (skills/other:2:5)\n    at main (program:11:1)",
  );
});

it.each([
  ["line ends that are no new line", `(program:${"\r".repeat(60_000)}`],
  ["spaces", `(program:${" ".repeat(60_000)}`],
  ["a very long text", "at x (program:1:1)\n".repeat(100_000)],
])("leaves %s as they are", (_what, text) => {
  expect(toSourcePlaces(text, moved)).toBe(text);
});
