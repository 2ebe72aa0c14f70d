import { isIP } from "node:net";
import { effectOfName } from "../../policy/permissions/verbs.ts";
import { VERSION } from "../../version.ts";
import type { EventAction } from "../event.ts";
import { type DetailReader, readDetails } from "../query/details.ts";
import { toEventSummary, toTrusted } from "../query/summary.ts";
import type { LoggedEvent } from "../reader.ts";
import { toEventActor } from "./actor.ts";
import type { EventFormat } from "./format.ts";
import { severityOf } from "./severity.ts";

const SCHEMA_VERSION = "1.3.0";
const PRODUCT = { name: "Keyhole", vendor_name: "Keyhole", version: VERSION };
const OTHER = 99;

/** The Open Cybersecurity Schema Framework, one JSON object a line. What it has no place for stands in `unmapped`. */
export const ocsfFormat: EventFormat = { line: (event) => `${JSON.stringify(toOcsf(event))}\n` };

/** What a class asks for beside what all have. */
type Mapped = {
  readonly activity: readonly [id: number, name: string];
  readonly fields: Readonly<Record<string, unknown>>;
};
type Mapping = {
  readonly class: number;
  readonly name: string;
  map(event: LoggedEvent, of: DetailReader): Mapped;
};

export function toOcsf(event: LoggedEvent): Record<string, unknown> {
  const of = readDetails(event);
  const mapping = MAPPING_OF[event.action] ?? BASE;
  const { activity, fields } = mapping.map(event, of);
  const [severity, severityName] = toSeverity(severityOf(event));
  const [status, statusName] = toStatus(event.outcome);
  return {
    class_uid: mapping.class,
    class_name: mapping.name,
    category_uid: Math.floor(mapping.class / 1_000),
    activity_id: activity[0],
    activity_name: activity[1],
    type_uid: mapping.class * 100 + activity[0],
    time: Math.trunc(event.at),
    severity_id: severity,
    severity: severityName,
    status_id: status,
    status: statusName,
    ...(event.error !== undefined && { status_detail: event.error }),
    ...(event.durationMs !== undefined && { duration: Math.round(event.durationMs) }),
    message: toEventSummary(event),
    metadata: {
      version: SCHEMA_VERSION,
      product: PRODUCT,
      uid: event.id,
      sequence: event.sequence,
      event_code: event.action,
      log_name: "audit",
      ...(event.run !== undefined && { correlation_uid: event.run }),
    },
    ...fields,
    unmapped: { outcome: event.outcome, ...toUnmapped(event), details: event.details },
  };
}

function toUnmapped(event: LoggedEvent) {
  const { run, call, server, tool, risk, session } = event;
  const { concerns, isOutside } = toEventActor(event);
  return { run, call, server, tool, risk, ...(isOutside && { principal: concerns, session }) };
}

const api: Mapping = {
  class: 6003,
  name: "API Activity",
  map: (event, of) => ({
    activity: toCrud(event, of),
    fields: {
      actor: toActor(event),
      api: {
        operation: event.tool ?? "execute_code",
        service: { name: event.server ?? "keyhole" },
        ...(event.call !== undefined && { request: { uid: event.call } }),
      },
      src_endpoint: { name: event.client?.name ?? "keyhole" },
    },
  }),
};

const authentication: Mapping = {
  class: 3002,
  name: "Authentication",
  map: (event, of) => ({
    activity: event.action === "session.closed" ? [2, "Logoff"] : [1, "Logon"],
    fields: {
      user: toUser(event.principal),
      service: { name: "keyhole" },
      ...(event.session !== undefined && { session: { uid: event.session } }),
      ...toSource(of.text("from")),
    },
  }),
};

const detection: Mapping = {
  class: 2004,
  name: "Detection Finding",
  map: (event, of) => ({
    activity: [1, "Create"],
    fields: {
      // Of a finding, it says how far people are with it.
      status_id: 1,
      status: "New",
      finding_info: {
        uid: event.id,
        title: of.text("rule") ?? event.action,
        desc: of.text("text") ?? toEventSummary(event),
        analytic: { name: of.text("rule") ?? event.action, type_id: 2, type: "Behavioral" },
        related_events: of
          .list("events")
          .filter((id) => typeof id === "string")
          .map((uid) => ({ uid, type_uid: 0 })),
      },
      is_alert: of.text("severity") !== "info",
    },
  }),
};

const network: Mapping = {
  class: 4001,
  name: "Network Activity",
  map: (event, of) => ({
    activity:
      event.action === "egress.refused"
        ? [5, "Refuse"]
        : event.action === "egress.opened"
          ? [1, "Open"]
          : of.text("failure") === undefined
            ? [6, "Traffic"]
            : [4, "Fail"],
    fields: {
      actor: toActor(event),
      src_endpoint: { name: "sandbox" },
      dst_endpoint: { ...toEndpoint(of.text("host") ?? "unknown"), port: of.number("port") ?? 0 },
      connection_info: { direction_id: 2, direction: "Outbound", protocol_num: 6, protocol_name: "tcp" },
      ...(event.action === "egress.connected" && {
        traffic: { bytes_out: of.number("sentBytes") ?? 0, bytes_in: of.number("receivedBytes") ?? 0 },
      }),
    },
  }),
};

const command: Mapping = {
  class: 1007,
  name: "Process Activity",
  map: (event, of) => ({
    activity: event.action === "command.ended" ? [2, "Terminate"] : [1, "Launch"],
    fields: {
      actor: toActor(event),
      device: { name: "sandbox", type_id: OTHER, type: "sandbox" },
      process: {
        name: /^\S*/.exec(of.text("command") ?? "")?.[0] || "unknown",
        cmd_line: of.text("command") ?? "",
      },
      ...(of.number("exitCode") !== undefined && { exit_code: of.number("exitCode") }),
    },
  }),
};

const lifecycle: Mapping = {
  class: 6002,
  name: "Application Lifecycle",
  map: ({ action }, of) => ({
    activity: action === "keyhole.started" ? [3, "Start"] : [4, "Stop"],
    fields: { app: { ...PRODUCT, version: of.text("version") ?? VERSION } },
  }),
};

/** What stands under which key is what was changed; a hash is no name, where there is one. */
const entity = (
  type: string,
  key: string,
  nameOf: (event: LoggedEvent) => string | undefined = () => undefined,
): Mapping => ({
  class: 3004,
  name: "Entity Management",
  map: (event, of) => ({
    activity: toChange(event, of),
    fields: {
      actor: toActor(event),
      entity: {
        type,
        name: nameOf(event) ?? of.text(key) ?? ([event.server, event.tool].filter(Boolean).join(".") || type),
        uid: of.text(key) ?? event.id,
      },
      ...(of.text("reason") !== undefined && { comment: of.text("reason") }),
    },
  }),
});

const BASE: Mapping = {
  class: 0,
  name: "Base Event",
  map: (event) => ({
    activity: [OTHER, event.action],
    fields: toEventActor(event).name === undefined ? {} : { actor: toActor(event) },
  }),
};

const MAPPING_OF: Readonly<Partial<Record<EventAction, Mapping>>> = {
  "keyhole.started": lifecycle,
  "keyhole.stopped": lifecycle,
  "session.opened": authentication,
  "session.closed": authentication,
  "login.refused": authentication,
  "run.started": api,
  "run.placed": api,
  "run.ended": api,
  "run.refused": api,
  "call.sent": api,
  "call.ended": api,
  "call.denied": api,
  "egress.opened": network,
  "egress.connected": network,
  "egress.refused": network,
  "command.started": command,
  "command.ended": command,
  "command.denied": command,
  "anomaly.found": detection,
  "approval.asked": entity("approval", "approval"),
  "approval.answered": entity("approval", "approval"),
  "skill.changed": entity("skill", "skill"),
  "workspace.changed": entity("workspace", "workspace"),
  "policy.changed": entity("policy", "policy"),
  "config.changed": entity("config", "config"),
  "trust.given": entity("trust", "content", toTrusted),
  "trust.revoked": entity("trust", "content", toTrusted),
  "tool.changed": entity("tool", "definition"),
  "audit.key": entity("key", "key"),
  "audit.seal": entity("key", "key"),
};

/** By the tool's name, also of a call that was not made; declared destructive is also what writes over something. */
function toCrud({ action, tool }: LoggedEvent, of: DetailReader): Mapped["activity"] {
  if (action.startsWith("run.")) return [OTHER, "Execute"];
  const effect = effectOfName(tool ?? "");
  if (effect === "destroys" || (effect === "unknown" && of.flag("isDestructive"))) return [4, "Delete"];
  return of.flag("isWrite") || action === "call.sent" ? [3, "Update"] : [2, "Read"];
}

const CREATED: ReadonlySet<string> = new Set(["approval.asked", "trust.given", "audit.key", "audit.seal"]);

function toChange({ action }: LoggedEvent, of: DetailReader): Mapped["activity"] {
  const change = of.text("change");
  if (CREATED.has(action) || change === "added") return [1, "Create"];
  return action === "trust.revoked" || change === "removed" ? [4, "Delete"] : [3, "Update"];
}

function toActor(event: LoggedEvent) {
  const { name, isOutside } = toEventActor(event);
  if (isOutside) return { user: toUser(name) };
  return {
    user: toUser(name),
    ...(event.session !== undefined && { session: { uid: event.session } }),
    ...(event.client !== undefined && { app_name: event.client.name }),
  };
}

function toUser(name: string | undefined) {
  return { name: name ?? "unknown", ...(name !== undefined && { uid: name }) };
}

function toEndpoint(host: string) {
  const name = host.replace(/^\[(.*)\]$/, "$1");
  return isIP(name) === 0 ? { hostname: host } : { ip: name };
}

function toSource(from: string | undefined) {
  return from === undefined ? {} : { src_endpoint: toEndpoint(from) };
}

function toSeverity(points: number): readonly [number, string] {
  if (points >= 9) return [5, "Critical"];
  if (points >= 6) return [4, "High"];
  if (points >= 4) return [3, "Medium"];
  return points >= 3 ? [2, "Low"] : [1, "Informational"];
}

function toStatus(outcome: LoggedEvent["outcome"]): readonly [number, string] {
  if (outcome === "ok") return [1, "Success"];
  return outcome === "failed" || outcome === "denied" ? [2, "Failure"] : [OTHER, outcome];
}
