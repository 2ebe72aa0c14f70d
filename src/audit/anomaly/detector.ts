import type { Effect } from "../../policy/permissions/verb-table.ts";
import { effectOfName } from "../../policy/permissions/verbs.ts";
import type { AuditEvent, EventAction } from "../event.ts";
import {
  type Anomaly,
  type AnomalyRule,
  type AnomalySeverity,
  MAX_SESSIONS,
  MAX_SUBJECTS,
  type Scene,
} from "./anomaly.ts";
import { type CarriedCounts, createCarriedCounts } from "./carried.ts";
import { createRecentMap } from "./recent-map.ts";
import { ANOMALY_RULES } from "./rules.ts";
import { isSecretLike } from "./secret-like.ts";
import { HOUR_MS } from "./usual.ts";

export type Detector = {
  /** What is unusual about this event, after all that came before. A session that was released begins anew. */
  observe(event: AuditEvent): readonly Anomaly[];
};

export type DetectorOptions = {
  /** Whether a rule is used; without it all are that do not only take notes. */
  readonly isOn?: (rule: string) => boolean | undefined;
  /** What counts beyond a session; without it, what this detector has seen. */
  readonly carried?: CarriedCounts;
  /** What holds again, and is not told: it was, not long ago. */
  readonly onAgain?: (anomaly: Anomaly) => void;
};

/** Of the same rule and subject nothing is told again for so long. */
const COOL_DOWN_MS = 6 * HOUR_MS;
/** Within this time, what else a session does that is no graver has the same cause. */
const SAME_CAUSE_MS = HOUR_MS;
const MAX_NAME = 200;
const SENT_KEPT = 1_024;
const GRAVITY: Readonly<Record<AnomalySeverity, number>> = { info: 0, warning: 1, critical: 2 };
const NOTHING: readonly Anomaly[] = [];

/** Watches a stream of events. It has no clock: an event's own time counts, so that history can be replayed. */
export function createDetector({
  isOn,
  carried = createCarriedCounts(),
  onAgain,
}: DetectorOptions = {}): Detector {
  const byAction = new Map<EventAction, AnomalyRule[]>();
  for (const kind of ANOMALY_RULES) {
    if (!(isOn?.(kind.name) ?? kind.isQuiet !== true)) continue;
    const rule = kind.create(carried);
    for (const action of rule.on) byAction.set(action, [...(byAction.get(action) ?? []), rule]);
  }
  const toSceneOf = createScenes();
  const told = createRecentMap(MAX_SUBJECTS, () => ({ at: Number.NEGATIVE_INFINITY, gravity: -1 }));
  const causes = createRecentMap(MAX_SESSIONS, () => ({ at: Number.NEGATIVE_INFINITY, gravity: -1 }));

  /** Not told before, and not the same trouble by another name. */
  function isNews(
    rule: AnomalyRule,
    subject: string,
    severity: AnomalySeverity,
    { session }: Scene,
    at: number,
  ): boolean {
    const last = told.of(`${rule.name}\n${subject}`);
    const gravity = GRAVITY[severity];
    const isCool = at - last.at >= COOL_DOWN_MS;
    const isGraver = gravity > last.gravity;
    // While it goes on it is the same: the pause counts from its end.
    last.at = at;
    if (!isCool && !isGraver) return false;
    last.gravity = gravity;
    const cause = causes.of(session);
    const isSame = at - cause.at < SAME_CAUSE_MS && cause.gravity >= gravity;
    // What is critical is told by its own name.
    if (isSame && severity !== "critical") return false;
    cause.at = at;
    cause.gravity = gravity;
    return true;
  }

  return {
    observe(event) {
      const rules = byAction.get(event.action);
      const scene = toSceneOf(event);
      if (rules === undefined) return NOTHING;
      let found: Anomaly[] | undefined;
      for (const rule of rules) {
        const finding = rule.observe(event, scene);
        if (finding === undefined) continue;
        const severity = finding.severity ?? rule.severity;
        const isTold = isNews(rule, finding.subject, severity, scene, event.at);
        if (!isTold && onAgain === undefined) continue;
        const { text, events } = finding;
        const early = severity === rule.severity ? {} : { isEarly: true as const };
        const head = { rule: rule.name, severity, ...early, text, at: event.at };
        const anomaly = { ...head, ...toWhere(event), events };
        if (!isTold) onAgain?.(anomaly);
        else if (found === undefined) found = [anomaly];
        else found.push(anomaly);
      }
      return found ?? NOTHING;
    },
  };
}

function toWhere({ session, principal, client, run, server, tool }: AuditEvent): Partial<Anomaly> {
  return {
    ...(session !== undefined && { session }),
    ...(principal !== undefined && { principal }),
    ...(client !== undefined && { client: client.name }),
    ...(client?.version !== undefined && { clientVersion: client.version }),
    ...(run !== undefined && { run }),
    ...(server !== undefined && { server }),
    ...(tool !== undefined && { tool }),
  };
}

type KnownTool = { effect: Effect; isSecret: boolean; server: string; name: string };

/**
 * What all rules need to know of an event is found once, and of a tool once for all of its calls. The scene is one object for all
 * events: rules keep nothing of it.
 */
function createScenes(): (event: AuditEvent) => Scene {
  const tools = createRecentMap<{ known: KnownTool | undefined }>(MAX_SUBJECTS, () => ({ known: undefined }));
  const parties = createRecentMap(MAX_SESSIONS, () => ({ principal: "", client: "", name: "\n" }));
  /** Calls that were sent and have not ended. */
  const sent = new Set<string>();
  /** How often a person let a session go on: what it did before that counts no more. */
  const releases = createRecentMap(MAX_SESSIONS, () => ({ times: 0 }));
  const scene: { -readonly [Key in keyof Scene]: Scene[Key] } = {
    session: "",
    run: undefined,
    principal: "",
    client: "",
    party: "",
    tool: "",
    effect: "unknown",
    isSecretTool: false,
    isKnownCall: false,
  };

  function toolOf(server: string, tool: string): KnownTool {
    const kept = tools.of(tool);
    const { known } = kept;
    // Texts that are made anew for each event cost more than all the rest.
    if (known !== undefined && known.server === server) return known;
    const { effect, isSecret } = known ?? { effect: effectOfName(tool), isSecret: isSecretLike(tool) };
    const made = { effect, isSecret, server, name: `${server}.${tool}` };
    kept.known = made;
    return made;
  }

  function partyOf(session: string, principal: string, client: string): string {
    const kept = parties.of(session);
    // Some events of a session do not say whose they are.
    if (principal === "" || (client === "" && kept.client !== "" && kept.principal === principal))
      return kept.name;
    if (kept.principal !== principal || kept.client !== client)
      Object.assign(kept, { principal, client, name: toParty(principal, client) });
    return kept.name;
  }

  return (event) => {
    const principal = cut(event.principal ?? "");
    const tool = event.tool === undefined ? NO_TOOL : toolOf(cut(event.server ?? ""), cut(event.tool));
    const isKnownCall = event.action === "call.ended" && event.call !== undefined && sent.delete(event.call);
    if (event.action === "call.sent" && event.call !== undefined) {
      sent.add(event.call);
      if (sent.size > SENT_KEPT) sent.delete(sent.values().next().value ?? "");
    }
    const named = cut(event.session ?? `of ${principal}`);
    if (event.action === "anomaly.released") releases.of(named).times++;
    const released = releases.size === 0 ? undefined : releases.peek(named);
    const session = released === undefined ? named : `${named}\n${released.times}`;
    const client = cut(event.client?.name ?? "");
    scene.session = session;
    scene.run =
      released === undefined || event.run === undefined ? event.run : `${event.run}\n${released.times}`;
    scene.principal = principal;
    scene.client = client;
    scene.party = partyOf(session, principal, client);
    scene.tool = tool.name;
    scene.effect = tool.effect;
    scene.isSecretTool = tool.isSecret;
    scene.isKnownCall = isKnownCall;
    return scene;
  };
}

/** Whoever comes back as the same principal, with a client of the same name. */
export function toParty(principal: string, client: string): string {
  return `${principal}\n${client}`;
}

const NO_TOOL: KnownTool = { effect: "unknown", isSecret: false, server: "", name: "" };

function cut(text: string): string {
  return text.length > MAX_NAME ? text.slice(0, MAX_NAME) : text;
}
