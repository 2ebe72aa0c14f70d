import type { AuditEvent, EventAction } from "../event.ts";
import type { Meter } from "./meter.ts";

/** What the meter needs of a log. */
export const METERED_ACTIONS = [
  "run.started",
  "run.ended",
  "call.ended",
  "call.denied",
] as const satisfies EventAction[];

/** Tells the meter of an event, where it is one that counts. A sealed one, to whoever has no key, says nothing of tokens. */
export function meterEvent(meter: Pick<Meter, "addRun" | "addCall">, event: AuditEvent): void {
  const { at, session = "", principal = "" } = event;
  const whose = { at, session, principal };
  if (event.action === "run.ended") {
    const { status, model, usage } = event.details ?? {};
    const known = status ?? (event.outcome === "ok" ? "done" : toStatus(event.outcome));
    const ended = event.outcome === "cancelled" ? "cancelled" : known;
    meter.addRun({ id: event.run ?? event.id, ...whose, model, status: ended, usage });
    return;
  }
  const { server, tool } = isInvented(event)
    ? INVENTED_TOOL
    : { server: event.server ?? "", tool: event.tool ?? "" };
  if (event.action === "call.ended") {
    const { directTokens, isReplayed } = event.details ?? {};
    // It was made, and counted, before; or it is not made before a person has answered.
    if (isReplayed === true || event.outcome === "waiting") return;
    meter.addCall({ ...whose, server, tool, ok: event.outcome === "ok", ms: event.durationMs, directTokens });
  } else if (event.action === "call.denied") {
    meter.addCall({ ...whose, server, tool, ok: false, isDenied: true });
  }
}

function toStatus(outcome: AuditEvent["outcome"]): "failed" | "waiting" {
  return outcome === "waiting" ? "waiting" : "failed";
}

/** What programs call that no server has is counted together: they can make up any name. */
export const INVENTED_TOOL = { server: "unknown", tool: "unknown" } as const;
export const INVENTED_CODES = ["tool_unknown", "server_unknown"] as const;

export function isInventedCode(code: string | undefined): boolean {
  return INVENTED_CODES.some((one) => one === code);
}

function isInvented(event: AuditEvent): boolean {
  return event.action === "call.ended" && isInventedCode(event.details?.code);
}
