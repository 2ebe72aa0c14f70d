import { userInfo } from "node:os";
import { basename, join } from "node:path";
import { EVENT_CLASSES } from "../../audit/event.ts";
import { loadPrices } from "../../audit/metering/prices.ts";
import { toHtml } from "../../audit/report/formats/html.ts";
import { toReportJson } from "../../audit/report/formats/json.ts";
import { toMarkdown } from "../../audit/report/formats/markdown.ts";
import { toPdf } from "../../audit/report/formats/pdf/pdf.ts";
import { makeReport } from "../../audit/report/make-report.ts";
import type { Framework, ReportDocument } from "../../audit/report/report-document.ts";
import type { ReportSettings, RetentionDays } from "../../audit/report/report-settings.ts";
import { type ReportVerifier, verifyBeside } from "../../audit/report/verify-beside.ts";
import type { AuditSettings } from "../../audit/settings.ts";
import { loadConfig } from "../../config/load.ts";
import { isPending } from "../../config/trust/untrusted-notice.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import { toStoreName } from "../../store/postgres/store-name.ts";
import { VERSION } from "../../version.ts";
import { readJournal } from "../journal/read-journal.ts";
import { userDir } from "../project.ts";
import type { ProjectAudit } from "./audit-of-project.ts";

export { FRAMEWORKS, type Framework, type ReportDocument } from "../../audit/report/report-document.ts";

export const REPORT_FORMATS = ["md", "html", "json", "pdf"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export type ProjectReportRequest = {
  readonly projectDir: string;
  readonly homeDir: string;
  readonly trust: boolean;
  readonly framework: Framework;
  readonly from?: number | undefined;
  readonly to: number;
};

const MAX_COMPARED_RUNS = 500;
const EMPTY: ReportVerifier = {
  result: Promise.resolve({ status: "not verified", reason: "there is no log here" }),
  end: async () => {},
};

/** Counts and verifies a project's log; no server is started. That a report was made is an event as well. */
export async function makeProjectReport(
  audit: ProjectAudit,
  request: ProjectReportRequest,
): Promise<ReportDocument> {
  const { projectDir, homeDir, trust, framework, from, to } = request;
  const { log, place, reader } = audit;
  const prices = await loadPrices(join(userDir({ homeDir, env: process.env }), "prices.json"));
  const verifier = log === undefined ? EMPTY : verifyBeside(place, log);
  try {
    const document = await makeReport(reader, {
      framework,
      from,
      to,
      made: { at: Date.now(), by: userName(), keyhole: VERSION },
      project: basename(place.projectDir),
      store: toStoreName(place.store),
      settings: await readSettings(audit, { projectDir, homeDir, trust }),
      prices,
      model: audit.settings.model,
      verification: verifier.result,
      unloggedRuns: await countUnlogged(audit, request),
    });
    await audit.tell({
      action: "audit.exported",
      principal: LOCAL_PRINCIPAL,
      outcome: "ok",
      details: { what: `report for ${framework}`, count: document.counted },
    });
    return document;
  } finally {
    await verifier.end();
  }
}

export function toReportFile(
  document: ReportDocument,
  format: Exclude<ReportFormat, "json">,
): string | Buffer {
  if (format === "pdf") return toPdf(document);
  return format === "html" ? toHtml(document) : toMarkdown(document);
}

export function toReportData(document: ReportDocument): Readonly<Record<string, unknown>> {
  return toReportJson(document);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return LOCAL_PRINCIPAL;
  }
}

async function readSettings(
  { settings, isOn, log }: ProjectAudit,
  where: { readonly projectDir: string; readonly homeDir: string; readonly trust: boolean },
): Promise<ReportSettings> {
  const { config, servers, brought } = await loadConfig(where);
  const isUntrusted = brought.some((item) => item.kind !== "server" && isPending(item));
  const addresses = servers.flatMap(({ transport }) => ("url" in transport ? [transport.url] : []));
  const isPostgres = settings.store !== "sqlite";
  const plainHttp = addresses.filter((url) => /^http:/i.test(url)).length;
  return {
    ...(isUntrusted && { isUntrusted }),
    auditLogging: isOn,
    onFailure: settings.onFailure,
    contents: settings.contents,
    encrypt: settings.encrypt || (await isSealing(log)),
    store: isPostgres ? "postgres" : "sqlite",
    ...(isPostgres && { storeTls: toStoreTls(settings.store) }),
    retention: toRetentionDays(settings),
    archive: settings.retention.archive,
    anchors: settings.anchors.length,
    anomalies: settings.anomalies.enabled,
    piiTokenization: config.piiTokenization,
    securityLevel: config.securityLevel,
    servers: {
      local: servers.length - addresses.length,
      https: addresses.length - plainHttp,
      plainHttp,
    },
  };
}

const SEALED_CLASSES = [
  "keyhole.started",
  "session.opened",
  "run.started",
  "run.ended",
  "call.ended",
] as const;
const LOOKED_AT = 20;

/** Whether the newest events that can be sealed are: whoever runs programs may use settings that this process does not. */
async function isSealing(log: ProjectAudit["log"]): Promise<boolean> {
  if (log === undefined) return false;
  const page = { limit: LOOKED_AT, order: "newest" } as const;
  const { rows } = await log.store.find({ actions: SEALED_CLASSES }, page);
  return rows.length > 0 && rows.every(({ body }) => body?.includes('"sealed":"') === true);
}

/** What the address asks for; without that, it is for the server and the library to agree. */
function toStoreTls(store: string): "on" | "off" | "unknown" {
  const mode = URL.canParse(store) ? new URL(store).searchParams.get("sslmode") : null;
  if (mode === "disable") return "off";
  return mode === "require" || mode === "verify-ca" || mode === "verify-full" ? "on" : "unknown";
}

function toRetentionDays({ retention }: AuditSettings): RetentionDays {
  const entries = EVENT_CLASSES.map((name) => [name, retention.days[name] ?? null]);
  return Object.fromEntries(entries) as RetentionDays;
}

/** Runs that the journal remembers and the log does not: of the latest ones, which are enough to tell that it was off. */
async function countUnlogged(
  { reader }: ProjectAudit,
  { projectDir, homeDir, from = 0, to }: ProjectReportRequest,
): Promise<number> {
  const runs = await readJournal(
    projectDir,
    (journal) => journal.listRuns({ limit: MAX_COMPARED_RUNS }),
    homeDir,
  );
  let count = 0;
  for (const { id, startedAt } of runs) {
    if (startedAt < from || startedAt >= to) continue;
    const { events } = await reader.find({ run: id }, { limit: 1, order: "oldest" });
    if (events.length === 0) count++;
  }
  return count;
}
