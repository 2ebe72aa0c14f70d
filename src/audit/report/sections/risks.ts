import type { RiskLevel } from "../../../policy/risk/score.ts";
import type { EventAction, EventOutcome } from "../../event.ts";
import { OUTCOMES } from "../../event.ts";
import type { FieldCondition, LogFilter } from "../../query/filter.ts";
import { createTally, type Tally, tallyEvent, toEventCount } from "../figure.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";
import { MADE } from "../what-counts.ts";

const LEVELS = ["critical", "high", "medium", "low", "unrated"] as const;
type Level = (typeof LEVELS)[number];
const KINDS = ["run.ended", "call.ended", "call.denied", "command.ended", "command.denied"] as const;
const COUNTED: ReadonlySet<EventAction> = new Set(KINDS);

/** How it came out, and how risky it was. */
export function createRisksSection({ within }: CountingScope): SectionCounter {
  const byRisk = new Map<Level, Map<EventAction, Tally>>(LEVELS.map((level) => [level, toTallies()]));
  const byOutcome = new Map<EventOutcome, Map<EventAction, Tally>>(
    OUTCOMES.map((outcome) => [outcome, toTallies()]),
  );

  return {
    add({ action, id, risk, outcome }) {
      if (!COUNTED.has(action)) return;
      // What waits is told again, as it came out.
      const ofRisk = outcome === "waiting" ? undefined : byRisk.get(risk ?? "unrated")?.get(action);
      if (ofRisk) tallyEvent(ofRisk, id);
      const ofOutcome = byOutcome.get(outcome)?.get(action);
      if (ofOutcome) tallyEvent(ofOutcome, id);
    },
    finish() {
      const toFigures = (tallies: Map<EventAction, Tally> | undefined, filter: LogFilter) =>
        KINDS.map((action) =>
          toEventCount(tallies?.get(action) ?? createTally(), within({ ...filter, actions: [action] })),
        );
      const columns = [
        { name: "Programs", kind: "number" },
        { name: "Calls", kind: "number" },
        { name: "Calls denied", kind: "number" },
        { name: "Commands", kind: "number" },
        { name: "Commands denied", kind: "number" },
      ] as const;
      const total = (tallies: Map<EventAction, Tally> | undefined, actions: readonly EventAction[]) =>
        actions.reduce((sum, action) => sum + (tallies?.get(action)?.count ?? 0), 0);
      const outcomes = OUTCOMES.filter((outcome) => total(byOutcome.get(outcome), KINDS) > 0);
      return {
        figures: {},
        section: {
          id: "risk-and-outcome",
          title: "Risk and outcome",
          about:
            "Programs have the risk that they were rated at before they ran. A call has its own: high where its tool deletes, or sends to others what does not come back, medium for other writes, low for reads. Counted from run.ended, call.ended, call.denied, command.ended and command.denied. What only waits for a person is in the table by outcome alone; a call answered from a run's record is counted as often as it was answered.",
          charts: [
            {
              title: "Actions by risk",
              kind: "bars",
              parts: [
                { name: "made", tone: "plain" },
                { name: "denied", tone: "bad" },
              ],
              bars: LEVELS.map((level) => ({
                label: level,
                values: [
                  total(byRisk.get(level), ["call.ended", "command.ended"]),
                  total(byRisk.get(level), ["call.denied", "command.denied"]),
                ],
              })),
            },
            {
              title: "Programs and actions by outcome",
              kind: "bars",
              parts: [
                { name: "programs", tone: "plain" },
                { name: "calls and commands", tone: "good" },
              ],
              bars: outcomes.map((outcome) => ({
                label: outcome,
                values: [
                  total(byOutcome.get(outcome), ["run.ended"]),
                  total(byOutcome.get(outcome), KINDS.slice(1)),
                ],
              })),
            },
          ],
          tables: [
            {
              title: "By risk",
              columns: [{ name: "Risk", kind: "text" }, ...columns],
              rows: LEVELS.map((level) => ({
                cells: [level, ...toFigures(byRisk.get(level), { ...toRiskFilter(level), outcomes: MADE })],
              })),
              empty: "",
            },
            {
              title: "By outcome",
              columns: [{ name: "Outcome", kind: "text" }, ...columns],
              rows: outcomes.map((outcome) => ({
                cells: [outcome, ...toFigures(byOutcome.get(outcome), { outcomes: [outcome] })],
              })),
              empty: "No program ran and no call was made.",
            },
          ],
          notes: [],
        },
      };
    },
  };
}

function toTallies(): Map<EventAction, Tally> {
  return new Map(KINDS.map((action) => [action, createTally()]));
}

/** Exactly this level: a filter's own `risk` is this level or above. */
function toRiskFilter(level: RiskLevel | "unrated"): LogFilter {
  const where: FieldCondition = { field: "risk", is: level === "unrated" ? null : level };
  return level === "unrated" ? { where: [where] } : { risk: level, where: [where] };
}
