import type { AuditEvent } from "../../event.ts";
import {
  type AnomalyFinding,
  type AnomalySeverity,
  MAX_NAMED,
  MAX_SESSIONS,
  type RuleKind,
  type Scene,
} from "../anomaly.ts";
import { sumPoints } from "../carried.ts";
import { toBytesText } from "../figures.ts";
import { createHabits, toBeforeText, toLeast } from "../habits.ts";
import { createRecentMap } from "../recent-map.ts";
import { HOUR_MS, MINUTE_MS } from "../usual.ts";

type Sending = {
  times: number;
  points: number;
  bytes: number;
  /** Much smaller than what was read. */
  pieces: number;
  lastInput: string;
  events: string[];
};
type Reads = {
  at: number;
  /** All of them. */
  count: number;
  /** What was read without a longer pause, and was not sent at once yet. */
  readonly gathered: { at: number; count: number; bytes: number };
  /** Personal values that the next call is given. */
  revealed: number;
  readonly recent: { readonly bytes: number; readonly server: string; readonly id: string }[];
  readonly sendings: Map<string, Sending>;
};

const RECENT_READS = 8;
const MAX_RECIPIENTS = 16;
/** What was read longer ago is not what is sent now. */
const REMEMBERED_MS = 12 * HOUR_MS;
/** Less than this is an answer, not a record. */
const MIN_BYTES = 200;
const LOUD_TIMES = 3;
/** More than one person has of their own. */
const MANY_VALUES = 6;
/** Writing what was read somewhere else is ordinary work more often. */
const WRITES_TIMES = 4;
/** What many calls read, sent in one. */
const MANY_READS = 20;
const MANY_BYTES = 100_000;
const GATHERED_MS = 10 * MINUTE_MS;
/** To one host, each smaller than what was read. */
const MANY_PIECES = 20;

/**
 * What is read goes out to the same place, again and again: each time about as much as one of the things just read. Or all of it
 * goes at once, or in many pieces to one host. One who did so on earlier days may do so twice as often. A few files for a
 * colleague look the same: they are a warning, twice as many are critical, as are many personal values.
 */
export const exfiltrationLoop: RuleKind = {
  name: "exfiltration-loop",
  about: "what is read is sent to the same place, again and again, as much as was read",
  create(carried) {
    const sessions = createRecentMap<Reads>(MAX_SESSIONS, () => ({
      at: 0,
      count: 0,
      gathered: { at: 0, count: 0, bytes: 0 },
      revealed: 0,
      recent: [],
      sendings: new Map(),
    }));
    const habits = createHabits();
    return {
      name: "exfiltration-loop",
      severity: "critical",
      on: ["call.ended", "call.sent", "egress.connected", "pii.revealed"],
      observe(event, scene) {
        const state = sessions.of(scene.session);
        if (event.at - state.at > REMEMBERED_MS) {
          state.count = 0;
          state.recent.length = 0;
          state.sendings.clear();
        }
        state.at = event.at;
        if (event.action === "pii.revealed") {
          for (const count of Object.values(event.details.classes)) state.revealed += count ?? 0;
          return undefined;
        }
        const read = toRead(event, scene);
        if (read !== undefined) {
          state.count++;
          if (read.bytes < MIN_BYTES) return undefined;
          gather(state.gathered, read.bytes, event.at);
          state.recent.push(read);
          if (state.recent.length > RECENT_READS) state.recent.shift();
          return undefined;
        }
        const sent = toSent(event, scene);
        if (sent === undefined) return undefined;
        const points = state.revealed >= MANY_VALUES ? 1.5 : 1;
        state.revealed = 0;
        const from = state.recent.find(
          ({ bytes, server }) =>
            (sent.isLoud || server !== event.server) &&
            sent.bytes >= (sent.isLoud ? 0.5 : 0.8) * bytes &&
            sent.bytes <= 3 * bytes + 500,
        );
        if (from === undefined)
          return lookAtBulk(event, scene, sent, state) ?? lookAtPiece(event, scene, sent, state);
        const sending = sendingOf(state, sent.recipient);
        if (sent.input === sending.lastInput) return undefined;
        sending.lastInput = sent.input;
        sending.times++;
        sending.points += points;
        sending.bytes += sent.bytes;
        sending.events.push(from.id, event.id);
        if (sending.events.length > MAX_NAMED) sending.events.splice(0, 2);
        const least = sent.isLoud ? LOUD_TIMES : WRITES_TIMES;
        const habit = habits.add(`${scene.principal}\n${sent.recipient}`, sending.times, event.at, least);
        const enough = toLeast(habit, least);
        const severity = toSeverity(sending.points, sending.times, least);
        const own = {
          text: `${sending.times} times, what was read was sent on to ${sent.name}, ${toBytesText(sending.bytes)} in all; ${toBeforeText(habit)}`,
          events: [...sending.events],
          subject: `${scene.session}\n${sent.recipient}`,
          severity,
        } satisfies AnomalyFinding;
        const isFound = sending.points >= enough;
        if (isFound && severity === "critical") {
          carried.forget(scene.party, "exfiltration-loop", sent.recipient);
          return own;
        }
        // Whose habit it is does so in any session.
        const beyond = enough > least ? undefined : lookBeyond(event, scene, sent, points, least);
        return isFound && beyond?.severity !== "critical" ? own : beyond;
      },
    };

    /** What goes to the same place in one session after the other. */
    function lookBeyond(
      event: AuditEvent,
      scene: Scene,
      { recipient, name, input }: Sent,
      points: number,
      least: number,
    ): AnomalyFinding | undefined {
      const note = { rule: "exfiltration-loop", group: recipient, what: input, points };
      const notes = carried.add(scene, event, note);
      const habit = habits.add(`${scene.party}\n${recipient}`, notes.length, event.at, least);
      const sum = sumPoints(notes);
      if (sum < toLeast(habit, least)) return undefined;
      const severity = toSeverity(sum, notes.length, least);
      if (severity === "critical") carried.forget(scene.party, "exfiltration-loop", recipient);
      return {
        text: `${notes.length} times, over several sessions, what was read was sent on to ${name}; ${toBeforeText(habit)}`,
        events: notes.slice(-MAX_NAMED).map(({ id }) => id),
        subject: `${scene.session}\n${recipient}`,
        severity,
      };
    }

    /** What many calls read goes out in one. */
    function lookAtBulk(
      event: AuditEvent,
      scene: Scene,
      { bytes, recipient, name, isLoud }: Sent,
      { gathered, recent }: Reads,
    ): AnomalyFinding | undefined {
      const { count } = gathered;
      if (!isLoud || count < MANY_READS || bytes < MANY_BYTES || event.at - gathered.at > GATHERED_MS)
        return undefined;
      if (bytes < 0.5 * gathered.bytes || bytes > 3 * gathered.bytes) return undefined;
      gathered.count = 0;
      gathered.bytes = 0;
      const habit = habits.add(`${scene.principal}\n${recipient}\nbulk`, count, event.at, MANY_READS);
      if (count < toLeast(habit, MANY_READS)) return undefined;
      return {
        text: `What ${count} calls had read was sent on to ${name} at once, ${toBytesText(bytes)}; ${toBeforeText(habit)}`,
        events: [...recent.map(({ id }) => id), event.id],
        subject: `${scene.session}\n${recipient}`,
        severity: "warning",
      };
    }

    /** Of each thing that was read a little goes to the same host, which answers less than it gets. */
    function lookAtPiece(
      event: AuditEvent,
      scene: Scene,
      { recipient, name }: Sent,
      state: Reads,
    ): AnomalyFinding | undefined {
      if (event.action !== "egress.connected" || event.details.receivedBytes > event.details.sentBytes)
        return undefined;
      const sending = sendingOf(state, recipient);
      if (sending.pieces >= state.count) return undefined;
      sending.pieces++;
      sending.bytes += event.details.sentBytes;
      sending.events.push(event.id);
      if (sending.events.length > MAX_NAMED) sending.events.shift();
      const key = `${scene.principal}\n${recipient}\npieces`;
      const habit = habits.add(key, sending.pieces, event.at, MANY_PIECES);
      if (sending.pieces < toLeast(habit, MANY_PIECES)) return undefined;
      return {
        text: `${sending.pieces} times, something small was sent to ${name} after as much was read; ${toBeforeText(habit)}`,
        events: [...sending.events],
        subject: `${scene.session}\n${recipient}`,
        severity: toSeverity(sending.pieces, sending.pieces, MANY_PIECES),
      };
    }
  },
};

/** @param points more than times where many personal values were among it */
function toSeverity(points: number, times: number, least: number): AnomalySeverity {
  return points >= 2 * least || points > times ? "critical" : "warning";
}

function gather(gathered: Reads["gathered"], bytes: number, at: number): void {
  const isGoingOn = at - gathered.at <= GATHERED_MS;
  gathered.count = isGoingOn ? gathered.count + 1 : 1;
  gathered.bytes = isGoingOn ? gathered.bytes + bytes : bytes;
  gathered.at = at;
}

function toRead(event: AuditEvent, { effect }: Scene): Reads["recent"][number] | undefined {
  if (event.action !== "call.ended" || event.outcome !== "ok") return undefined;
  const { isWrite, input, output, isReplayed } = event.details;
  if (isReplayed || output === undefined) return undefined;
  // What is called a write may bring something as well: a download.
  if (isWrite && effect !== "reads" && (output.bytes < MIN_BYTES || output.bytes < 2 * input.bytes))
    return undefined;
  return { bytes: output.bytes, server: event.server ?? "", id: event.id };
}

type Sent = {
  readonly bytes: number;
  readonly recipient: string;
  readonly name: string;
  readonly input: string;
  /** It reaches others by what it is. */
  readonly isLoud: boolean;
};

function toSent(event: AuditEvent, { effect, tool, isKnownCall }: Scene): Sent | undefined {
  if (event.action === "egress.connected") {
    const { host, sentBytes } = event.details;
    if (sentBytes < MIN_BYTES) return undefined;
    return { bytes: sentBytes, recipient: `host ${host}`, name: `"${host}"`, input: event.id, isLoud: true };
  }
  if (event.action !== "call.sent" && event.action !== "call.ended") return undefined;
  if (isKnownCall) return undefined;
  const { input, leave, marks } = event.details;
  // A person has looked at it.
  if (leave?.approved === "person" || input.bytes < MIN_BYTES) return undefined;
  if (event.action === "call.ended" && (!event.details.isWrite || event.details.isReplayed)) return undefined;
  const isLoud = effect === "sends" || effect === "publishes";
  const recipient = marks?.recipient;
  // Files and notes are written from what was read all day long.
  if (!isLoud && recipient === undefined) return undefined;
  return {
    bytes: input.bytes,
    recipient: recipient === undefined ? tool : `${tool} ${recipient}`,
    name: recipient === undefined ? `"${tool}"` : `the same recipient by "${tool}"`,
    input: input.hash,
    isLoud,
  };
}

function sendingOf({ sendings }: Reads, recipient: string): Sending {
  const known = sendings.get(recipient);
  if (known !== undefined) return known;
  if (sendings.size >= MAX_RECIPIENTS) sendings.delete(sendings.keys().next().value ?? "");
  const sending: Sending = { times: 0, points: 0, bytes: 0, pieces: 0, lastInput: "", events: [] };
  sendings.set(recipient, sending);
  return sending;
}
