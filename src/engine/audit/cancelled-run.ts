import type { NewEvent } from "../../audit/event.ts";
import type { Approval } from "../../policy/approvals/approval.ts";
import type { WholeRun } from "../journal/recorded-runs.ts";
import { createApprovalTrail } from "./approval-events.ts";
import { createToldSessions } from "./told-names.ts";
import { type AuditTrail, commitSoon, toHashed } from "./trail.ts";

const NO_TOKENS = { seenTokens: 0, keptTokens: 0, directTokens: 0, catalogTokens: 0 };

export type LeftRun = Pick<
  WholeRun,
  "id" | "session" | "principal" | "client" | "code" | "codeBytes" | "calls"
>;

/**
 * A run that no process has is ended by the word of the user, and nobody is asked for it any more. Nothing ran for that: what it used
 * is told where it began to wait.
 */
export function tellLeftCancelled(
  trail: AuditTrail,
  run: LeftRun,
  withdrawn: readonly Approval[],
  person?: string,
): void {
  const { id, session, principal, client, code, codeBytes, calls } = run;
  const approvals = createApprovalTrail(trail);
  for (const approval of withdrawn) approvals.onSettled(approval, "withdrawn");
  const event: NewEvent = {
    action: "run.ended",
    session,
    principal,
    client: createToldSessions()({ client }).client,
    run: id,
    outcome: "cancelled",
    error: CANCELLED_BY_COMMAND,
    details: {
      status: "failed",
      kind: "cancelled",
      message: CANCELLED_BY_COMMAND,
      code: { hash: trail.hash(code), bytes: codeBytes },
      output: toHashed(trail, ""),
      tier: "none",
      usage: NO_TOKENS,
      calls: calls.length,
      failedCalls: calls.filter(({ ok }) => ok === false).length,
      ...(withdrawn.length > 0 && { approvals: withdrawn.map((approval) => approval.id) }),
      cancelled: { channel: "cli", ...(person !== undefined && { person }) },
    },
  };
  trail.add(event);
  commitSoon(trail);
}

const CANCELLED_BY_COMMAND = "The run was cancelled by a command while it waited";
