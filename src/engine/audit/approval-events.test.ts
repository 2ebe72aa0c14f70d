import { expect, it } from "vitest";
import { listTrail } from "../../../test/fixtures/audit/list-trail.ts";
import { maskingPrivacy } from "../../../test/fixtures/audit/masking-privacy.ts";
import { toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { Approval } from "../../policy/approvals/approval.ts";
import { createApprovalTrail } from "./approval-events.ts";
import { toGravest } from "./call-risk.ts";
import { toHashed } from "./trail.ts";

it("a question and its answer have the client, the risk of the gravest call, and what was shown", async () => {
  const { trail, events } = listTrail();
  const privacy = await maskingPrivacy();
  const listener = createApprovalTrail(trail, () => privacy);
  const call = { number: 1, server: "mail", toolHash: "", reason: "ask boss@secretmail.example first" };
  const client = { name: "editor", version: "2.1" };
  const tools = ["list_mails", "send_mail"];
  const approval: Approval = {
    id: "a_1",
    runId: "r_1",
    session: "s_1",
    principal: "ada",
    status: "pending",
    calls: tools.map((tool) => ({ ...call, tool, args: { tool } })),
    about: {
      risk: { score: 1, level: "low" },
      gravest: toGravest(tools.map((name) => toolRecord({ server: "mail", name }))),
      client,
      written: [],
      approvedBefore: [],
    },
    createdAt: 0,
    expiresAt: 1,
  };
  listener.onAsked(approval);
  const given = { decision: "approve", scope: "once", by: "cli root", at: 5 } as const;
  listener.onSettled(approval, "approved", given);
  listener.onSettled(approval, "approved", { ...given, edits: { "1": { tool: "other" } } });
  const head = { client, risk: "high", principal: "ada" };
  const reason = "ask [EMAIL] first";
  expect(events).toMatchObject([
    {
      action: "approval.asked",
      ...head,
      details: {
        calls: tools.map((tool) => ({ tool, reason, input: toHashed(trail, JSON.stringify({ tool })) })),
      },
    },
    { action: "approval.answered", ...head, details: { person: "root" } },
    {
      action: "approval.answered",
      details: { edited: [{ number: 1, input: toHashed(trail, '{"tool":"other"}') }] },
    },
  ]);
  expect(events[1]?.details).not.toHaveProperty("edited");
});
