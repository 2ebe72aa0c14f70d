import { MAX_SUBJECTS, type RuleKind } from "../anomaly.ts";
import { createRecentMap } from "../recent-map.ts";
import { DAY_MS } from "../usual.ts";

type Known = { events: number; firstAt: number; risky: string[] };

/** Who came so long ago is no newcomer. */
const NEW_MS = DAY_MS;
const NEW_EVENTS = 60;
/** The house itself must be known: in its first days everybody is new. */
const HOUSE_DAYS = 3;
const HOUSE_EVENTS = 300;
const LEAST_RISKY = 2;

/** A client or principal that was never seen begins with what is risky. */
export const newcomer: RuleKind = {
  name: "newcomer",
  about: "a client or principal that was never seen begins with programs of high risk",
  create() {
    const toNobody = (): Known => ({ events: 0, firstAt: 0, risky: [] });
    const principals = createRecentMap(MAX_SUBJECTS, toNobody);
    const clients = createRecentMap(MAX_SUBJECTS, toNobody);
    const house = { events: 0, firstAt: 0 };
    return {
      name: "newcomer",
      severity: "warning",
      on: ["run.started", "run.ended"],
      observe(event, scene) {
        if (house.events++ === 0) house.firstAt = event.at;
        const isHouseKnown = house.events > HOUSE_EVENTS && event.at - house.firstAt > HOUSE_DAYS * DAY_MS;
        const isRisky = event.action === "run.ended" && (event.risk === "high" || event.risk === "critical");
        const principal = principals.of(scene.principal);
        const client = clients.of(scene.client);
        for (const who of [principal, client]) {
          if (who.events++ === 0) who.firstAt = isHouseKnown ? event.at : 0;
          const isNew = who.events <= NEW_EVENTS && event.at - who.firstAt < NEW_MS;
          if (!isNew || !isRisky) continue;
          who.risky.push(event.id);
          if (who.risky.length < LEAST_RISKY) continue;
          const subject = who === principal ? `principal "${scene.principal}"` : `client "${scene.client}"`;
          return {
            text: `The ${subject} was never seen before today, and ${who.risky.length} of its first programs are of high risk`,
            events: who.risky.slice(-20),
            subject,
          };
        }
        return undefined;
      },
    };
  },
};
