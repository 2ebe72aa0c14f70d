import { MAX_SESSIONS, type RuleKind } from "../anomaly.ts";
import { createAttempts } from "../attempts.ts";
import { toSpanText } from "../figures.ts";
import { createHabits, toBeforeText, toLeast } from "../habits.ts";
import { createRecentMap } from "../recent-map.ts";
import { MINUTE_MS } from "../usual.ts";

const WITHIN_MS = 20 * MINUTE_MS;
const LEAST = 8;

/** One different thing after the other is denied, more than on earlier days. The same thing tried again is one. */
export const denialBurst: RuleKind = {
  name: "denial-burst",
  about: "many different calls or commands are denied within a short time",
  create() {
    const sessions = createRecentMap(MAX_SESSIONS, () => createAttempts(WITHIN_MS));
    const habits = createHabits();
    return {
      name: "denial-burst",
      severity: "warning",
      on: ["call.denied", "command.denied", "approval.answered"],
      observe(event, scene) {
        const what =
          event.action === "call.denied"
            ? `${scene.tool} ${event.details.input.hash}`
            : event.action === "command.denied"
              ? `${event.details.command} ${event.details.input.hash}`
              : event.action === "approval.answered" && event.details.status === "denied"
                ? event.details.approval
                : undefined;
        if (what === undefined) return undefined;
        const attempts = sessions.of(scene.session);
        const count = attempts.add(what, event.at, event.id);
        const habit = habits.add(scene.principal, count, event.at, LEAST);
        if (count < toLeast(habit, LEAST)) return undefined;
        return {
          text: `${count} different calls or commands denied within ${toSpanText(event.at - attempts.firstAt())}; ${toBeforeText(habit)}`,
          events: attempts.events(),
          subject: scene.session,
        };
      },
    };
  },
};
