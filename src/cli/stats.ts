import { resolve } from "node:path";
import {
  METER_GROUPINGS,
  type MeterGrouping,
  type ProjectMetering,
  parseTime,
  readMetering,
} from "../engine/audit/read-metering.ts";
import { toDuration } from "../engine/audit/shown-events.ts";
import { readJournal } from "../engine/journal/read-journal.ts";
import type { Stats } from "../engine/journal/stats.ts";
import { KeyholeError } from "../errors.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandContext, CommandHandler } from "./command.ts";
import { count } from "./format.ts";
import type { Output } from "./output.ts";
import { canShowBlocks } from "./stats/chart.ts";
import { chartMetering, describeCost, describeLeft, describeTotals } from "./stats/describe-metering.ts";

const MAX_SHOWN = 20;
const MAX_SESSIONS_SHOWN = 10;

/** Reads what the runs left behind; no server is started for it. */
export const stats: CommandHandler = async (context) => {
  const { output, projectDir } = context;
  const asked = toRequest(context);
  const found = await readJournal(resolve(projectDir), (journal) => journal.stats());
  const metering = await readMetering(asked);
  if (output.json) {
    output.printJson({ ...found, metering: toData(metering, asked) });
    return 0;
  }
  const isNarrow = asked.from !== undefined || asked.to !== undefined || context.options["by"] !== undefined;
  const isEmpty =
    metering.total.runs + metering.total.calls + metering.left.waitingRuns + metering.unended === 0;
  if (isEmpty && found.runs === 0) output.print("No program has run here yet");
  else if (isNarrow && isEmpty) output.print("No program has run in this time");
  else if (isNarrow) printMetering(output, metering);
  else printAll(output, found, metering);
  return 0;
};

function toRequest({ output, projectDir, options }: CommandContext) {
  const time = (edge: "from" | "to") =>
    options[edge] === undefined ? undefined : parseTime(String(options[edge]), edge);
  const [from, to] = [time("from"), time("to")];
  if (from !== undefined && to !== undefined && from >= to)
    throw new KeyholeError("usage", "--from is not before --to", { hint: "Swap them, or leave one out" });
  return {
    projectDir: resolve(projectDir),
    by: toGrouping(options["by"]),
    from,
    to,
    ...(options["trust"] === true && { trust: true }),
    onNotice: output.notice,
  };
}

function toGrouping(said: unknown): MeterGrouping {
  if (said === undefined) return "day";
  const known = METER_GROUPINGS.find((grouping) => grouping === said);
  if (known !== undefined) return known;
  throw new KeyholeError("usage", `--by can't be "${toExcerpt(String(said), 40)}"`, {
    hint: `Write --by ${METER_GROUPINGS.join(", --by ")}`,
  });
}

/** Times as ISO has them, where they were asked for. */
function toData(
  metering: ProjectMetering,
  { from, to }: { from?: number | undefined; to?: number | undefined },
) {
  const toTime = (ms: number) => new Date(ms).toISOString();
  return {
    ...(from !== undefined && { from: toTime(from) }),
    ...(to !== undefined && { to: toTime(to) }),
    ...metering,
  };
}

function printMetering(output: Output, metering: ProjectMetering): void {
  const options = { columns: output.columns, hasBlocks: canShowBlocks(process.env) };
  const lines = [
    ...describeTotals(metering),
    ...describeCost(metering),
    ...chartMetering(metering, options),
    ...describeLeft(metering),
  ];
  for (const line of lines) output.print(line);
}

function printAll(output: Output, found: Stats, metering: ProjectMetering): void {
  const { runMs } = found;
  for (const line of [...describeTotals(metering), ...describeCost(metering)]) output.print(line);
  output.print(`a run takes ${toDuration(runMs.p50)} (p50), ${toDuration(runMs.p95)} (p95)`);
  for (const line of describeCache(found)) output.print(line);
  const options = { columns: output.columns, hasBlocks: canShowBlocks(process.env) };
  for (const line of chartMetering(metering, options)) output.print(line);
  const shown = found.tools.slice(0, MAX_SHOWN);
  if (shown.length > 0) output.print("the most called tools:");
  for (const { server, tool, calls, failed, ms } of shown) {
    const failures = failed === 0 ? "" : `, ${failed} failed`;
    // The journal may have come with a repository.
    const name = `${toExcerpt(server, 100)} ${toExcerpt(tool, 100)}`;
    output.print(`  ${name}: ${count(calls, "call")}${failures}, ${toDuration(ms.p50)} (p50)`);
  }
  const more = found.tools.length - shown.length + found.toolsLeftOut;
  if (more > 0) output.print(`  and ${count(more, "more tool")}`);
  for (const line of [...describeSessions(found), ...describeLeft(metering)]) output.print(line);
}

/** Nothing where no result may be kept. */
function describeCache({ cache: { calls, hits, hitPercent } }: Stats): string[] {
  if (calls === 0) return [];
  return [`${hits} of ${count(calls, "call")} that may be answered from the cache were (${hitPercent}%)`];
}

/** Nothing where all of it was one session's. */
function describeSessions({ sessions, sessionsLeftOut }: Stats): string[] {
  if (sessions.length < 2) return [];
  const shown = sessions.slice(0, MAX_SESSIONS_SHOWN);
  const more = sessions.length - shown.length + sessionsLeftOut;
  return [
    "by session, the latest first:",
    ...shown.map(
      ({ session, principal, runs, failed, calls }) =>
        `  ${toExcerpt(session, 80)} of ${toExcerpt(principal, 80)}: ${count(runs, "run")}, ${failed} failed, ${count(calls, "call")}`,
    ),
    ...(more > 0 ? [`  and ${count(more, "more session")}`] : []),
  ];
}
