import type { Figure } from "./figure.ts";
import { FIGURE_LABELS, type FigureName } from "./figure-names.ts";
import { toCounted as counted, formatCount, formatTime } from "./format-figure.ts";
import type { Framework, ReportGap, ReportPeriod, ReportVerification } from "./report-document.ts";
import type { ReportSettings } from "./report-settings.ts";

export type GapInput = {
  readonly framework: Framework;
  readonly period: ReportPeriod;
  readonly madeAt: number;
  readonly figures: Readonly<Record<FigureName, Figure>>;
  readonly settings: ReportSettings;
  readonly verification: ReportVerification;
  /** When the log begins; nothing where it is empty. */
  readonly firstAt: number | undefined;
  /** Runs that the journal has and the log has not. */
  readonly unloggedRuns: number;
};

type Finding = { readonly text: string; readonly fix?: string; readonly figure?: Figure };
type Check = (input: GapInput) => Finding | undefined;

const SIX_YEARS_DAYS = 2_190;

/** What evidence is missing, or weaker than it could be. One check each; the order is that of the report. */
const CHECKS = {
  "settings-unused": ({ settings }) =>
    settings.isUntrusted !== true
      ? undefined
      : {
          text: "The folder brings settings that are not used, since it is not trusted: retention, anchors, encryption and the rest are said here as the user's own config has them",
          fix: "Run keyhole trust, or make the report with --trust",
        },
  "log-off": ({ settings }) =>
    settings.auditLogging
      ? undefined
      : { text: "The audit log is off now: nothing is recorded", fix: "Set auditLogging to true" },
  "log-broken": ({ verification }) =>
    verification.status !== "broken"
      ? undefined
      : {
          text: `The log does not verify (${counted(verification.problemCount, "problem")}), so no figure here can be relied on`,
          fix: "Run keyhole audit verify",
        },
  "log-unverified": ({ verification }) =>
    verification.status !== "not verified"
      ? undefined
      : { text: `The log was not verified: ${verification.reason}`, fix: "Run keyhole audit verify" },
  "no-events": ({ figures: { events } }) =>
    events.value > 0
      ? undefined
      : { text: "There is no event in the period: nothing can be shown", figure: events },
  "log-starts-late": ({ firstAt, period }) =>
    firstAt === undefined || firstAt <= period.from
      ? undefined
      : {
          text: `The log begins at ${formatTime(firstAt)} UTC, after the period does: what was before is not covered`,
        },
  "period-open": ({ period, madeAt }) =>
    period.to <= madeAt
      ? undefined
      : {
          text: `The period ends after this report was made (${formatTime(madeAt)} UTC): it is not complete`,
        },
  "unlogged-runs": ({ unloggedRuns }) =>
    unloggedRuns === 0
      ? undefined
      : {
          text: `The journal has ${counted(unloggedRuns, "run")} of the period that the log has no event of: audit logging was off for a while, or a run ended without it`,
          fix: "Keep auditLogging on",
        },
  "events-lost": ({ figures: { auditGaps } }) =>
    auditGaps.value === 0
      ? undefined
      : {
          text: `Work went on while the log could not be written, and ${counted(auditGaps.value, "event")} got lost`,
          fix: "Set audit.onFailure to stop",
          figure: auditGaps,
        },
  unreadable: ({ figures: { unreadable } }) =>
    unreadable.value === 0
      ? undefined
      : {
          text: `${counted(unreadable.value, "event")} could not be read in full (sealed and the key is not here, or changed); they are not in the figures, or only in part`,
          fix: "Make the report where the log's key is",
        },
  "fails-open": ({ settings }) =>
    settings.onFailure === "stop"
      ? undefined
      : { text: "Work goes on when the log can't be written", fix: "Set audit.onFailure to stop" },
  pruned: ({ figures: { pruned } }) =>
    pruned.value === 0
      ? undefined
      : {
          text: `Retention took ${counted(pruned.value, "event")} out of the log; figures of times before that lack them`,
          figure: pruned,
        },
  "no-anchor": ({ settings, figures: { anchored } }) =>
    settings.anchors > 0 || anchored.value > 0
      ? undefined
      : {
          text: "No checkpoint is anchored outside: whoever has the log and the user's key could rewrite both",
          fix: "Set audit.anchors",
        },
  "not-encrypted": ({ settings }) =>
    settings.encrypt
      ? undefined
      : {
          text: "The log is not encrypted at rest by Keyhole",
          fix: "Set audit.encrypt, or name the encryption of the disk",
        },
  "store-tls": ({ settings: { store, storeTls } }) =>
    store !== "postgres" || storeTls === "on"
      ? undefined
      : {
          text:
            storeTls === "off"
              ? "The connection to the log's PostgreSQL has no TLS"
              : "Whether the connection to the log's PostgreSQL has TLS is unknown",
          fix: 'Add sslmode=verify-full to the address in "audit.store"',
        },
  "plain-servers": ({ settings: { servers } }) =>
    servers.plainHttp === 0
      ? undefined
      : {
          text: `Reached by plain http: ${counted(servers.plainHttp, "server")}`,
          fix: "Use https addresses",
        },
  "plain-egress": ({ figures: { egressPlain } }) =>
    egressPlain.value === 0
      ? undefined
      : {
          text: `${counted(egressPlain.value, "connection of programs")} went to ports other than 443; whether they were encrypted is not known`,
          figure: egressPlain,
        },
  "tls-unseen": () => ({
    text: "The log has no record of the TLS version of each connection; it has addresses and ports",
  }),
  "retention-short": ({ framework, settings: { retention } }) => {
    const short = Object.entries(retention).filter(([, days]) => days !== null && days < SIX_YEARS_DAYS);
    if (framework !== "hipaa" || short.length === 0) return undefined;
    const named = short.map(([name, days]) => `${name} ${days} days`).join(", ");
    return {
      text: `Retention is shorter than six years: ${named}`,
      fix: "Set audit.retention.preset to hipaa",
    };
  },
  "retention-young": ({ framework, firstAt, madeAt }) => {
    const days = firstAt === undefined ? 0 : Math.floor((madeAt - firstAt) / 86_400_000);
    return framework !== "hipaa" || days >= SIX_YEARS_DAYS
      ? undefined
      : {
          text: `The log itself is ${formatCount(days)} days old: that events are kept for six years can't be seen from it yet`,
        };
  },
  "retention-open": ({ framework, settings: { retention } }) => {
    const open = Object.entries(retention).filter(([name, days]) => days === null && name !== "audit");
    if (framework !== "gdpr" || open.length === 0) return undefined;
    return {
      text: `Events of these classes are kept without limit: ${open.map(([name]) => name).join(", ")}`,
      fix: "Set audit.retention",
    };
  },
  "no-approvals": ({ figures: { approvalsAnswered } }) =>
    approvalsAnswered.value > 0
      ? undefined
      : {
          text: "No approval was answered in the period: that people decide is not shown by it",
          figure: approvalsAnswered,
        },
  "high-risk-by-rule": ({ figures: { highRiskAuto } }) =>
    highRiskAuto.value === 0
      ? undefined
      : {
          text: `${counted(highRiskAuto.value, "high-risk write")} allowed by rule alone: no person approved`,
          fix: "Write a rule with the decision ask",
          figure: highRiskAuto,
        },
  "expired-approvals": ({ figures: { approvalsExpired } }) =>
    approvalsExpired.value === 0
      ? undefined
      : {
          text: `${counted(approvalsExpired.value, "approval")} expired without an answer`,
          figure: approvalsExpired,
        },
  "no-identities": ({ figures: { runs, localRuns } }) =>
    runs.value === 0 || localRuns.value < runs.value
      ? undefined
      : {
          text: "All programs were run by the principal local: people are not told apart by the log",
          fix: "Serve over HTTP with a principal for each person",
          figure: localRuns,
        },
  unnamed: ({ figures: { unnamedRuns } }) =>
    unnamedRuns.value === 0
      ? undefined
      : { text: `${counted(unnamedRuns.value, "program")} run without a principal`, figure: unnamedRuns },
  "no-egress": ({ figures: { egress, egressRefused } }) =>
    egress.value + egressRefused.value > 0
      ? undefined
      : {
          text: "No connection was made or refused in the period: decisions on egress are not shown by it",
          figure: egress,
        },
  unvalidated: ({ figures: { sandboxed, validated } }) =>
    sandboxed.value <= validated.value
      ? undefined
      : {
          text: `${counted(sandboxed.value - validated.value, "program")} ended without a rating`,
          figure: validated,
        },
  "anomalies-off": ({ settings }) =>
    settings.anomalies
      ? undefined
      : { text: "Anomaly detection is off", fix: "Set audit.anomalies.enabled to true" },
  "anomalies-only-logged": ({ figures: { anomalies, anomaliesActed } }) =>
    anomalies.value === 0 || anomaliesActed.value > 0
      ? undefined
      : {
          text: "Anomalies were only logged: nobody was told, nothing was stopped",
          fix: "Set audit.anomalies.action to notify, ask or stop",
          figure: anomalies,
        },
  "review-unseen": () => ({
    text: "That people reviewed blocked events and anomalies is not in the log, apart from approvals: keep tickets or minutes",
  }),
  "no-policy-version": ({ figures: { policyVersions } }) =>
    policyVersions.value > 0
      ? undefined
      : { text: "No event names the policy version in force", figure: policyVersions },
  "tokens-off": ({ settings }) =>
    settings.piiTokenization
      ? undefined
      : {
          text: "Personal values are not replaced by tokens: piiTokenization is off now",
          fix: "Set piiTokenization to true",
        },
  "no-pii": ({ figures: { piiFound } }) =>
    piiFound.value > 0
      ? undefined
      : {
          text: "No personal value was found in the period: that values are hidden is not shown by it",
          figure: piiFound,
        },
  "pii-shown": ({ figures: { piiShown } }) =>
    piiShown.value === 0
      ? undefined
      : {
          text: `A person looked at ${counted(piiShown.value, "personal value")}`,
          figure: piiShown,
        },
  "contents-kept": ({ settings }) =>
    settings.contents !== "all"
      ? undefined
      : {
          text: "Arguments and results are kept in the log, concealed: more than is needed to show what was done",
          fix: "Set audit.contents to none or code",
        },
  "no-erasure": ({ figures: { piiForgotten } }) =>
    piiForgotten.value > 0
      ? undefined
      : {
          text: "No value was erased in the period: that erasure works is not shown by it",
          figure: piiForgotten,
        },
  "purposes-unseen": () => ({
    text: "Purposes of processing, categories of data subjects and contact persons are not in the log: the record of processing has to name them",
  }),
} satisfies Record<string, Check>;

export type GapId = keyof typeof CHECKS;

/** Those that limit every figure of the report, whatever the framework. */
export const GENERAL_GAPS: readonly GapId[] = [
  "settings-unused",
  "log-off",
  "log-broken",
  "log-unverified",
  "no-events",
  "log-starts-late",
  "period-open",
  "unlogged-runs",
  "events-lost",
  "unreadable",
  "pruned",
];

/** Gaps that a figure decides on: where the events that would tell are sealed, nobody knows. */
const DECIDED_BY: Readonly<Partial<Record<GapId, FigureName>>> = {
  "no-pii": "piiFound",
  "pii-shown": "piiShown",
  "no-erasure": "piiForgotten",
  "high-risk-by-rule": "highRiskAuto",
  "expired-approvals": "approvalsExpired",
  "plain-egress": "egressPlain",
  "anomalies-only-logged": "anomaliesActed",
  "no-policy-version": "policyVersions",
  unvalidated: "validated",
};

function findUnknown(id: GapId, { figures }: GapInput): Finding | undefined {
  const name = DECIDED_BY[id];
  const figure = name && figures[name];
  if (name === undefined || !figure?.isPartial || figure.value > 0) return undefined;
  return {
    text: `Unknown: ${FIGURE_LABELS[name]}. Events that would tell are sealed, and their key is not here`,
    fix: "Make the report where the log's key is",
    figure,
  };
}

export function findGaps(ids: readonly GapId[], input: GapInput): readonly ReportGap[] {
  const order = Object.keys(CHECKS);
  return [...new Set(ids)]
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
    .flatMap((id) => {
      const found = findUnknown(id, input) ?? CHECKS[id](input);
      return found === undefined ? [] : [{ id, ...found }];
    });
}
