import { formatCount } from "../format-figure.ts";
import type { ControlDefinition } from "./control-definition.ts";

/** HIPAA security rule, technical safeguards and documentation. */
export const HIPAA_CONTROLS: readonly ControlDefinition[] = [
  {
    id: "164.312(a)(1)",
    title: "Access control",
    evidence: "access: who was let in, what was allowed, denied and approved",
    figures: [
      "principals",
      "sessions",
      "calls",
      "deniedCalls",
      "deniedByPerson",
      "approvalsApproved",
      "approvalsDenied",
      "highRisk",
      "highRiskByPerson",
      "piiRevealed",
    ],
    gaps: ["no-approvals", "high-risk-by-rule", "tokens-off", "pii-shown", "not-encrypted"],
  },
  {
    id: "164.312(b)",
    title: "Audit controls",
    evidence: "audit log",
    figures: ["events", "runs", "calls", "commands", "egress", "piiFound", "anomalies"],
    gaps: ["log-off", "unlogged-runs", "events-lost", "fails-open", "log-starts-late", "anomalies-off"],
  },
  {
    id: "164.312(c)(1)",
    title: "Integrity",
    evidence: "hash chain with signed checkpoints",
    figures: ["events", "anchored"],
    gaps: ["log-broken", "log-unverified", "no-anchor"],
    statements: ({ verification }) => [
      verification.status === "not verified"
        ? "The chain was not verified for this report"
        : `The chain was verified for this report: ${verification.status}, ${formatCount(verification.events)} events`,
    ],
  },
  {
    id: "164.312(d)",
    title: "Person or entity authentication",
    evidence: "authenticated actor",
    figures: ["principals", "refusedLogins", "localRuns", "unnamedRuns", "approvalsAnswered"],
    gaps: ["no-identities", "unnamed"],
  },
  {
    id: "164.312(e)(1)",
    title: "Transmission security",
    evidence: "TLS",
    figures: ["egress", "egressFailed", "egressPlain", "egressRefused"],
    gaps: ["store-tls", "plain-servers", "plain-egress", "tls-unseen"],
    statements: ({ settings: { servers, store, storeTls } }) => [
      `Servers now: ${servers.https} by https, ${servers.plainHttp} by plain http, ${servers.local} on this machine`,
      store === "postgres"
        ? `The log's PostgreSQL: TLS ${storeTls ?? "unknown"}`
        : "The log is a file of this machine: it is not transmitted",
    ],
  },
  {
    id: "164.316(b)(2)(i)",
    title: "Retention of documentation for six years",
    evidence: "six years' retention",
    figures: ["pruned"],
    gaps: ["retention-short", "retention-young", "pruned"],
    statements: ({ settings: { retention, archive } }) => {
      const days = Object.values(retention).filter((one) => one !== null);
      return [
        days.length === 0
          ? "Events are kept for ever"
          : `The shortest retention is ${formatCount(Math.min(...days))} days`,
        `Events that are taken out are ${archive ? "archived" : "not archived"}`,
      ];
    },
  },
];
