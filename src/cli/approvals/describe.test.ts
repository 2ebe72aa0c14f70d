import { expect, it } from "vitest";
import { approvalLine } from "./describe.ts";

it("marks a question whose calls may already have been made, in the list too", () => {
  const call = { number: 1, server: "mail", tool: "send", toolHash: "h", args: {}, reason: "" };
  const line = (repeat?: number) =>
    approvalLine({
      id: "a_1",
      runId: "r_1",
      session: "s",
      principal: "local",
      status: "pending",
      calls: [{ ...call, ...(repeat !== undefined && { repeat }) }],
      about: { written: [], approvedBefore: [] },
      createdAt: Date.now(),
      expiresAt: Date.now(),
    });
  expect(line(1)).toContain("may already have happened");
  expect(line()).not.toContain("may already have happened");
});
