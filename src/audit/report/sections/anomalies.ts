import { toExcerpt } from "../../../text/plain-text.ts";
import { fromPairKey, toPairKey } from "../count/key-pair.ts";
import { createLatest } from "../count/latest.ts";
import { createNamedTable } from "../count/named-table.ts";
import { createTally, tallyEvent, toEventCount } from "../figure.ts";
import { formatCount } from "../format-figure.ts";
import type { ReportCell } from "../report-document.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";

const SHOWN = 25;
const SEVERITIES = ["info", "warning", "critical"];
const DONE: Readonly<Record<string, string>> = {
  log: "logged",
  notify: "somebody was told",
  ask: "a person had to approve",
  stop: "the session was stopped",
};

/** What was unusual, and what was done about it. */
export function createAnomaliesSection({ within }: CountingScope): SectionCounter {
  const found = createTally();
  const acted = createTally();
  const actions = ["anomaly.found"] as const;
  const rules = createNamedTable({
    title: "By rule and severity",
    column: "Rule and severity",
    plural: "rules",
    counted: "Anomalies",
    filterOf: (name) => {
      const [rule, severity] = fromPairKey(name);
      return within({
        actions,
        where: [
          { field: "details.rule", is: rule },
          { field: "details.severity", is: severity },
        ],
      });
    },
    labelOf: (name) => fromPairKey(name).join(" · "),
    empty: "No anomaly was found.",
  });
  const measures = createNamedTable({
    title: "What was done about them",
    column: "Done",
    plural: "measures",
    counted: "Anomalies",
    filterOf: (is) => within({ actions, where: [{ field: "details.action", is }] }),
    labelOf: (name) => (Object.hasOwn(DONE, name) ? `${name}: ${DONE[name]}` : name),
    empty: "There was nothing to do.",
  });
  const latest = createLatest<readonly ReportCell[]>(SHOWN);

  return {
    add(event) {
      if (event.action !== "anomaly.found") return;
      const { rule, severity, text, action } = event.details ?? {};
      tallyEvent(found, event.id);
      if ((action ?? "log") !== "log") tallyEvent(acted, event.id);
      rules.add(toPairKey(String(rule ?? ""), String(severity ?? "")), event.id);
      measures.add(String(action ?? ""), event.id);
      latest.add(
        [
          { at: event.at },
          toExcerpt(String(severity ?? "unknown"), 20),
          toExcerpt(String(rule ?? "unknown"), 40),
          toExcerpt(String(text ?? "unknown"), 240),
          toExcerpt(String(action ?? "unknown"), 20),
          { event: event.id },
        ],
        SEVERITIES.indexOf(String(severity)),
      );
    },
    finish() {
      const shown = latest.list();
      const more = latest.count - shown.length;
      return {
        figures: {
          anomalies: toEventCount(found, within({ actions })),
          anomaliesActed: toEventCount(
            acted,
            within({ actions, where: [{ field: "details.action", isNot: "log" }] }),
          ),
        },
        section: {
          id: "anomalies",
          title: "Anomalies",
          about:
            "From anomaly.found, as they were found while it happened. What was done follows the config of that time.",
          charts: [],
          tables: [
            rules.table(),
            measures.table(),
            {
              title: "Each of them",
              columns: ["Time (UTC)", "Severity", "Rule", "What was unusual", "Done", "Event"].map(
                (name) => ({
                  name,
                  kind: "text" as const,
                }),
              ),
              rows: shown.map((cells) => ({ cells })),
              ...(more > 0 && { rest: `and ${formatCount(more)} more; the most severe stand first.` }),
              empty: "No anomaly was found.",
            },
          ],
          notes: [],
        },
      };
    },
  };
}
