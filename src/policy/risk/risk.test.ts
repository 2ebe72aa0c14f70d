import { describe, expect, it } from "vitest";
import { toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { ProgramFacts, ToolUse } from "../program-facts.ts";
import { validate } from "../validate/validate.ts";
import { assessImpact } from "./impact.ts";
import { assessRisk } from "./risk.ts";

const place = { line: 1, column: 1 };
const NOTHING: ProgramFacts = {
  lines: 1,
  complexity: 1,
  hits: [],
  moreHits: 0,
  tools: [],
  dynamic: [],
  files: [],
  hosts: [],
  commands: [],
  flows: [],
};
const tool = (server: string, name: string) => toolRecord({ server, name });
const use = (server: string, name: string, inLoop = false): ToolUse => ({
  server,
  tool: name,
  inLoop,
  ...place,
});

function riskOf(facts: Partial<ProgramFacts>) {
  const whole = { ...NOTHING, ...facts };
  return assessRisk(whole, { tool, findings: validate(whole, "moderate") });
}

const impactOf = (facts: Partial<ProgramFacts>) => assessImpact({ ...NOTHING, ...facts }, { tool });

describe("the risk", () => {
  it("of reading is none, in loops too", () => {
    expect(riskOf({ tools: [use("github", "list_issues"), use("github", "get_issue", true)] })).toEqual({
      score: 0,
      level: "low",
      reasons: [],
    });
  });

  it.each([
    ["low", { tools: [use("github", "create_issue")] }],
    ["low", { tools: [use("mail", "send_email")] }],
    ["medium", { tools: [use("crm", "delete_contact")] }],
    ["medium", { tools: [use("mail", "send_email", true)] }],
    ["high", { tools: [use("crm", "delete_contact", true)] }],
    ["high", { hits: [{ rule: "hidden-name", ...place }] }],
    ["high", { hits: [{ rule: "not-examined", ...place }] }],
    ["critical", { tools: [use("crm", "delete_contact", true)], hits: [{ rule: "decoded-eval", ...place }] }],
  ] as const)("is %s of %j", (level, facts) => {
    expect(riskOf(facts).level).toBe(level);
  });

  it("has a reason for every point", () => {
    const { score, reasons } = riskOf({
      tools: [use("mail", "send_email", true)],
      dynamic: [place],
      hosts: [{ host: "a.example", ...place }],
      commands: [{ command: "git push", ...place }],
      files: [{ path: "x", access: "delete", ...place }],
    });
    expect(score).toBe(reasons.reduce((sum, { points }) => sum + points, 0));
    expect(reasons.every(({ points, reason }) => points > 0 && reason !== "")).toBe(true);
  });

  it("is more where something private goes to others", () => {
    const tools = [use("crm", "list_contacts"), use("slack", "post_message")];
    const to = { server: "slack", tool: "post_message" };
    const calm = riskOf({
      tools,
      flows: [{ from: { server: "weather", tool: "get_forecast" }, to, ...place }],
    });
    const grave = riskOf({
      tools,
      flows: [{ from: { server: "crm", tool: "list_contacts" }, to, ...place }],
    });
    expect(grave.score).toBeGreaterThan(calm.score + 10);
    expect(calm.score).toBeGreaterThan(riskOf({ tools }).score);
  });

  it("never passes a hundred", () => {
    const names = Array.from({ length: 50 }, (_, number) => use("crm", `delete_${number}`, true));
    const { score, level } = riskOf({
      tools: names,
      commands: Array(20).fill({ ...place, command: "rm" }),
      dynamic: [place],
    });
    expect({ score, level }).toEqual({ score: 100, level: "critical" });
  });

  it("is more where a rule denies a tool", () => {
    const facts = { ...NOTHING, tools: [use("github", "list_issues")] };
    expect(assessRisk(facts, { tool, findings: [], decide: () => "deny" }).score).toBeGreaterThan(0);
  });
});

describe("the impact", () => {
  it("of reads is none", () => {
    expect(impactOf({ tools: [use("github", "list_issues")] })).toMatchObject({
      dynamic: false,
      modifies: false,
      reversible: true,
    });
  });

  it.each([
    [{ tools: [use("github", "update_issue")] }, true, true],
    [{ tools: [use("github", "delete_issue")] }, true, false],
    [{ tools: [use("mail", "send_email")] }, true, false],
    [{ dynamic: [place] }, true, false],
    [{ commands: [place] }, true, false],
    [{ files: [{ path: "workspace/x", access: "write" as const, ...place }] }, false, true],
  ])("of %j", (facts, modifies, reversible) => {
    expect(impactOf(facts)).toMatchObject({ modifies, reversible });
  });
});
