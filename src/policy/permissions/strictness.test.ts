import fc from "fast-check";
import { expect, it } from "vitest";
import { toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { permissionsSchema } from "../../config/permissions/schema.ts";
import { createPolicy } from "./policy.ts";
import { effectOfName } from "./verbs.ts";

const word = fc.constantFrom(
  "send",
  "Send",
  "delete",
  "get",
  "mail",
  "user",
  "deleted",
  "and",
  "_",
  "-",
  ".",
  "X",
  "sеnd",
  "é",
  "7",
);
const name = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(""));
const glob = fc
  .array(fc.oneof(word, fc.constant("*")), { minLength: 1, maxLength: 5 })
  .map((words) => words.join(""));
const path = fc.constantFrom("$.a", "$.a.b", "$.a[0]", "$.a[*]", "$.a.*", "$.__proto__.b", "$['a'].b[*]");
const condition = fc.oneof(
  fc.record({ equals: fc.constantFrom("main", 5, true, null, "") }),
  fc.record({ matches: fc.constantFrom("^ma", "@corp\\.com$", "5", "", "[^a]", "(?i)MAIN") }),
);
const leaf = fc.constantFrom(
  "main",
  "MAIN",
  " main",
  5,
  "5",
  true,
  null,
  "a@corp.com",
  "x".repeat(5_000),
  "ｍain",
);
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", "0"), tie("any")),
  ),
})).any;
const when = fc.record(
  {
    readOnly: fc.boolean(),
    destructive: fc.boolean(),
    idempotent: fc.boolean(),
    openWorld: fc.boolean(),
    trusted: fc.boolean(),
  },
  { requiredKeys: [] },
);
const declared = fc.record(
  { readOnly: fc.boolean(), destructive: fc.boolean(), idempotent: fc.boolean(), openWorld: fc.boolean() },
  { requiredKeys: [] },
);

it("whatever a rule would allow, the same rule would deny: what forbids never matches less", () => {
  const rules = fc.record(
    { server: glob, tool: glob, when, args: fc.dictionary(path, condition, { maxKeys: 1 }) },
    { requiredKeys: [] },
  );
  const cases = fc.record({ rule: rules, name, value, declared, trusted: fc.boolean() });
  let allowed = 0;
  fc.assert(
    fc.property(cases, ({ name: own, value: a, declared: said, trusted, rule }) => {
      const tool = toolRecord({ name: own, server: own, declared: said, trusted });
      const decide = (decision: "allow" | "deny") => {
        const permissions = permissionsSchema.parse({ rules: [{ ...rule, decision }] });
        const call = { tool, args: { a }, principal: "local", session: "s", client: "c", now: new Date(0) };
        return createPolicy([{ file: "f", permissions, securityLevel: "maximum" }]).decide(call);
      };
      const verdict = decide("allow");
      if (verdict.by.kind !== "rule") return;
      allowed++;
      expect(decide("deny").by.kind).toBe("rule");
    }),
    { numRuns: 5_000 },
  );
  expect(allowed).toBeGreaterThan(30);
});

it("a name always has one effect, whatever it is", () => {
  fc.assert(
    fc.property(fc.oneof(name, fc.string({ unit: "binary", maxLength: 300 })), (text) => {
      expect(["reads", "writes", "destroys", "sends", "pays", "publishes", "unknown"]).toContain(
        effectOfName(text),
      );
    }),
    { numRuns: 3_000 },
  );
});
