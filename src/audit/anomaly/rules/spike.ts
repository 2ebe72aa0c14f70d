import type { AuditEvent, EventAction } from "../../event.ts";
import { type AnomalySeverity, MAX_NAMED, MAX_SUBJECTS, type RuleKind, type Scene } from "../anomaly.ts";
import { createRecentMap } from "../recent-map.ts";
import { createSpanTotal } from "../span-total.ts";

export type Spike = {
  readonly name: RuleKind["name"];
  readonly about: string;
  readonly severity: AnomalySeverity;
  readonly on: readonly EventAction[];
  readonly spanMs: number;
  readonly maturity: { readonly count: number; readonly days: number };
  /** Below this nothing is a spike. */
  readonly floor: number;
  /** So many times the highest of late. */
  readonly factor: number;
  /** Whom it is counted for; nothing where the event is none of it. */
  subjectOf(event: AuditEvent, scene: Scene): string | undefined;
  amountOf(event: AuditEvent, scene: Scene): number;
  toText(sum: number, usual: readonly [number, number], subject: string): string;
};

/** A rule that sums something up by spans of time, and speaks when a span comes to far more than any of late. */
export function toSpikeRule(spike: Spike): RuleKind {
  return {
    name: spike.name,
    about: spike.about,
    create() {
      const subjects = createRecentMap(MAX_SUBJECTS, () => createSpanTotal(spike.spanMs, spike.maturity));
      return {
        name: spike.name,
        severity: spike.severity,
        on: spike.on,
        observe(event, scene) {
          const subject = spike.subjectOf(event, scene);
          const amount = subject === undefined ? 0 : spike.amountOf(event, scene);
          if (subject === undefined || !(amount > 0)) return undefined;
          const total = subjects.of(subject);
          const sum = total.add(amount, event.at);
          if (total.events.length >= MAX_NAMED) total.events.shift();
          total.events.push(event.id);
          if (sum < spike.floor || !total.usual.isMature()) return undefined;
          if (sum <= total.usual.ceiling(spike.factor)) return undefined;
          return {
            text: spike.toText(sum, total.usual.range(), subject),
            events: [...total.events],
            subject,
          };
        },
      };
    },
  };
}
