/** What is looked for in the stream of events, by name: `src/audit/anomaly` has the rules. */
export const ALARM_RULE_NAMES = [
  "exfiltration-loop",
  "mass-delete",
  "credential-probing",
  "sandbox-probing",
  "path-probing",
  "denial-burst",
  "runaway-polling",
  "rate-spike",
  "tool-rate-spike",
  "client-rate",
  "volume-in",
  "volume-out",
  "output-size",
  "spending",
  "personal-data",
  "unusual-hour",
  "newcomer",
] as const;

/** These only take notes: they are off where nobody names them. */
export const NOTE_RULE_NAMES = ["first-tool", "first-host", "first-shape"] as const;

export type AnomalyRuleName = (typeof ALARM_RULE_NAMES | typeof NOTE_RULE_NAMES)[number];
