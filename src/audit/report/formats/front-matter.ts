import { toExcerpt } from "../../../text/plain-text.ts";
import { formatCount, formatDuration, formatPeriod, formatTime } from "../format-figure.ts";
import { toMoment } from "../list-command.ts";
import type { ReportDocument } from "../report-document.ts";

/** What stands at the head of a report in every format: what it is about, who made it, from what. */
export function toFacts({
  period,
  made,
  log,
  framework,
}: ReportDocument): readonly (readonly [string, string])[] {
  const span =
    log.firstAt === undefined || log.lastAt === undefined
      ? "empty"
      : `${formatTime(log.firstAt)} to ${formatTime(log.lastAt)} UTC`;
  return [
    ["Period", formatPeriod(period)],
    ["Log", `${toExcerpt(log.project, 200)} (${toExcerpt(log.store, 200)})`],
    ["Events in the log", span],
    ["Made", `${formatTime(made.at)} UTC by ${toExcerpt(made.by, 100)}, Keyhole ${made.keyhole}`],
    ["Framework", FRAMEWORK_NAMES[framework]],
  ];
}

const FRAMEWORK_NAMES = {
  soc2: "SOC 2 (trust services criteria)",
  hipaa: "HIPAA security rule (45 CFR 164)",
  gdpr: "GDPR (EU 2016/679)",
} as const;

export type VerificationSummary = {
  readonly tone: "good" | "bad" | "warning";
  readonly title: string;
  readonly lines: readonly string[];
};

export function toVerificationSummary({ verification }: ReportDocument): VerificationSummary {
  if (verification.status === "not verified")
    return { tone: "warning", title: "Not verified", lines: [verification.reason] };
  const { status, events, problems, problemCount, tookMs } = verification;
  const took = tookMs === undefined ? "" : `, in ${formatDuration(tookMs)}`;
  if (status === "intact")
    return {
      tone: "good",
      title: "Intact",
      lines: [
        `All ${formatCount(events)} events of the log were verified for this report${took}: hash chain, signed checkpoints and columns agree; nothing was changed, removed, inserted, reordered or cut off.`,
      ],
    };
  const more = problemCount - problems.length;
  return {
    tone: "bad",
    title: "Broken",
    lines: [
      `${formatCount(problemCount)} problems were found in ${formatCount(events)} events. The figures below are what the log says now; they can't be relied on.`,
      ...problems.map((problem) => toExcerpt(problem, 300)),
      ...(more > 0 ? [`and ${formatCount(more)} more`] : []),
    ],
  };
}

/** How the list of traces is read. */
export function toTraceIntroduction({ period }: ReportDocument): string {
  return `Each row above with figures has a number. Here is, for each of its figures, from how many events it comes, the ids of the first of them, and the command that lists all of them. Where a command names no other time, add: --from ${toMoment(period.from)} --to ${toMoment(period.to)}`;
}
