import type { Approval } from "../../policy/approvals/approval.ts";
import { toAnswerer } from "./leave.ts";
import type { AuditTrail } from "./trail.ts";

/** Those who can see questions, with what is in them. */
export type TellShown = (approvals: readonly Approval[], by: string, recipient?: string) => Promise<void>;

/** Whoever looks every few seconds is told of once. */
const MAX_KNOWN = 10_000;

/** Of questions with personal values in them: on the disk before they are shown. Where it can't be, they are not. */
export function createShownApprovals(trail: AuditTrail): TellShown {
  const known = new Set<string>();
  return async (approvals, by, recipient) => {
    const shown = approvals.filter(
      ({ id, about }) => Object.keys(about.classes ?? {}).length > 0 && !known.has(`${id} ${by}`),
    );
    for (const { id, session, principal, runId, about } of shown)
      trail.add({
        action: "pii.shown",
        session,
        principal,
        run: runId,
        outcome: "ok",
        details: {
          classes: about.classes ?? {},
          approval: id,
          ...toAnswerer(by),
          ...(recipient !== undefined && { recipient }),
        },
      });
    if (shown.length > 0) await trail.commit();
    if (known.size + shown.length > MAX_KNOWN) known.clear();
    for (const { id } of shown) known.add(`${id} ${by}`);
  };
}
