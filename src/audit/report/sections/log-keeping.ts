import { toExcerpt } from "../../../text/plain-text.ts";
import { EVENT_CLASSES } from "../../event.ts";
import { createLatest } from "../count/latest.ts";
import { createTally, tallyEvent, toAmount, toEventCount, toSum } from "../figure.ts";
import { formatCount } from "../format-figure.ts";
import type { ReportCell, ReportTable } from "../report-document.ts";
import type { ReportSettings } from "../report-settings.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";

const SHOWN = 25;
const KINDS = [
  "audit.gap",
  "audit.broken",
  "audit.unreadable",
  "audit.pruned",
  "audit.key",
  "audit.anchored",
  "audit.exported",
  "audit.off",
  "audit.seal",
] as const;

/** How the log itself was kept: gaps, retention, keys, anchors. */
export function createLogKeepingSection(
  { within }: CountingScope,
  { settings }: { readonly settings: ReportSettings },
): SectionCounter {
  const gaps = createTally();
  const broken = createTally();
  const lostLines = createTally();
  const pruned = createTally();
  const anchored = createTally();
  const keys = createTally();
  const exported = createTally();
  const latest = createLatest<readonly ReportCell[]>(SHOWN);

  return {
    add(event) {
      if (!KINDS.some((kind) => kind === event.action)) return;
      const { id } = event;
      const tell = (what: string, rank: number) =>
        latest.add([{ at: event.at }, event.action, toExcerpt(what, 160), { event: id }], rank);
      if (event.action === "audit.gap") {
        const { lost, reason } = event.details ?? {};
        tallyEvent(gaps, id, toAmount(lost));
        tell(`${toAmount(lost)} events lost: ${String(reason)}`, 2);
      } else if (event.action === "audit.broken") {
        tallyEvent(broken, id);
        tell(`what had been written was changed: ${String(event.details?.message)}`, 3);
      } else if (event.action === "audit.unreadable") {
        tallyEvent(lostLines, id);
        tell(`a line of ${toAmount(event.details?.bytes)} bytes was no event`, 2);
      } else if (event.action === "audit.pruned") {
        const { count, archive } = event.details ?? {};
        tallyEvent(pruned, id, toAmount(count));
        tell(`${toAmount(count)} events taken out${archive === undefined ? "" : ", archived"}`, 1);
      } else if (event.action === "audit.key") {
        tallyEvent(keys, id);
        tell(`signing key ${String(event.details?.key)}`, 1);
      } else if (event.action === "audit.anchored") tallyEvent(anchored, id);
      else if (event.action === "audit.exported") {
        tallyEvent(exported, id);
        tell(`${String(event.details?.what)}: ${toAmount(event.details?.count)} events`, 0);
      } else if (event.action === "audit.off") tell(`turned off: ${String(event.details?.by)}`, 3);
      else if (event.action === "audit.seal") tell(`sealing key ${String(event.details?.key)}`, 1);
    },
    finish() {
      const figures = {
        auditGaps: { ...toSum(gaps, "values" as const, within({ actions: ["audit.gap"] })) },
        pruned: toSum(pruned, "values" as const, within({ actions: ["audit.pruned"] })),
        anchored: toEventCount(anchored, within({ actions: ["audit.anchored"] })),
      };
      const shown = latest.list();
      const more = latest.count - shown.length;
      return {
        figures,
        section: {
          id: "log-keeping",
          title: "The log itself",
          about:
            "From audit.gap, audit.broken, audit.unreadable, audit.pruned, audit.key, audit.seal, audit.anchored, audit.exported and audit.off. Settings are those in force when this report was made.",
          charts: [],
          tables: [
            {
              title: "What happened to it",
              columns: [
                { name: "What", kind: "text" },
                { name: "How many", kind: "number" },
              ],
              rows: [
                { cells: ["Events known to be lost", figures.auditGaps] },
                {
                  cells: [
                    "Breaks found while it was written",
                    toEventCount(broken, within({ actions: ["audit.broken"] })),
                  ],
                },
                {
                  cells: [
                    "Lines that were no events",
                    toEventCount(lostLines, within({ actions: ["audit.unreadable"] })),
                  ],
                },
                { cells: ["Events taken out by retention", figures.pruned] },
                { cells: ["Signing keys made", toEventCount(keys, within({ actions: ["audit.key"] }))] },
                { cells: ["Checkpoints anchored outside", figures.anchored] },
                {
                  cells: [
                    "Exports and reports",
                    toEventCount(exported, within({ actions: ["audit.exported"] })),
                  ],
                },
              ],
              empty: "",
            },
            {
              title: "Each of them",
              columns: ["Time (UTC)", "Event kind", "What", "Event"].map((name) => ({
                name,
                kind: "text" as const,
              })),
              rows: shown.map((cells) => ({ cells })),
              ...(more > 0 && { rest: `and ${formatCount(more)} more; gaps stand first.` }),
              empty: "No gap, no removal, no new key, no export.",
            },
            toRetentionTable(settings),
            toSettingsTable(settings),
          ],
          notes: [],
        },
      };
    },
  };
}

function toRetentionTable({ retention }: ReportSettings): ReportTable {
  return {
    title: "Retention in force",
    columns: [
      { name: "Class of events", kind: "text" },
      { name: "Kept for", kind: "text" },
    ],
    rows: EVENT_CLASSES.map((name) => {
      const days = retention[name];
      return { cells: [name, days === null ? "ever" : `${formatCount(days)} days`] };
    }),
    empty: "",
  };
}

function toSettingsTable(settings: ReportSettings): ReportTable {
  const yes = (is: boolean) => (is ? "on" : "off");
  const { servers, storeTls } = settings;
  const rows: [string, string][] = [
    ["Audit log", yes(settings.auditLogging)],
    [
      "When it can't be written",
      settings.onFailure === "stop" ? "nothing runs" : "work goes on, with an alarm",
    ],
    [
      "Contents kept beside hashes",
      { none: "none", code: "programs", all: "programs, arguments, results" }[settings.contents],
    ],
    ["Encryption at rest", yes(settings.encrypt)],
    [
      "Store",
      settings.store === "sqlite" ? "SQLite file of the project" : `PostgreSQL, TLS ${storeTls ?? "unknown"}`,
    ],
    ["Anchors outside the log", String(settings.anchors)],
    ["Anomaly detection", yes(settings.anomalies)],
    ["Tokens for personal values", yes(settings.piiTokenization)],
    ["Security level", toExcerpt(settings.securityLevel, 40)],
    [
      "Servers",
      `${servers.local} on this machine, ${servers.https} by https, ${servers.plainHttp} by plain http`,
    ],
  ];
  return {
    title: "Settings when this report was made",
    columns: [
      { name: "Setting", kind: "text" },
      { name: "Value", kind: "text" },
    ],
    rows: rows.map((cells) => ({ cells })),
    empty: "",
  };
}
