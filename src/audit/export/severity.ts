import { toRiskRank } from "../query/condition.ts";
import { readDetails } from "../query/details.ts";
import type { LoggedEvent } from "../reader.ts";

const OUTCOME_POINTS: Readonly<Record<LoggedEvent["outcome"], number>> = {
  ok: 1,
  asked: 2,
  waiting: 2,
  cancelled: 2,
  failed: 4,
  denied: 5,
};
const RISK_POINTS = [1, 3, 6, 8];
const ANOMALY_POINTS: Readonly<Record<string, number>> = { info: 3, warning: 6, critical: 9 };

/** A health check comes without one; whoever tries tokens does not. */
const NO_TOKEN = /^no token\b/;
const NO_TOKEN_POINTS = 3;

/** How much it matters, from 0 to 10, as CEF counts. */
export function severityOf(event: LoggedEvent): number {
  if (event.action === "login.refused" && NO_TOKEN.test(readDetails(event).text("reason") ?? ""))
    return NO_TOKEN_POINTS;
  return Math.max(
    OUTCOME_POINTS[event.outcome],
    event.risk === undefined ? 0 : (RISK_POINTS[toRiskRank(event.risk)] ?? 0),
    ofAction(event),
  );
}

function ofAction(event: LoggedEvent): number {
  switch (event.action) {
    case "anomaly.found":
      return ANOMALY_POINTS[readDetails(event).text("severity") ?? ""] ?? 6;
    case "audit.gap":
    case "audit.broken":
      return 9;
    case "audit.off":
    case "login.refused":
    case "egress.refused":
      return 6;
    case "pii.shown":
    case "tool.changed":
    case "policy.changed":
    case "trust.given":
    case "limit.hit":
      return 3;
    default:
      return 0;
  }
}
