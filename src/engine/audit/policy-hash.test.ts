import { expect, it } from "vitest";
import type { PolicySource } from "../../config/permissions/policy-source.ts";
import { toPolicyHash } from "./policy-hash.ts";

const hashOf = (...policies: readonly PolicySource[]) => toPolicyHash({ hash: String }, { policies });

it("is another one where a rule is, not where a file is that has none", () => {
  const rules = { file: "project", securityLevel: "high" } as const;
  expect(hashOf({ file: "user" }, rules)).toBe(hashOf(rules));
  expect(hashOf({ file: "user", securityLevel: "low" }, rules)).not.toBe(hashOf(rules));
  expect(hashOf({ ...rules, file: "elsewhere" })).toBe(hashOf(rules));
});
