import { expect, it } from "vitest";
import { toListedValues } from "./listed-values.ts";

it.each([
  ["One of: line, bar, pie", "chart", ["line", "bar", "pie"]],
  ["Sort order, 'asc' or 'desc'", "x", ["asc", "desc"]],
  ['Status: "open", "in progress" or "done" (default: "open")', "x", ["open", "in progress", "done"]],
  ["Valid periods: `1d`,`5d`,`1mo`", "x", ["1d", "5d", "1mo"]],
  ["Temperature unit (celsius or fahrenheit)", "temperature_unit", ["celsius", "fahrenheit"]],
  ["Wind speed unit (kmh, ms, mph, kn)", "wind_speed_unit", ["kmh", "ms", "mph", "kn"]],
  ["State of the issue (open|closed|all)", "x", ["open", "closed", "all"]],
  ["Must be one of public, private.", "x", ["public", "private"]],
  ["Has to be one of subject, inbox/outbox, body.", "x", ["subject", "inbox/outbox", "body"]],
  ["Must be one of read/write", "x", ["read", "write"]],
  ["Options: 'key' (an access key), or 'login' (a person's)", "x", ["key", "login"]],
])("finds the values that %j lists", (text, name, values) =>
  expect(toListedValues(text, { name })?.values).toEqual(values),
);

it("takes the words that announce the values with them", () =>
  expect(toListedValues("The part to read. Has to be one of body, subject.", { name: "x" })?.written).toBe(
    "Has to be one of body, subject",
  ));

it.each([
  ["Currency code (e.g., NOK, USD)", "type"],
  ["Currency code, for example 'NOK' or 'USD'", "type"],
  ["Owner (username or organization)", "owner"],
  ["Coordinates (latitude, longitude)", "at"],
  ["Name and address of the customer", "customer"],
  ["Must be positive and less than 10", "x"],
  ["The file's path or URL", "file"],
  ["Types such as 'a', 'b'", "x"],
  ["", "x"],
])("takes none from %j", (text, name) => expect(toListedValues(text, { name })).toBeUndefined());

it("takes bare words in brackets for values where one of them is the default", () => {
  const text = "How to search (fuzzy or strict)";
  expect(toListedValues(text, { name: "how" })).toBeUndefined();
  expect(toListedValues(text, { name: "how", default: "fuzzy" })?.values).toEqual(["fuzzy", "strict"]);
});

it("is done with hostile text in no time, and takes few values", () => {
  for (const text of [
    '"a",'.repeat(5_000),
    "(a,".repeat(5_000),
    `one of ${"a, ".repeat(9_000)}`,
    "'".repeat(9_000),
  ]) {
    expect(toListedValues(text, { name: "type" })?.values.length ?? 0).toBeLessThanOrEqual(20);
  }
});
