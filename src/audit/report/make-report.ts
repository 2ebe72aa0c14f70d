import type { EventAction } from "../event.ts";
import type { Prices } from "../metering/prices.ts";
import { isSealed } from "../query/details.ts";
import type { AuditReader, LoggedEvent } from "../reader.ts";
import { toAllGaps, toControls } from "./controls/to-controls.ts";
import { createTally, type Figure, type Tally, tallyEvent, toEventCount } from "./figure.ts";
import { FIGURE_LABELS, FIGURE_NAMES, type FigureName } from "./figure-names.ts";
import { createSealedMarks, type SealedMarks } from "./mark-sealed.ts";
import { numberTraces } from "./number-traces.ts";
import type { Framework, ReportDocument, ReportPeriod, ReportVerification } from "./report-document.ts";
import type { ReportSettings } from "./report-settings.ts";
import { type CountedSection, createCountingScope, type SectionCounter } from "./section-counter.ts";
import { createActivitySection } from "./sections/activity.ts";
import { createActorsSection } from "./sections/actors.ts";
import { createAnomaliesSection } from "./sections/anomalies.ts";
import { createApprovalsSection } from "./sections/approvals.ts";
import { createChangesSection } from "./sections/changes.ts";
import { createDurationsSection } from "./sections/durations.ts";
import { createFailuresSection } from "./sections/failures.ts";
import { createHighRiskSection } from "./sections/high-risk.ts";
import { createLogKeepingSection } from "./sections/log-keeping.ts";
import { createNetworkSection } from "./sections/network.ts";
import { createPersonalDataSection } from "./sections/personal-data.ts";
import { createRefusalsSection } from "./sections/refusals.ts";
import { createRisksSection } from "./sections/risks.ts";
import { createToolsSection } from "./sections/tools.ts";
import { createUsageSection } from "./sections/usage.ts";
import { createVersionsSection, type EventsBefore } from "./sections/versions.ts";

export type ReportRequest = {
  readonly framework: Framework;
  /** From the beginning of the log where no beginning is asked for. */
  readonly from?: number | undefined;
  readonly to: number;
  readonly made: ReportDocument["made"];
  readonly project: string;
  readonly store: string;
  readonly settings: ReportSettings;
  readonly prices: Prices;
  readonly model?: string | undefined;
  /** It goes on beside the counting. */
  readonly verification: Promise<ReportVerification>;
  /** Runs that the journal has and the log has not. */
  readonly unloggedRuns?: number;
};

const TITLES: Readonly<Record<Framework, string>> = {
  soc2: "Evidence for SOC 2",
  hipaa: "Evidence for the HIPAA security rule",
  gdpr: "Evidence for the GDPR",
};
const HEADLINE: readonly FigureName[] = [
  "runs",
  "calls",
  "principals",
  "deniedCalls",
  "approvalsAnswered",
  "highRisk",
  "piiFound",
  "anomalies",
];

/** One pass over the events of the period; everything is counted in it. */
export async function makeReport(reader: AuditReader, request: ReportRequest): Promise<ReportDocument> {
  const { framework, settings, made } = request;
  const first = (await reader.find({}, { limit: 1, order: "oldest" })).events[0];
  const last = (await reader.find({}, { limit: 1, order: "newest" })).events[0];
  const period = toPeriod(request, first?.at);
  const scope = createCountingScope(period);
  const counters: readonly SectionCounter[] = [
    createActivitySection(scope),
    createActorsSection(scope),
    createRisksSection(scope),
    createToolsSection(scope),
    createHighRiskSection(scope),
    createApprovalsSection(scope),
    createRefusalsSection(scope),
    createFailuresSection(scope),
    createDurationsSection(scope),
    createUsageSection(scope, request),
    createPersonalDataSection(scope),
    createNetworkSection(scope),
    createVersionsSection(scope, { before: await readBefore(reader, period) }),
    createChangesSection(scope),
    createAnomaliesSection(scope),
    createLogKeepingSection(scope, { settings }),
  ];

  const unreadable = createTally();
  const sealed = new Set<EventAction>();
  for await (const events of reader.scan({ from: period.from, to: period.to }))
    for (const event of events) {
      const isClosed = isSealed(event);
      if (isClosed) sealed.add(event.action);
      if (!addTo(counters, event) || isClosed) tallyEvent(unreadable, event.id);
    }

  const counted = counters.map((counter) => counter.finish());
  const marks = createSealedMarks(sealed);
  const figures = toFigures(counted, unreadable, period, marks);
  const verification = await request.verification;
  const input = {
    framework,
    period,
    madeAt: made.at,
    figures,
    settings,
    verification,
    firstAt: first?.at,
    unloggedRuns: request.unloggedRuns ?? 0,
  };
  return numberTraces({
    title: TITLES[framework],
    framework,
    period,
    made,
    log: {
      project: request.project,
      store: request.store,
      ...(first && { firstAt: first.at }),
      ...(last && { lastAt: last.at }),
    },
    settings,
    counted: figures.events.value,
    verification,
    headline: HEADLINE.map((name) => ({ name: FIGURE_LABELS[name], figure: figures[name] })),
    gaps: toAllGaps(input),
    controls: toControls(input),
    sections: counted.map(({ section }) => marks.onSection(section)),
    traces: [],
  });
}

/** Whether all of them could make something of it: what was changed by others may have any form. */
function addTo(counters: readonly SectionCounter[], event: LoggedEvent): boolean {
  try {
    for (const counter of counters) counter.add(event);
    return true;
  } catch {
    return false;
  }
}

function toPeriod({ from, to }: ReportRequest, firstAt: number | undefined): ReportPeriod {
  const start = from ?? firstAt ?? to - 1;
  return { from: Math.min(start, to - 1), to };
}

/** What was in force when the period began was told before it. */
async function readBefore(reader: AuditReader, { from }: ReportPeriod): Promise<EventsBefore> {
  const page = { limit: 1, order: "newest" } as const;
  const found = await Promise.all(
    (["keyhole.started", "policy.changed", "config.changed"] as const).map((action) =>
      reader.find({ to: from, actions: [action] }, page),
    ),
  );
  return found.flatMap(({ events }) => events);
}

function toFigures(
  counted: readonly CountedSection[],
  unreadable: Tally,
  { from, to }: ReportPeriod,
  marks: SealedMarks,
): Readonly<Record<FigureName, Figure>> {
  const figures: Partial<Record<FigureName, Figure>> = Object.assign(
    {},
    ...counted.map((section) => section.figures),
  );
  const sealed = [{ field: "details.sealed", is: "true" }];
  const unread = toEventCount(unreadable, { from, to, where: sealed }, "and those of another form");
  const entries = FIGURE_NAMES.map((name): [FigureName, Figure] => [
    name,
    (figures[name] && marks.onFigure(figures[name])) ??
      (name === "unreadable" ? unread : toEventCount(createTally(), { from, to })),
  ]);
  return Object.fromEntries(entries) as Record<FigureName, Figure>;
}
