import type { AuditEvent, Leave } from "../event.ts";
import type { Metrics } from "./metrics.ts";

/** What an event of the audit counts as. Runs, tokens and durations are told by the engine itself. */
export function countEvent({ add }: Pick<Metrics, "add">, event: AuditEvent): void {
  switch (event.action) {
    case "call.ended": {
      const { leave, isReplayed } = event.details;
      if (leave !== undefined && isReplayed !== true) decided(add, "call", leave);
      return;
    }
    case "call.denied":
      decided(add, "call", event.details.leave);
      return;
    case "command.started":
    case "command.denied":
      decided(add, "command", event.details.leave);
      return;
    case "approval.asked":
      add("keyhole.approvals", 1, { state: "asked" });
      return;
    case "approval.answered": {
      const { status, channel } = event.details;
      add("keyhole.approvals", 1, { state: status, channel });
      return;
    }
    case "egress.connected": {
      const { failure, sentBytes, receivedBytes } = event.details;
      add("keyhole.egress.connections", 1, { outcome: failure === undefined ? "connected" : "failed" });
      add("keyhole.egress.bytes", sentBytes, { direction: "sent" });
      add("keyhole.egress.bytes", receivedBytes, { direction: "received" });
      return;
    }
    case "egress.refused":
      add("keyhole.egress.connections", 1, { outcome: "refused" });
      return;
    case "anomaly.found": {
      const { rule, severity } = event.details;
      add("keyhole.anomalies", 1, { rule, severity });
      return;
    }
    default:
  }
}

function decided(add: Metrics["add"], what: "call" | "command", { decision, approved }: Leave): void {
  add("keyhole.decisions", 1, { what, decision, approved });
}
