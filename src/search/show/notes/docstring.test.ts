import fc from "fast-check";
import { expect, it } from "vitest";
import { readDocstring } from "./docstring.ts";

const names = new Set(["start", "limit", "order"]);

it("reads what is said of each parameter, and of the result", () => {
  const docstring = readDocstring(
    `
    List the events.

    Args:
        start (str): First day, as
            YYYY-MM-DD
        limit: At most this many
        stranger: not a parameter of it
    Returns:
        list: the events, newest first
    Raises:
        ValueError: if the day is none
    Note: only own events
    `,
    names,
  );
  expect([...docstring.parameters]).toEqual([
    ["start", "First day, as\nYYYY-MM-DD"],
    ["limit", "At most this many\nstranger: not a parameter of it"],
  ]);
  expect(docstring.returns).toContain("the events, newest first");
  expect(docstring.prose).toContain("List the events.");
  expect(docstring.prose).toContain("only own events");
  expect(docstring.prose).not.toContain("ValueError");
});

it.each([
  ["## Parameters\n- **start**: First day", "First day"],
  ["Parameters:\n- `start` - First day", "First day"],
  [":param start: First day\n:returns: all", "First day"],
  ["参数：\n  start: First day", "First day"],
])("reads %j", (text, expected) => expect(readDocstring(text, names).parameters.get("start")).toBe(expected));

it("leaves a text without sections as it is", () => {
  const text = "Lists events. Start: see above. It returns them all.";
  expect(readDocstring(text, names)).toEqual({ prose: text, parameters: new Map(), returns: "" });
});

it("reads anything", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
      expect(typeof readDocstring(`Args:\n${text}`, names).prose).toBe("string");
    }),
  );
  expect(readDocstring(`Args:\n${" ".repeat(50_000)}start`, names).parameters.size).toBe(0);
});
