import { expect, it } from "vitest";
import { listTrail } from "../../../test/fixtures/audit/list-trail.ts";
import type { Approval } from "../../policy/approvals/approval.ts";
import { createShownApprovals } from "./shown-approvals.ts";

const APPROVAL: Approval = {
  id: "a_1",
  runId: "r_1",
  session: "s_1",
  principal: "ada",
  status: "pending",
  calls: [],
  about: { classes: { EMAIL: 2 }, written: [], approvedBefore: [] },
  createdAt: 0,
  expiresAt: 1,
};

it("who is shown personal values in a question is told, once; where it can't be, nothing is shown", async () => {
  const { trail, events, commits, fail } = listTrail();
  const shown = createShownApprovals(trail);
  const plain = { ...APPROVAL, id: "a_2", about: { classes: {}, written: [], approvedBefore: [] } };
  await shown([APPROVAL, plain], "http ann");
  await shown([APPROVAL], "http ann");
  await shown([APPROVAL], "cli root");
  const head = { action: "pii.shown", session: "s_1", principal: "ada", run: "r_1", outcome: "ok" };
  const details = { classes: { EMAIL: 2 }, approval: "a_1" };
  expect(events).toEqual([
    { ...head, details: { ...details, channel: "http", person: "ann" } },
    { ...head, details: { ...details, channel: "cli", person: "root" } },
  ]);
  expect(commits()).toBe(2);
  fail(new Error("The disk is full"));
  await expect(shown([{ ...APPROVAL, id: "a_3" }], "http ann")).rejects.toThrow("The disk is full");
});
