import { MAX_SUBJECTS, type RuleKind } from "../anomaly.ts";
import { createHours } from "../hours.ts";
import { createRecentMap } from "../recent-map.ts";

const MIN_RUNS = 60;
const MIN_DAYS = 8;
const MAX_SHARE = 0.002;

/** Something grave is done at a time of day at which this principal is never about. Looking and drafting late at night is nobody's concern. */
export const unusualHour: RuleKind = {
  name: "unusual-hour",
  about: "something grave is done at a time of day at which this principal is never about",
  create() {
    const principals = createRecentMap(MAX_SUBJECTS, () => createHours(MIN_RUNS, MIN_DAYS));
    return {
      name: "unusual-hour",
      severity: "warning",
      on: ["run.started", "call.sent", "call.ended"],
      observe(event, scene) {
        if (event.action === "run.started") {
          // Noted when it is over that hour: a run must not make its own hour usual.
          const hours = principals.of(scene.principal);
          if (!hours.isMature() || hours.shareAround(event.at) > MAX_SHARE || event.risk === "low")
            hours.add(event.at);
          return undefined;
        }
        if (event.action !== "call.sent" && event.action !== "call.ended") return undefined;
        const isGrave =
          scene.effect === "destroys" ||
          scene.effect === "sends" ||
          scene.effect === "publishes" ||
          scene.effect === "pays";
        if (!isGrave || scene.isKnownCall || event.details.leave?.approved === "person") return undefined;
        const hours = principals.peek(scene.principal);
        if (hours === undefined || !hours.isMature()) return undefined;
        const share = hours.shareAround(event.at);
        if (share > MAX_SHARE) return undefined;
        return {
          text: `"${scene.tool}" at ${new Date(event.at).toISOString().slice(11, 16)} UTC; within two hours of that time of day this principal does ${(share * 100).toFixed(1)} % of its work`,
          events: [event.id],
          subject: scene.principal,
        };
      },
    };
  },
};
