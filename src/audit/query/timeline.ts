import type { LoggedEvent } from "../reader.ts";
import { describeDecision } from "./decision.ts";
import { type DetailReader, isSealed, readDetails, toDetailReader } from "./details.ts";
import { toEventSummary, toRunStatus, toShortHash, toTool } from "./summary.ts";

/** A line of what is shown of a run, a session or an event. Foreign text stands in it as it is: whoever shows it makes it safe. */
export type TimelineLine = {
  /** How far it is indented. */
  readonly depth: number;
  readonly text: string;
  readonly tone?: "title" | "good" | "bad" | "warn" | "quiet";
  /** Since the first event; on the lines that are events. */
  readonly afterMs?: number;
};

/** Past the column of times. */
const BELOW_EVENT = 6;

/** What is known of one run, in the order in which it happened. */
export function toRunTimeline(events: readonly LoggedEvent[]): TimelineLine[] {
  const [first] = events;
  if (first === undefined) return [];
  const ended = events.findLast(({ action }) => action === "run.ended");
  const lines: TimelineLine[] = [...runTitle(first, ended), ...runFacts(first, events)];
  lines.push({ depth: 0, text: "" });
  for (const event of withoutBeginnings(events)) {
    lines.push({
      depth: 1,
      text: toEventLine(event),
      ...toneOf(event),
      afterMs: event.at - first.at,
    });
    for (const text of toEventFacts(event)) lines.push({ depth: BELOW_EVENT, text, tone: "quiet" });
    for (const [name, text] of contentsOf(event)) {
      lines.push({ depth: BELOW_EVENT, text: name, tone: "quiet" });
      for (const line of text.split(/\r\n?|\n/)) lines.push({ depth: BELOW_EVENT + 1, text: line });
    }
  }
  return lines;
}

/** What is known of a session: each of its runs by its beginning and end, and what else happened. */
export function toSessionTimeline(events: readonly LoggedEvent[]): TimelineLine[] {
  const [first] = events;
  if (first === undefined) return [];
  const runs = new Set(events.flatMap(({ run }) => (run === undefined ? [] : [run]))).size;
  const lines: TimelineLine[] = [
    { depth: 0, text: `Session ${first.session ?? ""}`, tone: "title" },
    ...facts([
      ["who", whoOf(first)],
      ["from", toLocalTime(first.at)],
      ["to", toLocalTime(events.at(-1)?.at ?? first.at)],
      ["runs", String(runs)],
      ["events", String(events.length)],
    ]),
    { depth: 0, text: "" },
  ];
  for (const event of withoutBeginnings(events))
    lines.push({
      depth: event.run === undefined || event.action === "run.started" ? 1 : 2,
      text: event.action === "run.started" ? `${toEventLine(event)}  ${event.run ?? ""}` : toEventLine(event),
      ...toneOf(event),
      afterMs: event.at - first.at,
    });
  return lines;
}

/** All that one event says. */
export function toEventLines(event: LoggedEvent): TimelineLine[] {
  const { id, sequence, at, action, details, client, ...head } = event;
  const known = Object.entries(head).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === "string" ? value : JSON.stringify(value)]],
  );
  return [
    { depth: 0, text: `Event ${id}`, tone: "title" },
    ...facts([
      ["number", String(sequence)],
      ["time", toLocalTime(at)],
      ["action", action],
      ...known,
      ...(client === undefined ? [] : [["client", [client.name, client.version ?? ""].join(" ")] as const]),
    ]),
    { depth: 0, text: "" },
    ...detailLines(details, 1),
  ];
}

function runTitle(first: LoggedEvent, ended: LoggedEvent | undefined): TimelineLine[] {
  const known = ended && isSealed(ended) ? `ended: ${ended.outcome} (sealed)` : "ended";
  const status = ended === undefined ? "has no end in the log" : (toRunStatus(ended) ?? known);
  const took = ended?.durationMs === undefined ? "" : ` after ${toDuration(ended.durationMs)}`;
  return [{ depth: 0, text: `Run ${first.run ?? ""}  ${status}${took}`, tone: "title" }];
}

function runFacts(first: LoggedEvent, events: readonly LoggedEvent[]): TimelineLine[] {
  const started = events.find(({ action }) => action === "run.started");
  // One that waited and went on has ended more than once: how it is now is what the last one says.
  const ended = events.findLast(({ action }) => action === "run.ended");
  const waits = events.filter(({ action, outcome }) => action === "run.ended" && outcome === "waiting");
  const wentOn = events.filter(({ action }) => action === "run.started").length - 1;
  const begin = started && readDetails(started);
  const end = ended && readDetails(ended);
  const language = begin?.text("language");
  const placed = end?.text("tier") === undefined ? begin : end;
  const tier = placed && toTierText(placed);
  const model = end?.text("model") ?? begin?.text("model");
  const risk = (ended ?? events.find((event) => event.risk !== undefined))?.risk;
  const score = end?.number("score");
  const violations = end?.list("violations").filter((rule) => typeof rule === "string") ?? [];
  return facts([
    ["who", whoOf(first)],
    ["when", toLocalTime(first.at)],
    ...fact("where", [language, tier, model && `model ${model}`]),
    ...fact("went on", wentOn > 0 && waits.length > 0 ? [toTimes(wentOn), "after it had waited"] : []),
    ...fact("risk", [risk, score === undefined ? undefined : `${score} of 100`]),
    ...fact("broke", violations),
    ...fact(
      "tokens",
      end === undefined
        ? []
        : [
            toTokens(
              end,
              waits.filter((wait) => wait !== ended),
            ),
          ],
    ),
  ]);
}

/** Where it ran, and why there. */
function toTierText(of: DetailReader): string | undefined {
  const [tier, by, suggested] = ["tier", "tierBy", "suggestedTier"].map((key) => of.text(key));
  if (tier === undefined) return undefined;
  const why =
    suggested === undefined ? by && `by ${by}` : `its risk suggests ${suggested}, which was missing`;
  return why === undefined ? `tier ${tier}` : `tier ${tier} (${why})`;
}

const toTimes = (count: number) => (count === 1 ? "once" : `${count} times`);

/** What the model saw before it waited it saw as well; of the rest, the last end has all. */
function toTokens(of: DetailReader, waits: readonly LoggedEvent[]): string | undefined {
  const before = waits.reduce((sum, wait) => sum + (readDetails(wait).number("usage", "seenTokens") ?? 0), 0);
  const [seen, kept, direct] = ["seenTokens", "keptTokens", "directTokens"].map((key) =>
    of.number("usage", key),
  );
  if (seen === undefined) return undefined;
  return `the model saw ${seen + before}, ${kept ?? 0} were kept from it, directly ${direct ?? 0}`;
}

/** How it came out stands after what it was. */
function toEventLine(event: LoggedEvent): string {
  const took = event.durationMs === undefined ? "" : `, ${toDuration(event.durationMs)}`;
  const outcome = event.action === "call.ended" || event.outcome !== "ok" ? `  ${event.outcome}${took}` : "";
  const missing = isSealed(event) && event.action === "egress.opened" ? undefined : MISSING[event.action];
  return `${toEventSummary(event)}${missing ?? ""}${outcome}`;
}

/** Of what is shown only where that is so. */
const MISSING: Partial<Record<LoggedEvent["action"], string>> = {
  "call.sent": ", and no answer is in the log",
  "egress.opened": ", and no end of it is in the log",
};

/** The answer to a call tells all that its sending does, and the end of a connection all that its opening does. */
function withoutBeginnings(events: readonly LoggedEvent[]): LoggedEvent[] {
  const answered = new Set(events.filter(({ action }) => action === "call.ended").map(({ call }) => call));
  const over = new Set(
    events.flatMap((event) => (event.action === "egress.opened" ? [] : connectionOf(event))),
  );
  return events.filter((event) => {
    if (event.action === "call.sent") return !answered.has(event.call);
    return event.action !== "egress.opened" || !connectionOf(event).some((id) => over.has(id));
  });
}

function connectionOf(event: LoggedEvent): string[] {
  const id = readDetails(event).text("connection");
  return id === undefined ? [] : [id];
}

/** Who let it be, and how much went through. */
function toEventFacts(event: LoggedEvent): string[] {
  const of = readDetails(event);
  const sizes = [
    sizeOf("program", of, "code"),
    sizeOf(event.action === "run.ended" ? "" : "arguments", of, "input"),
    sizeOf("result", of, "output"),
  ].filter((size) => size !== undefined);
  const calls = of.list("calls").map((call) => {
    const each = toDetailReader(call);
    return `${toTool({ server: each.text("server") ?? "?", tool: each.text("tool") ?? "?" })}: ${each.text("reason") ?? ""}`;
  });
  const waited = of.number("waitedMs");
  return [
    ...toLeave(event),
    ...calls,
    ...(waited === undefined ? [] : [`answered after ${toDuration(waited)}${toScope(of.text("scope"))}`]),
    ...(event.action === "egress.connected"
      ? [`${of.number("sentBytes") ?? 0} bytes sent, ${of.number("receivedBytes") ?? 0} received`]
      : []),
    ...(sizes.length === 0 ? [] : [sizes.join(", ")]),
  ];
}

function toLeave(event: LoggedEvent): string[] {
  const decision = describeDecision(event);
  const approval = readDetails(event).text("leave", "approval");
  if (decision === undefined) return [];
  return [decision, ...(approval === undefined ? [] : [`approval ${approval}`])];
}

function sizeOf(name: string, of: DetailReader, key: string): string | undefined {
  const bytes = of.number(key, "bytes");
  if (bytes === undefined || name === "") return undefined;
  return `${name} of ${bytes} bytes (${toShortHash(of.text(key, "hash"))})`;
}

function contentsOf(event: LoggedEvent): [string, string][] {
  const of = readDetails(event);
  const names = {
    code: "program",
    input: "arguments",
    output: event.action === "run.ended" ? "answer" : "result",
  };
  return Object.entries(names).flatMap(([key, name]): [string, string][] => {
    const text = of.text(key, "text");
    return text === undefined ? [] : [[name, text]];
  });
}

function detailLines(value: unknown, depth: number): TimelineLine[] {
  if (depth > 6 || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]): TimelineLine[] => {
    if (typeof item === "object" && item !== null && Object.keys(item).length > 0)
      return [{ depth, text: key }, ...detailLines(item, depth + 1)];
    const text = typeof item === "string" ? item : JSON.stringify(item);
    const [line = "", ...more] = text.split(/\r\n?|\n/);
    if (more.length === 0) return [{ depth, text: `${key.padEnd(12)} ${line}` }];
    return [{ depth, text: key }, ...[line, ...more].map((each) => ({ depth: depth + 1, text: each }))];
  });
}

function toneOf({ outcome }: LoggedEvent): Pick<TimelineLine, "tone"> {
  if (outcome === "failed" || outcome === "denied") return { tone: "bad" };
  return outcome === "ok" ? {} : { tone: "warn" };
}

function facts(entries: readonly (readonly [string, string])[]): TimelineLine[] {
  return entries.map(([name, value]) => ({ depth: 1, text: `${name.padEnd(11)} ${value}` }));
}

function fact(name: string, parts: readonly (string | undefined)[]): (readonly [string, string])[] {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? [] : [[name, known.join(", ")]];
}

function whoOf({ principal, session, client }: LoggedEvent): string {
  const who = [
    principal,
    session && `session ${session}`,
    client && [client.name, client.version].join(" ").trim(),
  ];
  return who.filter((part) => part !== undefined && part !== "").join(", ") || "nobody is named";
}

function toScope(scope: string | undefined): string {
  return scope === undefined ? "" : `, for ${scope}`;
}

export function toDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}

/** Of this machine, as `2026-11-16 18:30:12`. */
export function toLocalTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "at no time";
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
