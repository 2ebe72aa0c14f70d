import { isIP } from "node:net";
import { kindOfAddress, toAddress } from "../../../network/address-kinds.ts";
import type { AuditEvent } from "../../event.ts";
import { type AnomalyFinding, MAX_NAMED, MAX_SESSIONS, type RuleKind, type Scene } from "../anomaly.ts";
import { type CarriedNote, sumPoints } from "../carried.ts";
import { createRecentMap } from "../recent-map.ts";
import { HOUR_MS } from "../usual.ts";

type Sign = { readonly what: string; readonly points: number; readonly words: string };
type Seen = { readonly signs: Map<string, Sign & { at: number; id: string }> };

const WITHIN_MS = 2 * HOUR_MS;
const ENOUGH_POINTS = 6;
const MAX_SIGNS = 32;

/** What holds programs in is tried from several sides. The same thing that happens again and again counts once: a program that is merely wrong. */
export const sandboxProbing: RuleKind = {
  name: "sandbox-probing",
  about: "what holds programs in is tried from several sides",
  create(carried) {
    const sessions = createRecentMap<Seen>(MAX_SESSIONS, () => ({ signs: new Map() }));
    return {
      name: "sandbox-probing",
      severity: "critical",
      on: ["run.ended", "limit.hit", "egress.refused", "command.denied"],
      observe(event, scene) {
        const found = toSigns(event);
        if (found.length === 0) return undefined;
        const { signs } = sessions.of(scene.session);
        for (const sign of found) {
          signs.delete(sign.what);
          signs.set(sign.what, { ...sign, at: event.at, id: event.id });
        }
        for (const [what, { at }] of signs) {
          if (event.at - at <= WITHIN_MS && signs.size <= MAX_SIGNS) break;
          signs.delete(what);
        }
        let points = 0;
        const words = new Map<string, number>();
        for (const sign of signs.values()) {
          points += sign.points;
          words.set(sign.words, (words.get(sign.words) ?? 0) + 1);
        }
        if (points < ENOUGH_POINTS) return lookBeyond(event, scene, found);
        carried.forget(scene.party, "sandbox-probing", "");
        const list = [...words].map(([text, times]) => `${times} ${text}`).join(", ");
        return {
          text: `The sandbox is being probed: ${list}`,
          events: [...new Set([...signs.values()].map(({ id }) => id))],
          subject: scene.session,
        };
      },
    };

    /** One side in one session, another in the next. */
    function lookBeyond(event: AuditEvent, scene: Scene, found: readonly Sign[]): AnomalyFinding | undefined {
      let notes: readonly CarriedNote[] = [];
      for (const { what, points } of found)
        notes = carried.add(scene, event, { rule: "sandbox-probing", group: "", what, points });
      if (sumPoints(notes) < ENOUGH_POINTS) return undefined;
      carried.forget(scene.party, "sandbox-probing", "");
      return {
        text: `The sandbox is being probed: ${notes.length} different signs over several sessions`,
        events: [...new Set(notes.map(({ id }) => id))].slice(-MAX_NAMED),
        subject: scene.session,
      };
    }
  },
};

function toSigns(event: AuditEvent): Sign[] {
  if (event.action === "limit.hit")
    return [{ what: `limit ${event.details.limit}`, points: 1, words: "different limits hit" }];
  if (event.action === "command.denied") {
    const what = `command ${event.details.command.slice(0, 80)}`;
    return [{ what, points: 1, words: "different commands denied" }];
  }
  if (event.action === "egress.refused") {
    const { host, port } = event.details;
    if (isInner(host))
      return [{ what: `inner ${host}:${port}`, points: 2, words: "inner addresses refused" }];
    // Packages, fonts, analytics: programs try what they know.
    return [{ what: `host ${host}`, points: 0.5, words: "hosts refused" }];
  }
  if (event.action !== "run.ended") return [];
  return (event.details.violations ?? []).slice(0, 8).map((rule) => ({
    what: `violation ${rule.slice(0, 80)}`,
    points: 2,
    words: "different rules broken",
  }));
}

function isInner(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (isIP(bare) !== 0) return kindOfAddress(toAddress(bare) ?? bare) !== undefined;
  return (
    bare === "localhost" ||
    /\.(?:internal|local|localhost|lan|intranet|corp)$/.test(bare) ||
    /^(?:0x|\d)[\da-fx.]*$/.test(bare)
  );
}
