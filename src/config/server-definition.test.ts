import { expect, test } from "vitest";
import { serverNameProblem } from "./server-definition.ts";

test.each(["github", "my server ü", "a.b/c", "日本", "constructor"])("a server may be named %j", (name) => {
  expect(serverNameProblem(name)).toBeUndefined();
});

test.each([
  "",
  "  ",
  "a\nb",
  "a\u001b[31m",
  "a\u009b31m",
  "a\u007f",
  "a\u202eb",
  "a\u2066b",
  "a\u200fb",
  "a\u200bb",
  "\ufeffa",
  "a\u2028b",
  "x".repeat(129),
  "__proto__",
])("a server cannot be named %j", (name) => {
  expect(serverNameProblem(name)).toBeTruthy();
});
