import { VERSION } from "../../version.ts";
import { readDetails } from "../query/details.ts";
import { toEventSummary } from "../query/summary.ts";
import type { LoggedEvent } from "../reader.ts";
import { toEventActor } from "./actor.ts";
import type { EventFormat } from "./format.ts";
import { severityOf } from "./severity.ts";

/** What a field of the dictionary may hold at most. */
const MAX_MESSAGE = 1_023;
const MAX_CUSTOM = 4_000;
const MAX_NAME = 512;

/** ArcSight's Common Event Format, one line an event. Hashes and contents stay in the log: `externalId` finds them. */
export const cefFormat: EventFormat = {
  line(event) {
    const head = [
      "CEF:0",
      "Keyhole",
      "Keyhole",
      VERSION,
      event.action,
      toName(event),
      String(severityOf(event)),
    ];
    const extension = toExtension(event)
      .filter(([, value]) => value !== undefined && value !== "")
      .map(([key, value]) => `${key}=${escapeValue(String(value))}`);
    return `${head.map(escapeHead).join("|")}|${extension.join(" ")}\n`;
  },
};

function toName({ action }: LoggedEvent): string {
  return action.replace(".", " ");
}

function toExtension(event: LoggedEvent): readonly (readonly [string, string | number | undefined])[] {
  const of = readDetails(event);
  const { host, port } = { host: of.text("host"), port: of.number("port") };
  const actor = toEventActor(event);
  return [
    ["rt", event.at],
    ["externalId", event.id],
    ["act", event.action],
    ["outcome", event.outcome],
    ["suser", cut(actor.name, MAX_MESSAGE)],
    ["duser", cut(actor.concerns, MAX_MESSAGE)],
    ["requestClientApplication", cut(event.client?.name, MAX_MESSAGE)],
    ["dhost", cut(host, MAX_MESSAGE)],
    ["dpt", port],
    ["out", of.number("sentBytes")],
    ["in", of.number("receivedBytes")],
    ["msg", cut(toEventSummary(event), MAX_MESSAGE)],
    ["reason", cut(event.error ?? of.text("reason") ?? of.text("leave", "by"), MAX_MESSAGE)],
    ...custom("cs1", "session", event.session),
    ...custom("cs2", "run", event.run),
    ...custom("cs3", "server", event.server),
    ...custom("cs4", "tool", event.tool),
    ...custom("cs5", "risk", event.risk),
    ...custom("cs6", "decision", of.text("leave", "decision")),
    ...custom("cn1", "sequence", event.sequence),
    ...custom("cn2", "durationMs", event.durationMs === undefined ? undefined : Math.round(event.durationMs)),
  ];
}

function custom(key: string, label: string, value: string | number | undefined) {
  if (value === undefined) return [];
  const held = typeof value === "string" ? cut(value, MAX_CUSTOM) : value;
  return [
    [key, held],
    [`${key}Label`, label],
  ] as const;
}

function cut(text: string | undefined, maxLength: number): string | undefined {
  if (text === undefined || text.length <= maxLength) return text;
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** In the head, bars part the fields, and there are no lines. */
function escapeHead(text: string): string {
  return oneLine(text.slice(0, MAX_NAME), " ").replace(/[\\|]/g, "\\$&");
}

/** In the extension, an equals sign ends a key; lines can be written. */
function escapeValue(text: string): string {
  return oneLine(text.replace(/[\\=]/g, "\\$&"), "\\n");
}

function oneLine(text: string, lineEnd: string): string {
  // What a collector might obey, or cut off at, goes.
  return text.replace(/\r\n?|[\n\u0085\u2028\u2029]/g, lineEnd).replace(/[\u0000-\u001f\u007f]/g, " ");
}
