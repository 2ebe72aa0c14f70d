import { expect, it } from "vitest";
import type { Approval } from "../../policy/approvals/approval.ts";
import { PLAIN_COMMAND } from "../../text/keyhole-command.ts";
import { toForm, toFormAnswer } from "./question.ts";

function question(tools: number, session = "s_1"): Approval {
  const calls = Array.from({ length: tools }, (_, n) => ({
    number: n + 1,
    server: "post",
    tool: `send${n}`,
    toolHash: `h${n}`,
    args: {},
    reason: "it sends",
  }));
  const about = { written: [], approvedBefore: [] };
  const whose = { id: "a_1", runId: "r_1", session, principal: "local" };
  return { ...whose, status: "pending", calls, about, createdAt: 0, expiresAt: 1 };
}

const scopesIn = (approval: Approval) =>
  (
    toForm(approval, PLAIN_COMMAND, approval.session).requestedSchema.properties["decision"] as {
      enum?: string[];
    }
  ).enum;

it("offers more than once only where every tool is named, and takes no other answer", () => {
  const session = { action: "accept", content: { decision: "session" } };
  expect(scopesIn(question(50))).toEqual(["once", "run", "session", "deny"]);
  expect(toFormAnswer(session, question(50), question(50).session)).toEqual({
    decision: "approve",
    scope: "session",
  });
  const { message } = toForm(question(50), PLAIN_COMMAND, question(50).session);
  for (let n = 0; n < 50; n++) expect(message).toContain(`post.send${n}: 1 call`);
  expect(scopesIn(question(51))).toEqual(["once", "deny"]);
  expect(toFormAnswer(session, question(51), question(51).session)).toBeUndefined();
});

it("offers and takes no session where the client is in another one than the question", () => {
  const approval = question(1);
  const { requestedSchema } = toForm(approval, PLAIN_COMMAND, "s_other");
  expect((requestedSchema.properties["decision"] as { enum?: string[] }).enum).toEqual([
    "once",
    "run",
    "deny",
  ]);
  const answer = (decision: string) =>
    toFormAnswer({ action: "accept", content: { decision } }, approval, "s_other");
  expect([answer("session"), answer("run")]).toEqual([undefined, { decision: "approve", scope: "run" }]);
});
