import type { AuditEvent } from "../../event.ts";
import {
  type AnomalyFinding,
  type AnomalySeverity,
  MAX_NAMED,
  MAX_SESSIONS,
  type RuleKind,
  type Scene,
} from "../anomaly.ts";
import { createAttempts } from "../attempts.ts";
import { sumPoints } from "../carried.ts";
import { toSpanText } from "../figures.ts";
import { createHabits, toBeforeText, toLeast } from "../habits.ts";
import { createRecentMap } from "../recent-map.ts";
import { HOUR_MS, MINUTE_MS } from "../usual.ts";

type Calls = {
  /** All calls since the first that deleted. */
  count: number;
  /** Those that deleted, of the last few calls. */
  readonly deletes: {
    readonly number: number;
    readonly at: number;
    readonly input: string;
    readonly id: string;
  }[];
  /** How many of those are different. */
  different: number;
  /** In one go, until it has done other things for a while. */
  inRow: number;
};

/** "In a row": this many of the last so many calls. */
const LAST = 9;
const MAX_RUNS = 500;
const LEAST = 5;
const WITHIN_MS = 6 * HOUR_MS;
/** Amid other calls: so many within a short time. */
const LEAST_AMID = 10;
const AMID_MS = 10 * MINUTE_MS;

/**
 * Many different things are deleted in a row, or in a short time, more than on earlier days. Who cleans up deletes a few: that is
 * told as well, as a warning; twice as many are critical.
 */
export const massDelete: RuleKind = {
  name: "mass-delete",
  about: "many different things are deleted in a row, or in a short time",
  create(carried) {
    const sessions = createRecentMap<Calls>(MAX_SESSIONS, toNone);
    const runs = createRecentMap<Calls>(MAX_RUNS, toNone);
    /** Different ones within a short time, whatever was done between them. */
    const amids = createRecentMap(MAX_SESSIONS, () => createAttempts(AMID_MS));
    const habits = createHabits();
    return {
      name: "mass-delete",
      severity: "critical",
      on: ["call.ended", "call.sent"],
      observe(event, scene) {
        if (event.action !== "call.ended" && event.action !== "call.sent") return undefined;
        if (scene.isKnownCall) return undefined;
        // What was refused, waits or is answered again deletes nothing.
        if (event.action === "call.ended" && !event.details.isSent) return undefined;
        const isDestructive = isDeleting(event, scene) && event.details.leave?.approved !== "person";
        if (!isDestructive) {
          carried.pass(scene.party);
          pass(sessions.peek(scene.session));
          if (scene.run !== undefined) pass(runs.peek(scene.run));
          return undefined;
        }
        const input = `${scene.tool} ${event.details.input.hash}`;
        // A program's own calls are in a row also when its session does other things meanwhile.
        const inSession = note(sessions.of(scene.session), event, input);
        const inRun = scene.run === undefined ? inSession : note(runs.of(scene.run), event, input);
        const row = inRun.different > inSession.different ? inRun : inSession;
        const habit = habits.add(`${scene.principal}\n${scene.tool}`, row.inRow, event.at, LEAST);
        const least = toLeast(habit, LEAST);
        const amid = amids.of(scene.session);
        const count = amid.add(input, event.at, event.id);
        const amidHabit = habits.add(`${scene.principal}\n${scene.tool}\namid`, count, event.at, LEAST_AMID);
        const own =
          row.different >= LEAST && row.inRow >= least
            ? {
                text: `${row.inRow} destructive calls in a row, the last of them "${scene.tool}"; ${toBeforeText(habit)}`,
                events: row.deletes.map((one) => one.id),
                subject: scene.session,
                severity: toSeverity(row.inRow, LEAST),
              }
            : count >= toLeast(amidHabit, LEAST_AMID)
              ? {
                  text: `${count} different things were deleted amid other calls within ${toSpanText(event.at - amid.firstAt())}, the last of them by "${scene.tool}"; ${toBeforeText(amidHabit)}`,
                  events: amid.events(),
                  subject: scene.session,
                  severity: toSeverity(count, LEAST_AMID),
                }
              : undefined;
        if (own?.severity === "critical") {
          carried.forget(scene.party, "mass-delete", "");
          return own;
        }
        // Whose habit it is does so in any session.
        const beyond = least > LEAST ? undefined : lookBeyond(event, scene, input);
        return beyond?.severity === "critical" ? beyond : (own ?? beyond);
      },
    };

    /** What is deleted in one session after the other is in a row as well. */
    function lookBeyond(event: AuditEvent, scene: Scene, input: string): AnomalyFinding | undefined {
      const note = { rule: "mass-delete", group: "", what: input, points: 1 };
      const notes = carried.add(scene, event, note);
      const near = notes.filter(({ behind }) => behind < LAST);
      const late = notes.filter(({ at }) => event.at - at <= AMID_MS);
      const isInRow = sumPoints(near) >= LEAST;
      const [found, enough] = isInRow ? [near, LEAST] : [late, LEAST_AMID];
      const times = sumPoints(found);
      const habit = habits.add(`${scene.party}\n${scene.tool}`, times, event.at, enough);
      if (times < toLeast(habit, enough)) return undefined;
      const severity = toSeverity(isInRow ? sumPoints(notes) : times, enough);
      if (severity === "critical") carried.forget(scene.party, "mass-delete", "");
      return {
        text: `${times} destructive calls ${isInRow ? "in a row" : "within ten minutes"} over several sessions, the last of them "${scene.tool}"; ${toBeforeText(habit)}`,
        events: found.slice(-MAX_NAMED).map(({ id }) => id),
        subject: scene.session,
        severity,
      };
    }
  },
};

function toSeverity(times: number, least: number): AnomalySeverity {
  return times >= 2 * least ? "critical" : "warning";
}

const toNone = (): Calls => ({ count: 0, deletes: [], different: 0, inRow: 0 });

function pass(calls: Calls | undefined): void {
  if (calls !== undefined) calls.count++;
}

function note(calls: Calls, { at, id }: AuditEvent, input: string): Calls {
  const number = ++calls.count;
  const { deletes } = calls;
  deletes.push({ number, at, input, id });
  while ((deletes[0]?.number ?? number) <= number - LAST || at - (deletes[0]?.at ?? at) > WITHIN_MS)
    deletes.shift();
  calls.different = new Set(deletes.map((one) => one.input)).size;
  calls.inRow = calls.different <= 2 ? calls.different : calls.inRow + 1;
  return calls;
}

/** They can do anything: what they are used for, their names don't say. */
const RUNS_ANYTHING = /exec|eval|process|command|shell|repl|script|code|sql|query|terminal|console/i;

function isDeleting(event: AuditEvent, { effect, tool }: Scene): boolean {
  const isSaid =
    event.action === "call.ended" && event.details.isDestructive === true && effect === "unknown";
  return (isSaid || effect === "destroys") && !RUNS_ANYTHING.test(tool.slice(tool.indexOf(".") + 1));
}
