import type { AuditEvent } from "../../event.ts";
import { MAX_NAMED, type RuleKind, type Scene } from "../anomaly.ts";
import { toSpanText } from "../figures.ts";
import { createHabits, toBeforeText, toLeast } from "../habits.ts";
import { createRecentMap } from "../recent-map.ts";
import { HOUR_MS, MINUTE_MS } from "../usual.ts";

type Repeats = {
  /** Whose it is, where it is kept by its input alone. */
  session: string;
  tool: string;
  /** In all, and in the run that made the last one. */
  times: number;
  inRun: number;
  run: string;
  at: number;
  firstAt: number;
  pauseMs: number;
  /** How many of the pauses were longer than the one before. */
  longer: number;
  output: string;
  firstId: string;
  events: readonly string[];
};

const WITHIN_MS = 6 * HOUR_MS;
const LEAST_READS = 8;
/** The same thing written again and again is never meant. */
const LEAST_WRITES = 5;
/** One who waits longer each time, or starts a run for each, knows what is done. */
const POLITE_TIMES = 24;
/** One who waits for a job asks every few seconds. */
const PACED_MS = 2_000;
const MAX_CALLS = 6_000;
const NONE: readonly string[] = [];

/** The same call with the same input is made again and again, and answers the same. */
export const runawayPolling: RuleKind = {
  name: "runaway-polling",
  about: "the same call with the same input is made again and again, and answers the same",
  create() {
    const calls = createRecentMap<Repeats>(MAX_CALLS, toNothing);
    const sameInputs = createRecentMap<Repeats>(MAX_CALLS, toNothing);
    const habits = createHabits();
    return {
      name: "runaway-polling",
      severity: "warning",
      on: ["call.ended", "call.sent"],
      observe(event, scene) {
        if (event.action !== "call.ended" && event.action !== "call.sent") return undefined;
        if (scene.isKnownCall) return undefined;
        if (event.action === "call.ended" && (event.details.isReplayed || event.details.isCached))
          return undefined;
        const call = callOf(scene, event.details.input.hash);
        const isWrite = event.action === "call.sent" || (event.details.isWrite && scene.effect !== "reads");
        note(call, event);
        if (call.times < 3) return undefined;
        // A job that is started again and again by a clock is meant so.
        const isByClock = call.inRun < call.times / 2 && call.pauseMs >= MINUTE_MS;
        if (isByClock) return undefined;
        const isPolite = call.inRun < call.times / 2 || call.longer >= call.times - 2;
        const least = isPolite ? POLITE_TIMES : isWrite ? LEAST_WRITES : LEAST_READS;
        const key = `${scene.principal}\n${scene.tool}\n${isPolite}`;
        const habit = habits.add(key, call.times, event.at, least);
        if (call.times < toLeast(habit, least)) return undefined;
        const isPaced = event.at - call.firstAt >= PACED_MS * (call.times - 1);
        return {
          text: `"${scene.tool}" was called ${call.times} times with the same input${isWrite ? "" : " and the same answer"} within ${toSpanText(event.at - call.firstAt)}; ${toBeforeText(habit)}`,
          events: call.events,
          subject: `${scene.session}\n${scene.tool}`,
          severity: !isWrite && isPaced && call.times < POLITE_TIMES ? "info" : "warning",
        };
      },
    };

    /** Most inputs come once: a name that is made of all three is only made where two have the same. */
    function callOf({ session, tool }: Scene, input: string): Repeats {
      const call = calls.of(input);
      if (call.times === 0) {
        call.session = session;
        call.tool = tool;
      }
      if (call.session === session && call.tool === tool) return call;
      return sameInputs.of(`${session}\n${tool}\n${input.slice(0, 16)}`);
    }
  },
};

function toNothing(): Repeats {
  return {
    session: "",
    tool: "",
    times: 0,
    inRun: 0,
    run: "",
    at: 0,
    firstAt: 0,
    pauseMs: 0,
    longer: 0,
    output: "",
    firstId: "",
    events: NONE,
  };
}

function note(call: Repeats, event: AuditEvent<"call.ended" | "call.sent">): void {
  const output = event.action === "call.ended" ? (event.details.output?.hash ?? event.outcome) : "";
  const pauseMs = event.at - call.at;
  if (output !== call.output || pauseMs > WITHIN_MS || call.times === 0) {
    call.times = 0;
    call.inRun = 0;
    call.longer = 0;
    call.firstAt = event.at;
    call.events = NONE;
  } else if (pauseMs > 1.2 * call.pauseMs) call.longer++;
  const run = event.run ?? "";
  call.inRun = run === call.run ? call.inRun + 1 : 1;
  call.run = run;
  call.pauseMs = pauseMs;
  call.output = output;
  call.at = event.at;
  call.times++;
  // Most calls are made once: nothing is kept for those.
  if (call.times === 1) call.firstId = event.id;
  else call.events = [...(call.times === 2 ? [call.firstId] : call.events.slice(1 - MAX_NAMED)), event.id];
}
