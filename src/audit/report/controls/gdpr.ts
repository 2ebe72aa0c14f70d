import { formatCount } from "../format-figure.ts";
import type { ControlDefinition } from "./control-definition.ts";

/** GDPR, by article. */
export const GDPR_CONTROLS: readonly ControlDefinition[] = [
  {
    id: "Art. 30",
    title: "Records of processing",
    evidence: "categories of data, recipients (servers), retention",
    figures: ["piiFound", "piiRevealed", "piiRecipients", "egress"],
    gaps: ["no-pii", "purposes-unseen", "retention-open"],
    statements: ({ settings: { retention } }) => {
      const limited = Object.entries(retention).filter(([, days]) => days !== null);
      return limited.length === 0
        ? ["No retention is set: events are kept for ever"]
        : [
            `Retention: ${limited.map(([name, days]) => `${name} ${formatCount(days ?? 0)} days`).join(", ")}`,
          ];
    },
  },
  {
    id: "Art. 32 / 25 / 5(1)(c)",
    title: "Security, protection by design, minimisation",
    evidence: "pseudonymisation (a token stays personal data), minimisation",
    figures: [
      "piiFound",
      "piiRevealed",
      "piiShown",
      "deniedCalls",
      "deniedByPerson",
      "egressRefused",
      "anomalies",
    ],
    gaps: [
      "tokens-off",
      "contents-kept",
      "pii-shown",
      "not-encrypted",
      "no-anchor",
      "plain-servers",
      "store-tls",
    ],
    statements: ({ settings, verification }) => [
      `Tokens for personal values now: ${settings.piiTokenization ? "on" : "off"}; encryption of the log: ${settings.encrypt ? "on" : "off"}`,
      verification.status === "not verified"
        ? "The log was not verified"
        : `The log was verified: ${verification.status}`,
    ],
  },
  {
    id: "Art. 17",
    title: "Erasure",
    evidence: "erasure of vault entries",
    figures: ["piiForgotten"],
    gaps: ["no-erasure"],
  },
];
