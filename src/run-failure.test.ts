import { expect, it } from "vitest";
import { isFailureKind, toFailureKind } from "./run-failure.ts";

it("a failure has one of a closed list of kinds, also where there was an error instead of a run", () => {
  expect(
    (["usage", "too_large", "cancelled", "store_unusable", "timeout"] as const).map(toFailureKind),
  ).toEqual(["usage", "too_large", "cancelled", "store_unusable", "timeout"]);
  expect((["server_unreachable", "tool_failed", "internal"] as const).map(toFailureKind)).toEqual(
    Array(3).fill("internal"),
  );
  expect(toFailureKind("config_invalid")).toBe("usage");
  expect(["cancelled", "lost in space", "toString"].map(isFailureKind)).toEqual([true, false, false]);
});
