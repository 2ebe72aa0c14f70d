import { MAX_SESSIONS, MAX_SUBJECTS, type RuleKind } from "../anomaly.ts";
import { type Attempts, createAttempts } from "../attempts.ts";
import { toSpanText } from "../figures.ts";
import { createRecentMap } from "../recent-map.ts";
import { DAY_MS, MINUTE_MS } from "../usual.ts";

const WITHIN_MS = 30 * MINUTE_MS;
const LEAST = 10;
const MAX_TOOLS = 16;
/** A server that is down fails whatever it is asked. */
const NOT_ITS_FAULT: ReadonlySet<string> = new Set([
  "server_unavailable",
  "timeout",
  "cancelled",
  "limit",
  "bad_arguments",
  "tool_unknown",
]);

/** One tool fails for one input after the other, and for none of them it works: names are being guessed. */
export const pathProbing: RuleKind = {
  name: "path-probing",
  about: "one reading tool fails for many different inputs in a row: names are being guessed",
  create() {
    /** By session and tool. */
    const failures = createRecentMap(MAX_SESSIONS, () => new Map<string, Attempts>());
    const working = createRecentMap(MAX_SUBJECTS, () => ({ at: Number.NEGATIVE_INFINITY }));
    return {
      name: "path-probing",
      severity: "warning",
      on: ["call.ended"],
      observe(event, scene) {
        if (event.action !== "call.ended" || event.details.isReplayed) return undefined;
        if (event.outcome === "ok") {
          working.of(scene.tool).at = event.at;
          failures.peek(scene.session)?.delete(scene.tool);
          return undefined;
        }
        if (event.outcome !== "failed" || event.details.isWrite) return undefined;
        if (NOT_ITS_FAULT.has(event.details.code ?? "")) return undefined;
        // Where it works for nobody it is broken.
        const { at: lastOkAt } = working.of(scene.tool);
        if (event.at - lastOkAt > DAY_MS) return undefined;
        const attempts = attemptsOf(failures.of(scene.session), scene.tool);
        const count = attempts.add(event.details.input.hash, event.at, event.id);
        if (count < LEAST) return undefined;
        return {
          text: `"${scene.tool}" failed for ${count} different inputs in a row, within ${toSpanText(event.at - attempts.firstAt())}, while it works otherwise`,
          events: attempts.events(),
          subject: `${scene.session}\n${scene.tool}`,
        };
      },
    };
  },
};

function attemptsOf(tools: Map<string, Attempts>, tool: string): Attempts {
  const known = tools.get(tool);
  if (known !== undefined) return known;
  if (tools.size >= MAX_TOOLS) tools.delete(tools.keys().next().value ?? "");
  const attempts = createAttempts(WITHIN_MS);
  tools.set(tool, attempts);
  return attempts;
}
