import { describe, expect, it } from "vitest";
import { toAnsweredLeave, toAnswerer, toLeave } from "./leave.ts";

const verdict = { decision: "ask", reason: "", by: { kind: "change" } } as const;

describe("who let a call be made", () => {
  it("is nobody in person where rules allow it", () => {
    const by = { kind: "securityLevel", level: "moderate" } as const;
    expect(toLeave({ decision: "allow", reason: "", by })).toEqual({
      decision: "allow",
      by: '"securityLevel": "moderate", the default',
      approved: "auto",
    });
  });

  it.each([
    ["cli root, by a script", { channel: "cli", person: "root, by a script" }],
    ["elicitation claude-code", { channel: "elicitation", person: "claude-code" }],
    ["elicitation me@mail.example", { channel: "elicitation", person: "unnamed" }],
    ["terminal", { channel: "terminal" }],
  ])("is told apart from the way: %s", (by, answerer) => {
    expect(toAnswerer(by)).toEqual(answerer);
    expect(toAnsweredLeave(verdict, { approval: "a_1", by, isApproved: true })).toEqual({
      decision: "ask",
      by: '"permissions.onChange"',
      approved: "person",
      approval: "a_1",
      ...answerer,
    });
  });

  it("is no person where nobody answered in time and the config takes that for a yes", () => {
    const leave = toAnsweredLeave(verdict, { approval: "a_1", by: "expiry", isApproved: true });
    expect(leave).toMatchObject({ approved: "auto", channel: "expiry" });
  });
});
