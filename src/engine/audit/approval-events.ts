import type { NewEvent } from "../../audit/event.ts";
import type { Approval } from "../../policy/approvals/approval.ts";
import type { ApprovalListener } from "../../policy/approvals/approvals.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { toAnswerer } from "./leave.ts";
import { toMasked } from "./run-trail.ts";
import { type AuditTrail, commitSoon, toHashed } from "./trail.ts";

const MAX_CALLS = 50;
const MAX_REASON = 300;

/** Questions to people and their answers, by whichever process: told in the transaction by which they come to hold. */
export function createApprovalTrail(
  trail: AuditTrail,
  privacyOf: (principal: string) => WorkspacePrivacy | undefined = () => undefined,
): ApprovalListener {
  return {
    onAsked(approval) {
      const { id, calls, expiresAt, principal } = approval;
      const privacy = privacyOf(principal);
      const named = calls.slice(0, MAX_CALLS).map(({ server, tool, reason, args }) => ({
        server,
        tool,
        reason: toMasked(toExcerpt(reason, MAX_REASON), privacy) ?? "",
        input: toHashed(trail, JSON.stringify(args)),
      }));
      trail.add({
        action: "approval.asked",
        ...headOf(approval),
        outcome: "asked",
        details: { approval: id, calls: named, expiresAt },
      });
      commitSoon(trail);
    },
    onSettled(approval, status, answer) {
      const { id, createdAt } = approval;
      const waitedMs = Math.max(0, (answer?.at ?? Date.now()) - createdAt);
      const given =
        answer === undefined ? { channel: status === "expired" ? "expiry" : "run" } : toAnswerer(answer.by);
      trail.add({
        action: "approval.answered",
        ...headOf(approval),
        outcome: OUTCOMES[status],
        durationMs: waitedMs,
        details: {
          approval: id,
          status,
          ...given,
          ...(answer?.decision === "approve" && { scope: answer.scope, ...toEdited(trail, answer.edits) }),
          waitedMs,
        },
      });
      commitSoon(trail);
    },
  };
}

function toEdited(
  trail: AuditTrail,
  edits: Readonly<Record<string, unknown>> = {},
): Pick<Extract<NewEvent, { action: "approval.answered" }>["details"], "edited"> {
  const edited = Object.entries(edits)
    .slice(0, MAX_CALLS)
    .map(([number, args]) => ({ number: Number(number), input: toHashed(trail, JSON.stringify(args)) }));
  return edited.length === 0 ? {} : { edited };
}

const OUTCOMES = { approved: "ok", denied: "denied", expired: "denied", withdrawn: "cancelled" } as const;

/** Where all of it is about one tool, it can be asked for by that. */
function headOf({ session, principal, runId, calls, about }: Approval) {
  const [first, ...others] = calls;
  const isOne = first && others.every(({ server, tool }) => server === first.server && tool === first.tool);
  const risk = toRisk(about.gravest ?? about.risk?.level);
  return {
    session,
    principal,
    ...(about.client && { client: about.client }),
    run: runId,
    ...(isOne && { server: first.server, tool: first.tool }),
    ...(risk && { risk }),
  };
}

function toRisk(level: string | undefined): NewEvent["risk"] {
  return (["low", "medium", "high", "critical"] as const).find((one) => one === level);
}
