import { isIP } from "node:net";
import type { PiiClass } from "../../pii-classes.ts";
import type { FoundValues } from "../../privacy/conceal/shown-values.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import type { Call, CallingRun } from "../call/call.ts";
import { OWN_SERVER } from "../call/record.ts";
import { toToldHost } from "./network-events.ts";
import type { RunTrail, ToldParty } from "./run-trail.ts";
import { toTotals } from "./trail.ts";

/** What a result held, once all of it was looked at: a large one is while the program goes on. */
export function tellFound(
  { run, session, server, tool, id }: Call,
  found: FoundValues,
  privacy: WorkspacePrivacy,
): void {
  const { trail } = run;
  if (trail === undefined) return;
  const head = { call: id, server: server.name, tool: tool.name };
  const tell = () => trail.found(found, "result", head);
  // Before anything of it is shown; a failure is told to whoever shows it.
  const later = privacy.settled(session.id);
  if (later === undefined) tell();
  else later.then(tell).catch(() => {});
}

const MAX_SENT = 256 * 1024;
const MAX_KEPT = 4 * 1024 * 1024;
/** Nothing personal is in `{"a":1}`. */
const SHORTEST = 8;
const MAX_RECIPIENTS = 500;

/**
 * In egress mode programs have values as they are: which of them went to whom is looked at when the run ends, all at once. What is known
 * by then is known also of what was sent before.
 */
export function noteArguments({ run, server, tool }: Call, trail: RunTrail, text: string): void {
  noteSent(run, trail, { server: server.name, tool: tool.name }, text);
}

/** The same of a command: its arguments, and what it reads. */
export function noteCommand(run: CallingRun, trail: RunTrail, command: string, text: string): void {
  noteSent(run, trail, { server: OWN_SERVER, tool: "runCommand", recipient: command }, text);
}

/**
 * The same of `fetch`, by the word of the program's own: TLS ends in there, so what is sent is seen by nobody else. Whoever asks so much
 * of different hosts is told of in between.
 */
export function noteFetch(run: CallingRun, asked: unknown): void {
  const { trail, privacy } = run;
  const { url, headers, body } = Object(asked);
  if (trail === undefined || typeof url !== "string" || !URL.canParse(url)) return;
  const { hostname, pathname, search } = new URL(url.slice(0, MAX_SENT));
  // A name can be made of data; an address is where it goes.
  const named = isIP(hostname.replace(/^\[|\]$/g, "")) > 0 ? "" : hostname;
  const texts = [named, toDecoded(pathname), toDecoded(search), headers, body];
  const text = texts.filter((one) => typeof one === "string").join("\n");
  const recipient = { server: OWN_SERVER, tool: "fetch", recipient: toToldHost(hostname, privacy) };
  noteSent(run, trail, recipient, text);
}

function noteSent(run: CallingRun, trail: RunTrail, recipient: ToldParty, text: string): void {
  if (run.privacy?.mode !== "egress" || text.length <= SHORTEST) return;
  const { byRecipient } = trail.sent;
  const key = JSON.stringify([recipient.server, recipient.tool, recipient.recipient]);
  if (!byRecipient.has(key) && byRecipient.size >= MAX_RECIPIENTS) tellRevealed(run, trail);
  const sent = byRecipient.get(key) ?? { ...recipient, texts: [] };
  byRecipient.set(key, sent);
  const kept = text.length > MAX_SENT ? text.slice(0, MAX_SENT) : text;
  sent.texts.push(kept);
  trail.sent.chars += kept.length;
  if (trail.sent.chars > MAX_KEPT) tellRevealed(run, trail);
}

/** What tools were told so far that is personal: values that are known, and those that the program itself wrote. */
export function tellRevealed({ privacy }: Pick<CallingRun, "privacy">, trail: RunTrail): void {
  const { sent, literals } = trail;
  if (privacy === undefined || sent.byRecipient.size === 0) return;
  for (const { server, tool, recipient, texts } of sent.byRecipient.values()) {
    const found: FoundValues = new Map();
    const written = new Map<string, PiiClass>();
    const text = texts.join("\n");
    privacy.knownIn(text, found);
    for (const { class: kind, value } of literals)
      if (text.includes(JSON.stringify(value).slice(1, -1))) written.set(value, kind);
    // One that is known as well is counted once.
    for (const [value, kind] of written) {
      const known: FoundValues = new Map();
      privacy.knownIn(value, known);
      if (known.size === 0) found.set(value, kind);
    }
    if (found.size > 0)
      trail.add(
        "pii.revealed",
        { classes: toTotals(found.values()), ...(recipient !== undefined && { recipient }) },
        { server, tool, outcome: "ok" },
      );
  }
  sent.byRecipient.clear();
  sent.chars = 0;
}

/** As it was before it was put into a URL. */
function toDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
