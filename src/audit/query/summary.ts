import type { EventAction } from "../event.ts";
import type { LoggedEvent } from "../reader.ts";
import { toDecider, toDeciderText } from "./decision.ts";
import { type DetailReader, isSealed, readDetails } from "./details.ts";

/** What happened, in a few words: `github.create_issue was denied: rule 1: by hand only`. Foreign text stands in it as it is. */
export function toEventSummary(event: LoggedEvent): string {
  if (isSealed(event))
    return [event.action, toTool(event), "(sealed)"].filter((word) => word !== "").join(" ");
  const words = SUMMARIES[event.action](readDetails(event), event);
  return words.filter((word) => word !== undefined && word !== "").join(" ");
}

type Words = readonly (string | undefined)[];

const SUMMARIES: Readonly<Record<EventAction, (details: DetailReader, event: LoggedEvent) => Words>> = {
  "keyhole.started": (of) => ["keyhole", of.text("version"), "started, tier", of.text("tier")],
  "keyhole.stopped": (of) => ["keyhole stopped after", counted(of.number("runs"), "run")],
  "session.opened": (of, { client }) => ["session opened by", client?.name, toVia(of.text("front"))],
  "session.closed": (of) => [
    "session closed after",
    counted(of.number("runs"), "run"),
    because(of.text("reason")),
  ],
  "login.refused": (of) => [
    "login refused",
    toVia(of.text("front")),
    because(of.text("reason")),
    from(of.text("from")),
  ],
  "run.started": (of) => ["run of", counted(of.number("code", "bytes"), "byte"), "of", of.text("language")],
  "run.placed": (of) => [
    "runs in tier",
    of.text("tier"),
    of.text("suggestedTier") === undefined ? "by its risk" : `its risk suggests ${of.text("suggestedTier")}`,
  ],
  "run.ended": (of, event) => [
    "run",
    toRunStatus(event) ?? "ended",
    toCanceller(of),
    `after ${counted(of.number("calls"), "call")}`,
    because(of.text("message") ?? event.error ?? of.text("kind")),
  ],
  "run.refused": (of, { error }) => {
    const more = of.number("more");
    return [
      "run not begun",
      because(error ?? of.text("kind")),
      more === undefined ? undefined : `and ${more} more before`,
    ];
  },
  "call.sent": (_, event) => [toTool(event), "sent"],
  "call.ended": (of, event) => [
    toTool(event),
    of.flag("isReplayed") ? "answered from the record" : undefined,
    of.flag("isCached") ? "answered from the cache" : undefined,
    because(event.error ?? of.text("code")),
  ],
  "call.denied": (of, event) => [toTool(event), ...toDenial(of)],
  "approval.asked": (of) => ["asked a person about", counted(of.list("calls").length, "call")],
  "approval.answered": (of) => [
    of.text("status") ?? "answered",
    of.list("edited").length > 0 ? "with other arguments" : undefined,
    by(of.text("person")),
    toVia(of.text("channel")),
    because(of.text("reason")),
  ],
  "egress.opened": (of) => ["opens a connection to", toHost(of)],
  "egress.connected": (of) => [
    of.text("failure") === "unreachable" ? "did not reach" : "connected to",
    toHost(of),
    because(of.text("failure")),
  ],
  "egress.refused": (of) => {
    const more = of.number("more");
    return more === undefined
      ? ["connection refused to", toHost(of), because(of.text("reason"))]
      : [`${counted(more, "more connection")} refused`];
  },
  "command.started": (of) => ["command", of.text("command")],
  "command.ended": (of) => [
    "command",
    of.text("command"),
    "ended with",
    String(of.number("exitCode") ?? "a signal"),
  ],
  "command.denied": (of) => ["command", of.text("command"), ...toDenial(of)],
  "pii.found": (of, event) => [
    "hid",
    toClasses(of),
    "in",
    of.text("where"),
    event.tool && `of ${toTool(event)}`,
  ],
  "pii.revealed": (of, event) => ["gave", toClasses(of), "to", toTool(event), of.text("recipient")],
  "pii.shown": (of) => [
    "showed",
    toClasses(of),
    "to",
    of.text("person") ?? of.text("recipient") ?? "a person",
  ],
  "pii.forgotten": (of) => ["forgot", toClasses(of)],
  "skill.changed": (of) => ["skill", of.text("skill"), of.text("change")],
  "workspace.changed": (of) => [
    "workspace",
    of.text("workspace"),
    of.text("change"),
    of.text("snapshot"),
    by(of.text("person")),
    toVia(of.text("channel")),
  ],
  "policy.changed": (of, event) =>
    event.tool === undefined
      ? ["policy is", toShortHash(of.text("policy"))]
      : [toTool(event), "accepted as it is now", by(of.text("person")), toVia(of.text("channel"))],
  "config.changed": (of) => ["config is", toShortHash(of.text("config"))],
  "trust.given": (of, event) => [
    toTrusted(event),
    "trusted",
    by(of.text("person")),
    toVia(of.text("channel")),
  ],
  "trust.revoked": (of, event) => [
    "trust in",
    toTrusted(event),
    "revoked",
    by(of.text("person")),
    toVia(of.text("channel")),
  ],
  "tool.changed": (of, event) =>
    event.tool !== undefined
      ? [toTool(event), of.text("change"), "by its server"]
      : of.text("change") === "listed"
        ? [toTool(event), "lists", counted(of.number("tools"), "tool")]
        : [toTool(event), counted(of.number("tools"), "more tool"), of.text("change"), "by their server"],
  "limit.hit": (of) => ["limit", of.text("limit"), because(of.text("message"))],
  "clean.ended": (of) => ["cleaned up", counted(of.number("bytes"), "byte")],
  "anomaly.released": (of) => ["released the session", by(of.text("person")), toVia(of.text("channel"))],
  "anomaly.found": (of) => [of.text("severity"), of.text("rule"), because(of.text("text"))],
  "audit.gap": (of) => [counted(of.number("lost"), "event"), "lost", because(of.text("reason"))],
  "audit.pruned": (of) => [counted(of.number("count"), "event"), "taken out by retention"],
  "audit.key": (of) => ["the log is signed by key", toShortHash(of.text("key"))],
  "audit.anchored": (of) => ["anchored up to", String(of.number("sequence") ?? "?"), "in", of.text("target")],
  "audit.broken": (of) => [
    "the log was changed at",
    String(of.number("sequence") ?? "?"),
    because(of.text("message")),
  ],
  "audit.unreadable": (of) => ["a line of", counted(of.number("bytes"), "byte"), "in a spool is no event"],
  "audit.exported": (of) => [counted(of.number("count"), "event"), "exported as", of.text("what")],
  "audit.off": (of) => ["the log was turned off", because(of.text("by"))],
  "audit.seal": (of) => ["details are sealed by key", toShortHash(of.text("key"))],
};

/** How a run ended; one that was cancelled did not fail. */
export function toRunStatus(event: Pick<LoggedEvent, "outcome" | "details">): string | undefined {
  return event.outcome === "cancelled" ? "cancelled" : readDetails(event).text("status");
}

/** What a folder brings: a server, or settings. */
export function toTrusted({ server }: Pick<LoggedEvent, "server">): string {
  return server === undefined ? "the folder's settings" : `server ${server}`;
}

export function toTool({ server, tool }: Pick<LoggedEvent, "server" | "tool">): string {
  return [server, tool].filter((part) => part !== undefined).join(".");
}

function toCanceller(of: DetailReader): string | undefined {
  const channel = of.text("cancelled", "channel");
  if (channel === undefined) return undefined;
  return [by(of.text("cancelled", "person")), toVia(channel)].filter((word) => word !== undefined).join(" ");
}

/** By whom, where a person was asked; else by which rule. */
function toDenial(of: DetailReader): Words {
  const decider = toDecider(of.record("leave"));
  const rule = because(of.text("leave", "by"));
  return decider === undefined ? ["denied", rule] : ["denied by", toDeciderText(decider), rule];
}

/** `2 EMAIL, 1 NAME`. */
function toClasses(of: DetailReader): string {
  const classes = Object.entries(of.record("classes") ?? {});
  return classes.map(([name, total]) => `${Number(total) || 0} ${name}`).join(", ") || "values";
}

function toHost(of: DetailReader): string {
  return `${of.text("host") ?? "?"}:${of.number("port") ?? "?"}`;
}

export function toShortHash(hash: string | undefined): string {
  return hash === undefined ? "unknown" : hash.slice(0, 12);
}

function counted(count = 0, noun = ""): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const because = (reason: string | undefined) => (reason === undefined ? undefined : `(${reason})`);
const by = (person: string | undefined) => (person === undefined ? undefined : `by ${person}`);
const toVia = (channel: string | undefined) => (channel === undefined ? undefined : `through ${channel}`);
const from = (address: string | undefined) => (address === undefined ? undefined : `from ${address}`);
