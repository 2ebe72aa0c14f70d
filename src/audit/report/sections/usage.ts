import { isRecord } from "../../../text/is-record.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import { createMeter } from "../../metering/meter.ts";
import { meterEvent } from "../../metering/metered-events.ts";
import type { Prices } from "../../metering/prices.ts";
import type { LogFilter } from "../../query/filter.ts";
import { createTopTable } from "../count/top-table.ts";
import { createTally, type Figure, type FigureUnit, tallyEvent, toTrace } from "../figure.ts";
import { formatCount } from "../format-figure.ts";
import type { ReportCell } from "../report-document.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";

export type UsageOptions = {
  readonly prices: Prices;
  /** Whose prices are used where the client tells no model. */
  readonly model?: string | undefined;
};

const SHOWN = 15;
const UNKNOWN = "unknown";

/** Tokens, and what they cost at list prices. */
export function createUsageSection(
  { within }: CountingScope,
  { prices, model: usual }: UsageOptions,
): SectionCounter {
  const meter = createMeter({ by: "model", prices, model: usual });
  const told = createTopTable(createTally, ({ count }) => count);
  const all = createTally();
  const untold = usual ?? UNKNOWN;

  return {
    add(event) {
      if (event.action !== "run.ended") return;
      const { model, usage } = event.details ?? {};
      if (usage !== undefined && !isUsage(usage)) return;
      meterEvent(meter, event);
      tallyEvent(all, event.id);
      tallyEvent(told.take(typeof model === "string" ? model : ""), event.id);
    },
    finish() {
      const { total, groups, left, pricesOf } = meter.result();
      const tallies = new Map(told.top(Number.POSITIVE_INFINITY).map(({ name, value }) => [name, value]));
      const cells = (
        { runs, waiting, tokens, dollars }: typeof total,
        events: Figure["events"],
      ): ReportCell[] => {
        const figure = (value: number, unit: FigureUnit): Figure => ({ value, unit, events });
        return [
          figure(runs + waiting, "distinct"),
          figure(tokens.seen, "tokens"),
          figure(tokens.kept, "tokens"),
          figure(tokens.direct, "tokens"),
          dollars === undefined ? "no price" : figure(dollars.seen, "usd"),
          dollars === undefined ? "no price" : figure(Math.max(0, dollars.avoided), "usd"),
        ];
      };
      const traceOf = (key: string): Figure["events"] => {
        const filter: LogFilter = within({
          actions: ["run.ended"],
          where: [{ field: "details.model", is: key === untold ? null : key }],
        });
        const isBoth = key === untold && tallies.has(key);
        const tally = tallies.get(key === untold ? "" : key) ?? createTally();
        return toTrace(tally, filter, isBoth ? "and those that name this model" : undefined);
      };
      const unpriced = left.unpricedModels.map((name) => toExcerpt(name, 40)).join(", ");
      const more = groups.length - SHOWN;
      return {
        figures: {},
        section: {
          id: "tokens-and-cost",
          title: "Tokens and cost",
          about:
            "From run.ended; a program that waited for a person and went on is one, and what the model saw each time adds up. Seen: by the model. Kept: stayed in the sandbox. Directly: what the same work would have shown the model without Keyhole, estimated. Cost is what the tokens that were seen cost at list prices.",
          charts: [],
          tables: [
            {
              title: "By model",
              columns: [
                { name: "Model", kind: "text" },
                ...["Programs", "Seen", "Kept", "Directly", "Cost", "Avoided"].map((name) => ({
                  name,
                  kind: "number" as const,
                })),
              ],
              rows: [
                { cells: ["All", ...cells(total, toTrace(all, within({ actions: ["run.ended"] })))] },
                ...groups.slice(0, SHOWN).map((group) => ({
                  cells: [
                    group.key === UNKNOWN ? "not told by the client" : toExcerpt(group.key, 60),
                    ...cells(group, traceOf(group.key)),
                  ],
                })),
              ],
              ...(more > 0 && { rest: `and ${formatCount(more)} more models` }),
              empty: "",
            },
          ],
          notes: [
            `Prices as of ${pricesOf}, in US dollars.`,
            ...(left.unpricedRuns > 0
              ? [
                  `${formatCount(left.unpricedRuns)} programs have tokens but no cost: ${unpriced === "" ? "the client told no model" : `no price is known for ${unpriced}`}. audit.model in the config names the model to take where none is told.`,
                ]
              : []),
            ...(left.uncountedRuns > 0
              ? [`${formatCount(left.uncountedRuns)} programs ended without a count of tokens.`]
              : []),
          ],
        },
      };
    },
  };
}

/** What is added up must be numbers, whatever was written into the log. */
function isUsage(usage: unknown): boolean {
  if (!isRecord(usage)) return false;
  return ["seenTokens", "keptTokens", "directTokens", "catalogTokens"].every((key) => {
    const value = usage[key];
    return typeof value === "number" && Number.isFinite(value) && value >= 0;
  });
}
