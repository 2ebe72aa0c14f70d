import { performance } from "node:perf_hooks";
import { toLogFolder } from "../../src/audit/log-place.ts";
import { openBlockIndex } from "../../src/audit/query/blocks/block-index.ts";
import type { LogFilter } from "../../src/audit/query/filter.ts";
import { type ProjectAudit, withAudit } from "../../src/engine/audit/audit-of-project.ts";
import { makeProjectReport, toReportFile } from "../../src/engine/audit/report-of-project.ts";
import type { BenchReport } from "../suite.ts";
import { toPercentile, toRounded } from "./log-folder.ts";

const TRIES = 20;
const TARGET_QUERY_MS = 100;
const TARGET_REPORT_S = 10;
const PAGE = { limit: 50, order: "newest" } as const;

/** What people ask, of a log of `makeEvents`: common and rare, alone and together, found and not. */
function toQueries(middle: number): Readonly<Record<string, LogFilter>> {
  const hour = { from: middle, to: middle + 3_600_000 };
  return {
    "all, newest": {},
    "an hour": hour,
    principal: { principal: "ben" },
    "server and tool": { server: "mail", tool: "send_email" },
    denied: { outcomes: ["denied"] },
    "risk high or above": { risk: "high" },
    "principal, tool, failed": { principal: "chris", tool: "find_contact", outcomes: ["failed"] },
    "risk high, in an hour": { risk: "high", ...hour },
    "denied, of one client, in an hour": { outcomes: ["denied"], client: "cursor", ...hour },
    "a session": { session: "s_40" },
    nobody: { principal: "zoe" },
    approvals: { actions: ["approval.answered"] },
    "text: by hand only": { text: "by hand only" },
    "text: repo r5 of one person": { text: 'repo: "r5"', principal: "ana" },
    "text that is not there": { text: "quarterly numbers" },
    "text, failed": { text: "The tool failed", outcomes: ["failed"] },
  };
}

/** As `keyhole audit list` and `report` do it. */
export async function measureAsking(projectDir: string, homeDir: string): Promise<BenchReport> {
  return withAudit({ projectDir, homeDir, onNotice: (text) => console.error(text) }, async (audit) => {
    const indexS = await makeIndex(audit);
    const {
      events: [first],
    } = await audit.reader.find({}, { limit: 1, order: "oldest" });
    const {
      events: [last],
    } = await audit.reader.find({}, { ...PAGE, limit: 1 });
    const middle = ((first?.at ?? 0) + (last?.at ?? 0)) / 2;
    const rows: (string | number)[][] = [];
    for (const [name, filter] of Object.entries(toQueries(middle)))
      rows.push([name, ...(await measureQuery(audit, filter))]);
    const report = await measureReport(audit, {
      projectDir,
      homeDir,
      from: first?.at ?? 0,
      to: (last?.at ?? 0) + 1,
    });
    const slow = rows.filter(([, , p95]) => Number(p95) > TARGET_QUERY_MS);
    return {
      tables: [
        { title: "A page of 50, newest first (ms)", columns: ["asked for", "p50", "p95", "found"], rows },
        {
          title: "A report of all of it, verified (s)",
          columns: ["framework", "s", "target", "MB of HTML"],
          rows: [["soc2", report.seconds, TARGET_REPORT_S, report.megabytes]],
        },
      ],
      notes: [`The index of names and texts was made in ${toRounded(indexS, 1)} s.`],
      misses: [
        ...slow.map(([name, , p95]) => `query "${name}" took ${p95} ms (p95)`),
        ...(report.seconds > TARGET_REPORT_S ? [`the report took ${report.seconds} s`] : []),
      ],
    };
  });
}

/** The thread that writes the log keeps it in the background; here all of it is made at once. */
async function makeIndex({ place, log }: ProjectAudit): Promise<number> {
  if (log === undefined) throw new Error("There is no log");
  const start = performance.now();
  const blocks = await openBlockIndex(toLogFolder(place), log.store);
  await blocks.catchUp();
  await blocks.close();
  return (performance.now() - start) / 1_000;
}

async function measureQuery(
  { reader }: ProjectAudit,
  filter: LogFilter,
): Promise<[p50: number, p95: number, found: number]> {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < TRIES; round++) {
    const start = performance.now();
    const { events } = await reader.find(filter, PAGE);
    times.push(performance.now() - start);
    found = events.length;
  }
  return [toRounded(toPercentile(times, 0.5), 1), toRounded(toPercentile(times, 0.95), 1), found];
}

type Reported = {
  readonly projectDir: string;
  readonly homeDir: string;
  readonly from: number;
  readonly to: number;
};

async function measureReport(
  audit: ProjectAudit,
  request: Reported,
): Promise<{ seconds: number; megabytes: number }> {
  const start = performance.now();
  const document = await makeProjectReport(audit, { ...request, trust: true, framework: "soc2" });
  const html = toReportFile(document, "html");
  return {
    seconds: toRounded((performance.now() - start) / 1_000, 1),
    megabytes: toRounded(html.length / 1e6, 1),
  };
}
