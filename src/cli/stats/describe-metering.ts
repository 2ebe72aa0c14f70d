import type { MeterRow, ProjectMetering } from "../../engine/audit/read-metering.ts";
import { toDuration } from "../../engine/audit/shown-events.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { count } from "../format.ts";
import { toMoney, toPercent, toShortAmount, withCommas } from "./amounts.ts";
import { type ChartOptions, type ChartRow, toChart } from "./chart.ts";

const MAX_ROWS = 20;

/** What was seen and spared, in a few lines. */
export function describeTotals({ total }: ProjectMetering): string[] {
  const { runs, failed, cancelled, calls, failedCalls, deniedCalls, tokens } = total;
  const ended = cancelled === 0 ? `${failed} failed` : `${failed} failed, ${cancelled} cancelled`;
  const denied = deniedCalls === 0 ? "" : `; ${deniedCalls} more denied`;
  return [
    `${count(runs, "run")}, ${ended}, ${count(calls, "call")}, ${failedCalls} failed${denied}`,
    `tokens: the models saw ${withCommas(tokens.seen)}, directly it would have been ${withCommas(tokens.direct)}: ${toPercent(tokens.direct - tokens.seen, tokens.direct)} saved`,
    `kept in the sandbox: ${withCommas(tokens.kept)} tokens`,
  ];
}

/** Nothing where no run has a price. */
export function describeCost({ total, left, pricesOf, model }: ProjectMetering): string[] {
  const { dollars } = total;
  if (dollars === undefined) {
    if (left.unpricedRuns === 0) return [];
    const names = left.unpricedModels.slice(0, 3).map((name) => toExcerpt(name, 60));
    return [
      names.length === 0
        ? 'cost: no client told its model; "audit.model" in your config says which prices to take'
        : `cost: no price is known for ${names.join(", ")}; your own go into prices.json (docs/stats.md)`,
    ];
  }
  const { seen, direct, avoided } = dollars;
  const told = model === undefined ? "" : `, ${toExcerpt(model, 60)} where the client told none`;
  const line =
    avoided >= 0
      ? `cost: ${toMoney(avoided)} avoided at least: ${toMoney(seen)} instead of ${toMoney(direct)}`
      : `cost: ${toMoney(-avoided)} more than the direct way: ${toMoney(seen)} instead of ${toMoney(direct)}`;
  return [`${line} (list prices of ${pricesOf}${told})`];
}

/** A bar for each: how many tokens the direct way would have shown the model, and which part of that it saw. */
export function chartMetering(metering: ProjectMetering, options: ChartOptions): string[] {
  const { by, groups } = metering;
  if (groups.length === 0) return [];
  const isOfCalls = by === "server" || by === "tool";
  // The days that are shown are the last ones.
  const shown = by === "day" ? groups.slice(-MAX_ROWS) : groups.slice(0, MAX_ROWS);
  const more = groups.length - shown.length;
  const hasTokens = !isOfCalls || shown.some(({ tokens }) => tokens.direct > 0);
  const rows = shown.map((row) => (isOfCalls ? toCallRow(row, hasTokens) : toRunRow(row)));
  const [full, light] = options.hasBlocks ? ["█", "░"] : ["#", "."];
  const head = isOfCalls
    ? `by ${by}: ${hasTokens ? "tokens of arguments and results" : "calls"}`
    : `by ${by}${by === "day" ? " (UTC)" : ""}: tokens, ${full} seen by the model, ${light} spared`;
  return [
    head,
    ...toChart(rows, options),
    ...(more > 0 ? [`  and ${count(more, by === "day" ? "earlier day" : "more")}`] : []),
  ];
}

function toRunRow({ key, runs, tokens, dollars }: MeterRow): ChartRow {
  const { seen, direct } = tokens;
  return {
    label: toName(key),
    value: Math.max(direct, seen),
    part: seen,
    figures: [
      `${toShortAmount(seen)} of ${toShortAmount(direct)}`,
      `${runs} ${runs === 1 ? "run " : "runs"}`,
      dollars === undefined ? "" : toMoney(dollars.avoided),
    ],
  };
}

function toCallRow(
  { key, server, calls, failedCalls, deniedCalls, callMs, tokens }: MeterRow,
  hasTokens: boolean,
): ChartRow {
  const isNobodys = server === "unknown" && key === server;
  const name = server === undefined || isNobodys ? toName(key) : `${toName(server)} ${toName(key)}`;
  return {
    label: name,
    value: hasTokens ? tokens.direct : calls,
    figures: [
      ...(hasTokens ? [toShortAmount(tokens.direct)] : []),
      `${calls} ${calls === 1 ? "call " : "calls"}`,
      failedCalls === 0 ? "" : `${failedCalls} failed`,
      deniedCalls === 0 ? "" : `${deniedCalls} denied`,
      calls === 0 ? "" : toDuration(callMs / calls),
    ],
  };
}

/** A log may have come with a repository. */
function toName(text: string): string {
  return text === "" ? "(others)" : toExcerpt(text, 60);
}

/** What the numbers leave out. */
export function describeLeft({ left, underWay, unended, by, runsFrom, total }: ProjectMetering): string[] {
  const { waitingRuns, uncountedRuns, uncountedCalls, unpricedRuns } = left;
  const isOfCalls = by === "server" || by === "tool";
  return [
    ...(waitingRuns > 0 ? [`${count(waitingRuns, "run")} still waiting: tokens so far are counted`] : []),
    ...(underWay > 0 ? [`${count(underWay, "run")} under way, not counted yet`] : []),
    ...(unended > 0
      ? [`${count(unended, "run")} without an end in the log, not counted: under way, or killed`]
      : []),
    ...(uncountedRuns > 0 ? [`${count(uncountedRuns, "run")} whose tokens were not written down`] : []),
    ...(isOfCalls && uncountedCalls > 0
      ? [`${count(uncountedCalls, "call")} whose tokens were not written down: they are in the journal alone`]
      : []),
    ...(total.dollars !== undefined && unpricedRuns > 0
      ? [`${count(unpricedRuns, "run")} without a price: their model is unknown, or not told`]
      : []),
    ...(runsFrom.audit > 0 && runsFrom.journal > 0
      ? [`${count(runsFrom.journal, "run")} from before the audit log, out of the journal`]
      : []),
  ];
}
