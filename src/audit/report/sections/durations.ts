import { toExcerpt } from "../../../text/plain-text.ts";
import type { EventAction } from "../../event.ts";
import type { LogFilter } from "../../query/filter.ts";
import { fromPairKey, toPairKey } from "../count/key-pair.ts";
import { createSpread, type Spread } from "../count/spread.ts";
import { createTopTable } from "../count/top-table.ts";
import type { Figure } from "../figure.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";
import { MADE } from "../what-counts.ts";

const SHOWN = 10;
const KINDS = [
  ["run.ended", "Programs"],
  ["call.ended", "Calls"],
  ["command.ended", "Commands"],
] as const;

/** How long things took. */
export function createDurationsSection({ within }: CountingScope): SectionCounter {
  const byAction = new Map<EventAction, Spread>(KINDS.map(([action]) => [action, createSpread()]));
  const byTool = createTopTable(createSpread, ({ count }) => count, 1_024);
  const columns = [
    { name: "p50", kind: "number" },
    { name: "p95", kind: "number" },
    { name: "Longest", kind: "number" },
  ] as const;
  const toCells = (spread: Spread, filter: LogFilter) => [
    toQuantile(spread, 0.5, filter),
    toQuantile(spread, 0.95, filter),
    toQuantile(spread, 1, filter),
  ];

  return {
    add({ action, id, outcome, durationMs, server, tool }) {
      const spread = byAction.get(action);
      // How long it was held before it was left waiting is no time of a call.
      if (action === "call.ended" && outcome === "waiting") return;
      if (spread === undefined || typeof durationMs !== "number" || !(durationMs >= 0)) return;
      spread.add(durationMs, id);
      if (action === "call.ended" && server) byTool.take(toPairKey(server, tool)).add(durationMs, id);
    },
    finish: () => ({
      figures: {},
      section: {
        id: "durations",
        title: "Durations",
        about:
          "From the durations that run.ended, call.ended and command.ended name. Exact up to 256 events, above that within two percent (marked ≈); the longest is always exact.",
        charts: [],
        tables: [
          {
            title: "Programs, calls and commands",
            columns: [{ name: "What", kind: "text" }, ...columns],
            rows: KINDS.flatMap(([action, name]) => {
              const spread = byAction.get(action);
              if (spread === undefined || spread.count === 0) return [];
              return [
                {
                  cells: [
                    name,
                    ...toCells(
                      spread,
                      timed(within, {
                        actions: [action],
                        ...(action === "call.ended" && { outcomes: MADE }),
                      }),
                    ),
                  ],
                },
              ];
            }),
            empty: "Nothing was timed.",
          },
          {
            title: "The slowest of the most used tools",
            columns: [{ name: "Server and tool", kind: "text" }, ...columns],
            rows: byTool
              .top(10 * SHOWN)
              .map((found) => ({ ...found, p95: found.value.quantile(0.95) }))
              .sort((a, b) => b.p95 - a.p95)
              .slice(0, SHOWN)
              .map(({ name, value }) => {
                const [server, tool] = fromPairKey(name);
                const filter = timed(within, { server, tool, actions: ["call.ended"], outcomes: MADE });
                return {
                  cells: [`${toExcerpt(server, 40)} · ${toExcerpt(tool, 60)}`, ...toCells(value, filter)],
                };
              }),
            empty: "No call was made.",
          },
        ],
        notes: [],
      },
    }),
  };
}

function timed(within: CountingScope["within"], filter: LogFilter): LogFilter {
  return within({ ...filter, where: [{ field: "durationMs" }] });
}

/** The whole of the spread is behind each quantile; the event with the longest stands first in the sample. */
export function toQuantile(spread: Spread, part: number, filter: LogFilter): Figure {
  const isMax = part >= 1;
  return {
    value: isMax ? spread.max : spread.quantile(part),
    unit: "ms",
    ...(spread.isAbout && !isMax && { isAbout: true }),
    events: {
      count: spread.count,
      sample: spread.maxId === undefined ? [] : [spread.maxId],
      filter,
      ...(isMax && { note: "the sample is the longest" }),
    },
  };
}
