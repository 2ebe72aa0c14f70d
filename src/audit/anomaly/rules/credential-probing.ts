import type { AuditEvent } from "../../event.ts";
import { type AnomalyFinding, MAX_NAMED, MAX_SESSIONS, type RuleKind, type Scene } from "../anomaly.ts";
import { createAttempts } from "../attempts.ts";
import { sumPoints } from "../carried.ts";
import { toSpanText } from "../figures.ts";
import { createRecentMap } from "../recent-map.ts";
import { HOUR_MS, MINUTE_MS } from "../usual.ts";

const SECRETS_WITHIN_MS = 6 * HOUR_MS;
/** Of places that were refused or not there; one that was is half of it. */
const ENOUGH = 4;
const LOGINS_WITHIN_MS = 10 * MINUTE_MS;
const LEAST_LOGINS = 6;

/** Many different places where credentials are kept are tried, or many log-ins refused. */
export const credentialProbing: RuleKind = {
  name: "credential-probing",
  about: "many different places where credentials are kept are tried, or many log-ins refused",
  create(carried) {
    const refused = createRecentMap(MAX_SESSIONS, () => createAttempts(SECRETS_WITHIN_MS));
    const tried = createRecentMap(MAX_SESSIONS, () => createAttempts(SECRETS_WITHIN_MS));
    const logins = createRecentMap(MAX_SESSIONS, () => createAttempts(LOGINS_WITHIN_MS));
    return {
      name: "credential-probing",
      severity: "critical",
      on: ["call.ended", "call.sent", "call.denied", "login.refused"],
      observe(event, scene) {
        if (event.action === "login.refused") {
          const from = event.details.from ?? event.details.front;
          const attempts = logins.of(from);
          const count = attempts.add(event.id, event.at, event.id);
          if (count < LEAST_LOGINS) return undefined;
          return {
            text: `${count} log-ins refused from ${from} within ${toSpanText(event.at - attempts.firstAt())}`,
            events: attempts.events(),
            subject: `login ${from}`,
          };
        }
        const what = toSecretAttempt(event, scene);
        if (what === undefined) return undefined;
        const all = tried.of(scene.session);
        const count = all.add(what, event.at, event.id);
        const bad = refused.of(scene.session);
        const isBad = event.outcome === "denied" || event.outcome === "failed";
        if (isBad) bad.add(what, event.at, event.id);
        const badCount = bad.count(event.at);
        if (badCount + (count - badCount) / 2 < ENOUGH) return lookBeyond(event, scene, what, isBad);
        carried.forget(scene.party, "credential-probing", "");
        return {
          text: `${count} different places of credentials were asked for within ${toSpanText(event.at - all.firstAt())}, of which ${badCount} were refused or not there`,
          events: all.events(),
          subject: scene.session,
        };
      },
    };

    /** A few in one session, a few in the next. */
    function lookBeyond(
      event: AuditEvent,
      scene: Scene,
      what: string,
      isBad: boolean,
    ): AnomalyFinding | undefined {
      const note = { rule: "credential-probing", group: "", what, points: isBad ? 1 : 0.5 };
      const notes = carried.add(scene, event, note);
      if (sumPoints(notes) < ENOUGH) return undefined;
      carried.forget(scene.party, "credential-probing", "");
      const badCount = notes.filter(({ points }) => points === 1).length;
      return {
        text: `${notes.length} different places of credentials were asked for over several sessions, of which ${badCount} were refused or not there`,
        events: notes.slice(-MAX_NAMED).map(({ id }) => id),
        subject: scene.session,
      };
    }
  },
};

function toSecretAttempt(event: AuditEvent, { tool, isSecretTool }: Scene): string | undefined {
  if (event.action !== "call.ended" && event.action !== "call.sent" && event.action !== "call.denied")
    return undefined;
  if (event.action === "call.ended" && event.details.isReplayed) return undefined;
  const { input, marks } = event.details;
  const isSecret = marks?.isSecret === true || isSecretTool;
  return isSecret ? `${tool} ${input.hash}` : undefined;
}
