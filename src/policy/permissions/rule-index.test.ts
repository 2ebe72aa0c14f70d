import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { PermissionRule } from "../../config/permissions/schema.ts";
import { createPolicy } from "./policy.ts";

const tool = toolRecord({ server: "mail", name: "send_email" });
const now = new Date(0);

const word = fc.oneof(
  fc.constantFrom(
    "corp",
    "corpora",
    "CORP",
    "evil",
    "5",
    "true",
    " corp ",
    "cörp",
    "ｃｏｒｐ",
    "corp\u0301",
    "ſend",
    "c0rp",
    "сorp",
    "co\u200brp",
    "5.0",
    "YES",
    '["corp"]',
    "",
  ),
  fc.string({ maxLength: 6 }),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  word,
  word.map((text) => text.repeat(90)),
  fc.constantFrom(5, true, null, "x".repeat(5_000), { to: "corp" }, [], [["corp"]], [{ to: "corp" }]),
  fc.array(word, { maxLength: 4 }),
);
const condition = fc.oneof(
  word.map((equals) => ({ equals })),
  fc.constantFrom(5, true).map((equals) => ({ equals })),
  fc
    .constantFrom(
      "^corp$",
      "corpora",
      "^evil",
      "(?i)CORP",
      "evil|corp",
      "[a-z]{4,}",
      "corp.*evil",
      "send",
      "^$",
    )
    .map((matches) => ({ matches })),
);
const rule: fc.Arbitrary<PermissionRule> = fc.record(
  {
    decision: fc.constantFrom("allow", "ask", "deny"),
    tool: fc.constant("send_*"),
    args: fc.dictionary(fc.constantFrom("$.to", "$.cc", "$.list[*]"), condition, { minKeys: 0, maxKeys: 2 }),
    principal: fc.constantFrom("ann", "bob", "BOB", "ｂob", "b*", "*"),
  },
  { requiredKeys: ["decision"] },
);

describe("many rules about arguments", () => {
  it("are decided as if each were tried in its turn", () => {
    const args = fc.dictionary(fc.constantFrom("to", "TO", "cc", "list"), value);
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 12, maxLength: 40 }),
        fc.array(args, { minLength: 5 }),
        (rules, calls) => {
          const policy = createPolicy([{ file: "a", permissions: { rules } }]);
          for (const given of calls) {
            const call = { tool, args: given, principal: "bob", session: "s", client: "c", now };
            const expected = policy.explain(call).rules.find(({ matches }) => matches)?.number;
            const { by } = policy.decide(call);
            expect(by.kind === "rule" ? by.number : undefined).toBe(expected);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("stay in their order where several match", () => {
    const rules: PermissionRule[] = Array.from({ length: 50 }, (_, n) => ({
      args: { "$.to": n % 2 === 0 ? { equals: `user${n % 10}` } : { matches: "^user\\d$" } },
      decision: n % 3 === 0 ? "deny" : "allow",
    }));
    const policy = createPolicy([{ file: "a", permissions: { rules } }]);
    const numberOf = (to: unknown) => {
      const { by } = policy.decide({ tool, args: { to }, principal: "", session: "", client: "", now });
      return by.kind === "rule" ? by.number : undefined;
    };
    expect([numberOf("user0"), numberOf("user4"), numberOf("nobody")]).toEqual([1, 2, undefined]);
  });
});
