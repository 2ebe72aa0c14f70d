import { expect, test } from "vitest";
import { nearestKey, suggestKey } from "./nearest-key.ts";

const KNOWN = ["maxExecutionTime", "servers", "sandboxMode", "resourceLimits"];

test.each([
  ["max_execution_time", "maxExecutionTime"],
  ["MaxExecutionTime", "maxExecutionTime"],
  ["max-execution-time", "maxExecutionTime"],
  ["maxExecutonTime", "maxExecutionTime"],
  ["mcpServers", "servers"],
  ["server", "servers"],
  ["sandboxmode", "sandboxMode"],
  ["timeout", "maxExecutionTime"],
])("takes %s for %s", (key, nearest) => {
  expect(nearestKey(key, KNOWN)).toBe(nearest);
});

test.each(["colour", "x", "", "__proto__", "constructor"])("finds nothing near %j", (key) => {
  expect(nearestKey(key, KNOWN)).toBeUndefined();
});

test("a very long key costs no more than a long one", () => {
  expect(nearestKey("x".repeat(1_000_000), KNOWN)).toBeUndefined();
});

test("a suggestion says the unit, and turns a value around with its key", () => {
  expect(suggestKey("timeout", ["timeoutMs"])).toEqual({
    text: 'did you mean "timeoutMs", which is in milliseconds?',
    hint: 'Write "timeoutMs", in milliseconds, instead of "timeout"',
  });
  expect(suggestKey("timeout_ms", ["timeoutMs"])?.text).toBe('did you mean "timeoutMs"?');
  expect(suggestKey("disabled", ["enabled"], true)?.hint).toBe('Write "enabled": false');
  expect(suggestKey("disabled", ["enabled"], false)?.hint).toBe('Write "enabled": true');
  expect(suggestKey("colour", ["enabled"])).toBeUndefined();
});
