import type { AuditEvent, EventAction } from "../../event.ts";
import { MAX_SUBJECTS, type RuleKind, type Scene } from "../anomaly.ts";
import { createRecentMap } from "../recent-map.ts";
import { DAY_MS } from "../usual.ts";

type FirstSeen = {
  readonly name: RuleKind["name"];
  readonly about: string;
  readonly on: readonly EventAction[];
  /** Whose firsts these are, and what is seen. */
  seenIn(event: AuditEvent, scene: Scene): { readonly by: string; readonly what: string } | undefined;
  toText(event: AuditEvent, scene: Scene): string;
};

/** Somebody is known after so many events on so many days, and when there has been nothing new for a while. */
const MIN_EVENTS = 200;
const MIN_DAYS = 5;
const QUIET_EVENTS = 60;
const MAX_SEEN = 20_000;

type Known = { events: number; days: number; day: number; sinceNew: number };

/** Notes, not alarms: each is switched on by name in the config. */
function toFirstSeenRule({ name, about, on, seenIn, toText }: FirstSeen): RuleKind {
  return {
    name,
    about,
    isQuiet: true,
    create() {
      const seen = createRecentMap(MAX_SEEN, () => ({ times: 0 }));
      const known = createRecentMap<Known>(MAX_SUBJECTS, () => ({
        events: 0,
        days: 0,
        day: -1,
        sinceNew: 0,
      }));
      return {
        name,
        severity: "info",
        on,
        observe(event, scene) {
          const found = seenIn(event, scene);
          if (found === undefined) return undefined;
          const who = known.of(found.by);
          const day = Math.floor(event.at / DAY_MS);
          if (day > who.day) {
            who.day = day;
            who.days++;
          }
          const what = seen.of(`${found.by}\n${found.what}`);
          const isNew = what.times++ === 0;
          const isMature = who.events++ >= MIN_EVENTS && who.days > MIN_DAYS && who.sinceNew >= QUIET_EVENTS;
          who.sinceNew = isNew ? 0 : who.sinceNew + 1;
          if (!isNew || !isMature) return undefined;
          return { text: toText(event, scene), events: [event.id], subject: `${found.by}\n${found.what}` };
        },
      };
    },
  };
}

export const firstTool = toFirstSeenRule({
  name: "first-tool",
  about: "a principal who is known uses a tool for the first time",
  on: ["call.ended", "call.denied"],
  seenIn: (_, { principal, tool }) => ({ by: principal, what: tool }),
  toText: (_, { tool }) => `"${tool}" is used for the first time by this principal`,
});

export const firstHost = toFirstSeenRule({
  name: "first-host",
  about: "programs of a principal who is known connect to a host for the first time",
  on: ["egress.connected"],
  seenIn: (event, { principal }) =>
    event.action === "egress.connected" ? { by: principal, what: event.details.host } : undefined,
  toText: (event) =>
    `Programs of this principal connect to "${event.action === "egress.connected" ? event.details.host : ""}" for the first time`,
});

export const firstShape = toFirstSeenRule({
  name: "first-shape",
  about: "a tool that is known is called with arguments of a form that was never seen",
  on: ["call.ended"],
  seenIn: (event, { tool }) =>
    event.action === "call.ended" ? { by: tool, what: event.details.shape } : undefined,
  toText: (_, { tool }) => `"${tool}" is called with arguments of a form that was never seen`,
});
