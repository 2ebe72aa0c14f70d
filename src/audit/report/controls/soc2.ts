import type { ControlDefinition } from "./control-definition.ts";

/** SOC 2, trust services criteria. */
export const SOC2_CONTROLS: readonly ControlDefinition[] = [
  {
    id: "CC6.1 / CC6.3",
    title: "Logical access, and access by role and need",
    evidence: "identities, permissions, approvals",
    figures: [
      "principals",
      "sessions",
      "deniedCalls",
      "deniedByPerson",
      "approvalsAsked",
      "approvalsApproved",
      "approvalsDenied",
      "personCalls",
      "highRisk",
      "highRiskByPerson",
    ],
    gaps: ["no-identities", "unnamed", "no-approvals", "high-risk-by-rule", "expired-approvals"],
    statements: ({ settings }) => [`Security level now: ${settings.securityLevel}`],
  },
  {
    id: "CC6.6 / CC6.7",
    title: "Boundaries, and data that leaves",
    evidence: "egress decisions",
    figures: ["egress", "egressFailed", "egressRefused", "piiRevealed", "piiRecipients"],
    gaps: ["no-egress", "plain-egress", "plain-servers", "store-tls"],
  },
  {
    id: "CC6.8",
    title: "Unauthorised or malicious software",
    evidence: "code validation, sandbox tier",
    figures: ["runs", "validated", "violations", "sandboxed", "commands", "deniedCommands", "limits"],
    gaps: ["unvalidated"],
  },
  {
    id: "CC7.2 / CC7.3",
    title: "Monitoring, and judging of security events",
    evidence: "monitoring, anomalies, blocked events and their review",
    figures: [
      "events",
      "anomalies",
      "anomaliesActed",
      "deniedCalls",
      "deniedByPerson",
      "deniedCommands",
      "egressRefused",
      "refusedLogins",
      "approvalsAnswered",
    ],
    gaps: ["anomalies-off", "anomalies-only-logged", "review-unseen", "fails-open", "no-anchor"],
  },
  {
    id: "CC8.1",
    title: "Change management",
    evidence: "versions of policy and skills",
    figures: ["policyVersions", "configVersions", "skillChanges", "toolChanges", "trustChanges"],
    gaps: ["no-policy-version"],
  },
  {
    id: "C1.1",
    title: "Confidential information",
    evidence: "PII tokenisation events",
    figures: ["piiFound", "piiRevealed", "piiRecipients", "piiShown"],
    gaps: ["tokens-off", "no-pii", "pii-shown", "not-encrypted"],
  },
];
