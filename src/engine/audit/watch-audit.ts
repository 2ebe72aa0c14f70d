import { type Anomaly, MAX_SESSIONS } from "../../audit/anomaly/anomaly.ts";
import { type CarriedCounts, createCarriedCounts } from "../../audit/anomaly/carried.ts";
import { createDetector, type Detector, toParty } from "../../audit/anomaly/detector.ts";
import { createRecentMap } from "../../audit/anomaly/recent-map.ts";
import { HOUR_MS } from "../../audit/anomaly/usual.ts";
import type { AuditLog } from "../../audit/audit-log.ts";
import type { AuditEvent, NewEvent } from "../../audit/event.ts";
import type { AuditReader } from "../../audit/reader.ts";
import type { AnomalyAction, AuditSettings } from "../../audit/settings.ts";
import type { Session } from "../../session.ts";
import type { KeyholeCommand } from "../../text/keyhole-command.ts";
import { randomId } from "../../text/random-id.ts";
import type { AnomalyParties, PartyHold } from "./anomaly-parties.ts";
import { createAnomalyWebhook } from "./anomaly-webhook.ts";
import { learnHistory } from "./learn-history.ts";

/** Who asks for something. */
export type Suspect = Pick<Session, "id" | "principal" | "client">;

/** What calls and runs of a session meet. */
export type AnomalyVerdict = {
  readonly verdict: "ask" | "stop";
  readonly rule: string;
  readonly reason: string;
  /** What it is for, and what is to be released: this session, or one before it. */
  readonly session: string;
};

export type AnomalyVerdicts = {
  /** Nothing where it may go on. */
  verdictOf(suspect: Suspect): AnomalyVerdict | undefined;
};

export type AuditWatch = AnomalyVerdicts & { close(): Promise<void> };

export type WatchOptions = {
  readonly log: Pick<AuditLog, "add" | "commit" | "hash" | "onEvent">;
  readonly settings: AuditSettings["anomalies"];
  /** Its runs are to end. */
  readonly onStop: (session: string) => void;
  readonly onNotice: (text: string) => void;
  /** Whether a person let it go on after this time. */
  readonly isReleased: (session: string, since: number) => boolean;
  /** What outlives sessions and processes. */
  readonly parties: AnomalyParties;
  /** How a command of ours is written. */
  readonly command: KeyholeCommand;
  /** What was written down before, so that what is usual is known. */
  readonly history?: (use: (reader: AuditReader) => Promise<void>) => Promise<void>;
};

type Flag = {
  verdict: "free" | "ask" | "stop";
  at: number;
  rule: string;
  reason: string;
  releasedAt?: number;
};

/**
 * Events are looked at together, beside the calls that they tell of: by then the program has its answer. Where a session may be held for
 * them, a few at a time, at the latest when a run ends and before the session does something; else there is no hurry.
 */
const HURRIED = { soonMs: 5, much: 8 };
const UNHURRIED = { soonMs: 50, much: 64 };
const MAX_PENDING = 128;
/** A command is over before: what is usual is looked up by what stays. */
const LEARN_AFTER_MS = 10_000;
/** What is counted for more than a session goes on as it is after a release: for so long that is no reason for another stop. */
const SPARED_MS = HOUR_MS;
const LOOK_UP_MS = 1_000;
/** Of a session that is shared. */
const MAX_CLIENTS = 8;
/** What happens meanwhile. */
const MAX_MEANWHILE = 5_000;

/** Looks at each event once it is written, and does what the config says about what is unusual. */
export function watchAudit({
  log,
  settings,
  onStop,
  onNotice,
  command,
  isReleased,
  parties,
  history,
}: WatchOptions): AuditWatch {
  const isOn = toIsOn(settings.rules);
  const webhook = settings.webhook && createAnomalyWebhook(settings.webhook, { onNotice });
  const flags = createRecentMap<Flag>(MAX_SESSIONS, () => ({
    verdict: "free",
    at: 0,
    rule: "",
    reason: "",
  }));
  /** By the names that clients gave: events may have them masked. */
  const partiesOf = createRecentMap(MAX_SESSIONS, () => new Set<string>());
  const heldBefore = createRecentMap<{ at: number; hold: PartyHold | undefined }>(MAX_SESSIONS, () => ({
    at: Number.NEGATIVE_INFINITY,
    hold: undefined,
  }));
  const carried = createCarriedCounts(parties, (text) => log.hash(text).slice(0, 32), randomId("p"));
  const startedAt = Date.now();
  const canHold = [settings.action, ...Object.values(settings.rules)].some(
    (action) => action === "ask" || action === "stop",
  );
  const pace = canHold ? HURRIED : UNHURRIED;
  let detector: Detector = createDetector({ isOn, carried, ...(canHold && { onAgain: actAgain }) });
  let meanwhile: AuditEvent[] | undefined = history && [];
  let learning: Promise<void> | undefined;
  let isClosed = false;

  const pending: AuditEvent[] = [];
  let isLooking = false;
  let soon: NodeJS.Timeout | undefined;
  const listening = log.onEvent((event) => {
    if (event.action === "anomaly.found") return;
    pending.push(event);
    if ((canHold && event.action === "run.ended") || pending.length >= MAX_PENDING) lookAtPending();
    else if (pending.length === pace.much) setImmediate(lookAtPending);
    else
      soon ??= setTimeout(() => {
        soon = undefined;
        lookAtPending();
      }, pace.soonMs).unref();
  });
  const timer = history && setTimeout(() => (learning = learn(history)), LEARN_AFTER_MS).unref();

  /** What was just written down. More may come of what is done about it. */
  function lookAtPending(): void {
    if (isLooking) return;
    isLooking = true;
    for (let index = 0; index < pending.length; index++) {
      const event = pending[index];
      try {
        if (event !== undefined) inform(event);
      } catch {
        // That it can't be written down is told by whoever has something to do.
      }
    }
    pending.length = 0;
    isLooking = false;
  }

  function inform(event: AuditEvent): void {
    if (meanwhile !== undefined && meanwhile.length < MAX_MEANWHILE) meanwhile.push(event);
    for (const anomaly of detector.observe(event)) act(anomaly);
  }

  function toAction({ rule, severity, isEarly }: Anomaly): AnomalyAction {
    const said = settings.rules[rule] ?? settings.action;
    const action = said === "off" ? "log" : said;
    // Ordinary work is not ended for what may be ordinary.
    if (!isEarly || (action !== "ask" && action !== "stop")) return action;
    return severity === "info" ? "notify" : "ask";
  }

  /** What was told is not told again for a while; but nobody goes on for that. */
  function actAgain(anomaly: Anomaly): void {
    const action = toAction(anomaly);
    const { session } = anomaly;
    if ((action !== "ask" && action !== "stop") || session === undefined) return;
    const verdict = flagOf(session)?.verdict;
    if (verdict === "stop" || verdict === action) return;
    const releasedAt = flags.peek(session)?.releasedAt;
    if (releasedAt === undefined || Date.now() - releasedAt >= SPARED_MS) act(anomaly);
  }

  function act(anomaly: Anomaly): void {
    const action = toAction(anomaly);
    const event = log.add(toEvent(anomaly, action));
    log.commit()?.catch(() => {});
    if (action === "log") return;
    if (event.action === "anomaly.found") webhook?.notify(event);
    const { session } = anomaly;
    if (action === "notify" || session === undefined) return;
    flag(session, action, anomaly);
    for (const party of toHeld(session, anomaly)) parties.hold(party, action, anomaly.rule, session);
    const way = command(`audit anomalies --release ${session}`);
    onNotice(`Anomaly (${anomaly.rule}): ${anomaly.text}. ${toEffectText(action)}; ${way} lets it go on`);
    if (action === "stop") onStop(session);
  }

  function flag(session: string, action: "ask" | "stop", { rule, text }: Anomaly): void {
    const known = flags.of(session);
    if (known.verdict === "stop" && action === "ask") return;
    Object.assign(known, { verdict: action, at: Date.now(), rule, reason: `${rule}: ${text}` });
  }

  function toHeld(session: string, { principal = "", client = "" }: Anomaly): Iterable<string> {
    const party = toParty(principal, client);
    const known = partiesOf.peek(session);
    return known === undefined || known.has(party) ? [party] : known;
  }

  function note(session: string, party: string): void {
    const known = partiesOf.of(session);
    if (!known.has(party) && known.size < MAX_CLIENTS) known.add(party);
  }

  /** Nothing is kept for those who were never conspicuous. */
  function flagOf(session: string): Flag | undefined {
    const known = flags.peek(session);
    if (known === undefined || known.verdict === "free") return undefined;
    if (isReleased(session, known.at)) {
      known.verdict = "free";
      known.releasedAt = Date.now();
      inform(toRelease(session, known.releasedAt));
      return undefined;
    }
    return known;
  }

  /** By whichever process. Where this one holds nobody itself, that is looked up now and then. */
  function heldOf(party: string): PartyHold | undefined {
    if (canHold) return parties.holdOf(party);
    const last = heldBefore.of(party);
    const now = Date.now();
    if (now >= last.at && now - last.at < LOOK_UP_MS) return last.hold;
    last.at = now;
    last.hold = parties.holdOf(party);
    return last.hold;
  }

  /** A detector that knows the past takes the place of the one that did not. */
  async function learn(open: NonNullable<WatchOptions["history"]>): Promise<void> {
    try {
      // What was done then is counted already: only what is done from now on is kept.
      const past = createCarriedCounts();
      const current = () => (detector === learned ? carried : past);
      const learned: Detector = createDetector({
        isOn,
        carried: toSwitched(current),
        ...(canHold && { onAgain: (anomaly) => detector === learned && actAgain(anomaly) }),
      });
      await open((reader) => learnHistory(reader, learned, { until: startedAt, isOver: () => isClosed }));
      for (const event of meanwhile ?? []) learned.observe(event);
      detector = learned;
    } catch {
      // It knows what it has seen itself.
    } finally {
      meanwhile = undefined;
    }
  }

  return {
    verdictOf({ id, principal, client }) {
      const party = toParty(principal, client.name);
      if (canHold) {
        note(id, party);
        lookAtPending();
      }
      const own = flagOf(id);
      if (own !== undefined && own.verdict === "stop")
        return { verdict: "stop", rule: own.rule, reason: own.reason, session: id };
      const held = heldOf(party);
      const session = held?.sessions.at(-1);
      if (held !== undefined && session !== undefined && (own === undefined || held.verdict === "stop"))
        return {
          verdict: held.verdict,
          rule: held.rule,
          reason: `${held.rule}, in session ${session}`,
          session,
        };
      return own && { verdict: "ask", rule: own.rule, reason: own.reason, session: id };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(soon);
      listening.end();
      lookAtPending();
      webhook?.close();
      carried.flush();
      await learning;
    },
  };
}

/** As the log has it, by the process of whoever released it. */
function toRelease(session: string, at: number): AuditEvent<"anomaly.released"> {
  return { id: "", at, action: "anomaly.released", session, outcome: "ok", details: { channel: "cli" } };
}

function toSwitched(current: () => CarriedCounts): CarriedCounts {
  return {
    add: (...note) => current().add(...note),
    pass: (party) => current().pass(party),
    forget: (...what) => current().forget(...what),
    flush: () => current().flush(),
  };
}

/** Notes are taken where the config names them. */
export function toIsOn(rules: AuditSettings["anomalies"]["rules"]): (rule: string) => boolean | undefined {
  return (rule) => (Object.hasOwn(rules, rule) ? rules[rule] !== "off" : undefined);
}

function toEffectText(action: AnomalyAction): string {
  return action === "stop"
    ? "The session's runs are ended, and no new ones are taken, also where its client comes back"
    : "What the session writes from now on needs a person's word, also where its client comes back";
}

function toEvent(
  { rule, severity, isEarly: _isEarly, text, events, client, clientVersion, at: _at, ...where }: Anomaly,
  action: AnomalyAction,
): NewEvent {
  return {
    action: "anomaly.found",
    outcome: action === "stop" ? "denied" : action === "ask" ? "asked" : "ok",
    ...where,
    ...(client !== undefined && {
      client: { name: client, ...(clientVersion !== undefined && { version: clientVersion }) },
    }),
    details: { rule, severity, text, action, events },
  };
}
