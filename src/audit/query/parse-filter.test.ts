import { describe, expect, it } from "vitest";
import { parseFilter } from "./parse-filter.ts";

describe("parseFilter", () => {
  it("takes all that can be asked for", () => {
    const now = Date.UTC(2026, 10, 16, 12);
    const filter = parseFilter(
      {
        from: "2h",
        to: "now",
        session: "s_1",
        principal: "ana",
        client: "cursor",
        server: "github",
        tool: "list",
        run: "r_1",
        risk: "HIGH",
        outcome: "failed, denied",
        action: "approval,call.ended,call.ended",
        text: " by hand ",
        json: true,
      },
      now,
    );
    expect(filter).toEqual({
      from: now - 7_200_000,
      to: now,
      session: "s_1",
      principal: "ana",
      client: "cursor",
      server: "github",
      tool: "list",
      run: "r_1",
      risk: "high",
      outcomes: ["failed", "denied"],
      actions: ["approval.asked", "approval.answered", "call.ended"],
      text: "by hand",
    });
    expect(parseFilter({})).toEqual({});
  });

  it.each([
    [{ risk: "huge" }, "low, medium, high, critical"],
    [{ outcome: "ok,bad" }, "failed"],
    [{ action: "call.endet" }, "call.ended"],
    [{ action: "zzz" }, "approval"],
    [{ from: "1h", to: "2h" }, "--from"],
    [{ text: " " }, "Leave it out"],
    [{ tool: "x".repeat(2_000) }, "1000 characters"],
  ])("refuses %j, and names the way out", (options, hint) => {
    expect(() => parseFilter(options)).toThrow(
      expect.objectContaining({ code: "usage", hint: expect.stringContaining(hint) }),
    );
  });
});
