import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { permissionsSchema } from "../../config/permissions/schema.ts";
import { compileRule, holds } from "../../policy/permissions/compile-rule.ts";
import { createWork } from "../../policy/permissions/decision-work.ts";
import { toAlwaysRules } from "./always-rule.ts";

const asked = { now: new Date(), principal: "p", session: "s", client: "c" };
const call = (args: Record<string, unknown>, tool = "send_mail", server = "post") => ({
  number: 1,
  server,
  tool,
  toolHash: "h",
  args,
  reason: "sends",
});

const fingerprintOf = (server: string) => (server === "unknown" ? undefined : "f1");

function allows(rules: readonly unknown[], args: Record<string, unknown>, fingerprint = "f1"): boolean {
  const parsed = permissionsSchema.parse({ rules });
  return parsed.rules.some((rule) =>
    compileRule(rule, 1, "file").conditions.every(({ test }) =>
      holds(
        test({ ...asked, args, tool: toolRecord({ name: "send_mail", fingerprint }) }, createWork()),
        "allow",
      ),
    ),
  );
}

function rulesFor(args: Record<string, unknown>, free: string[] = []) {
  const made = toAlwaysRules({ calls: [call(args)] }, fingerprintOf, free);
  if ("reason" in made) throw new Error(made.reason);
  return made.rules;
}

describe("a rule for always", () => {
  it("allows the same arguments, and neither others nor more", () => {
    const args = { to: ["ada", "bob"], options: { urgent: true, "odd key": 1 }, note: null };
    const rules = rulesFor(args);
    expect(allows(rules, args)).toBe(true);
    for (const other of [
      { ...args, bcc: "eve" },
      { ...args, bcc: [] },
      { ...args, to: ["ada", "bob", "eve"] },
      { ...args, to: ["ada"] },
      { ...args, to: "ada" },
      { ...args, options: { ...args.options, hidden: true } },
      { ...args, note: "x" },
      {},
    ])
      expect([other, allows(rules, other)]).toEqual([other, false]);
  });

  it("leaves open what is free, and nothing else", () => {
    const rules = rulesFor({ to: "ada", body: "hi" }, ["$.body"]);
    expect(allows(rules, { to: "ada", body: "anything" })).toBe(true);
    expect(allows(rules, { to: "eve", body: "hi" })).toBe(false);
    expect(allows(rules, { to: "ada", body: { to: "eve" } })).toBe(false);
    expect(toAlwaysRules({ calls: [call({ to: "ada" })] }, fingerprintOf, ["$.body"])).toEqual({
      reason: 'no call has an argument at "$.body"',
    });
  });

  it("is for the server that was asked for, not for another of its name", () => {
    const rules = rulesFor({ to: "ada" });
    expect(allows(rules, { to: "ada" })).toBe(true);
    expect(allows(rules, { to: "ada" }, "f2")).toBe(false);
  });

  it("without arguments allows none", () => {
    expect(allows(rulesFor({}), {})).toBe(true);
    expect(allows(rulesFor({}), { all: true })).toBe(false);
  });

  it.each([
    ["a tool named as a pattern", call({}, "*")],
    ["a server named as a pattern", call({}, "send", "po*")],
    ["a name that hides something", call({}, "send\u202e")],
    ["a server that nothing tells from others", call({}, "send", "unknown")],
    ["an empty list", call({ to: [] })],
    ["a text too long to compare", call({ to: "x".repeat(5_000) })],
    ["a key that no path can name", call({ "a'\"b": 1 })],
    ["more values than a rule should have", call({ to: Array.from({ length: 60 }, String) })],
  ])("is not made of %s", (_what, one) => {
    expect(toAlwaysRules({ calls: [one] }, fingerprintOf)).toEqual({ reason: expect.any(String) });
  });

  it("fits its own call and no other, whatever the arguments are", () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.string({ maxLength: 5 }),
        fc.integer(),
        fc.boolean(),
        tie("list"),
        tie("object"),
      ),
      list: fc.array(tie("any"), { minLength: 1, maxLength: 3 }),
      object: fc.dictionary(fc.string({ maxLength: 4 }), tie("any"), {
        minKeys: 1,
        maxKeys: 3,
        noNullPrototype: true,
      }),
    }));
    fc.assert(
      fc.property(value.object, value.object, (args, other) => {
        const made = toAlwaysRules({ calls: [call(args as Record<string, unknown>)] }, fingerprintOf);
        if ("reason" in made) return;
        expect(allows(made.rules, args as Record<string, unknown>)).toBe(true);
        expect(allows(made.rules, other as Record<string, unknown>)).toBe(sameValues(args, other));
      }),
      { numRuns: 300 },
    );
  });
});

/** Order of keys aside. */
function sameValues(a: unknown, b: unknown): boolean {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === "object" && value !== null
        ? Object.entries(value)
            .sort(([one], [two]) => (one < two ? -1 : 1))
            .map(([key, inner]) => [key, sorted(inner)])
        : value;
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}
