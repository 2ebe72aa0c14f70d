import { z } from "zod";
import { ALARM_RULE_NAMES, NOTE_RULE_NAMES } from "./anomaly-rules.ts";
import { EVENT_CLASS_NAMES, RETENTION_PRESETS } from "./kept-days.ts";

const DAYS_EXPECTED = "must be a number of days from 1 to 36500";
const days = z.int(DAYS_EXPECTED).min(1, DAYS_EXPECTED).max(36_500, DAYS_EXPECTED);
const address = z
  .string()
  .regex(/^(?:https?:\/\/|\$\{)/, 'must be an address such as "https://example.com/audit"');
const secret = z.string().min(1).describe('Signs what is posted, at least 16 characters; write "${VAR}"');
const webhook = z.strictObject({
  url: address.describe("https, or http on this machine"),
  secret,
});

/** What is done about an anomaly, the strictest last. */
export const ANOMALY_ACTIONS = ["log", "notify", "ask", "stop"] as const;

/** How much of what passes is kept, concealed; the hashes are in any case. The one that keeps most last. */
export const AUDIT_CONTENTS = ["none", "code", "all"] as const;

export const auditSchema = z.strictObject({
  store: z
    .string()
    .regex(
      /^(?:sqlite$|postgres(?:ql)?:\/\/|\$\{)/,
      'must be "sqlite" or an address such as "postgres://user@host/database"',
    )
    .optional()
    .describe(
      'Where the log is: "sqlite" (.keyhole/audit.db, the default) or a PostgreSQL address; counts in the user\'s own config alone',
    ),
  onFailure: z
    .enum(["stop", "continue"])
    .optional()
    .describe(
      "Whether work goes on, with an alarm, when nothing can be written to the log (default stop); continue counts in the user's own config alone",
    ),
  contents: z
    .enum(AUDIT_CONTENTS)
    .optional()
    .describe(
      "What is kept beside hashes, concealed: nothing, programs (default), or also arguments, results and answers",
    ),
  encrypt: z.boolean().optional().describe("Whether events are sealed in the log (AES-256-GCM)"),
  retention: z
    .strictObject({
      preset: z
        .enum(RETENTION_PRESETS)
        .optional()
        .describe("hipaa: six years; soc2: one year; gdpr: 180 days"),
      days: days.optional().describe("How long events are kept; nothing: for ever"),
      classes: z
        .partialRecord(z.enum(EVENT_CLASS_NAMES), days)
        .optional()
        .describe("The same by class of events"),
      archive: z
        .boolean()
        .optional()
        .describe(
          "Whether events that are taken out are kept as compressed JSONL in .keyhole/audit-archive (default true); false counts in the user's own config alone",
        ),
    })
    .nullish()
    .describe("How long events are kept; where user and project both speak, class by class the longer holds"),
  anchors: z
    .array(
      z.union([
        z.strictObject({
          file: z
            .string()
            .min(1)
            .describe("Gets a line for each checkpoint; a whole path, in a folder that is there"),
        }),
        z.strictObject({ webhook }),
      ]),
    )
    .max(8)
    .optional()
    .describe("Where signed checkpoints are told outside the log; counts in the user's own config alone"),
  anomalies: z
    .strictObject({
      enabled: z
        .boolean()
        .optional()
        .describe(
          "Whether the stream of events is watched (default true); false counts in the user's own config alone",
        ),
      action: z.enum(ANOMALY_ACTIONS).optional().describe("What is done about an anomaly (default log)"),
      rules: z
        .partialRecord(z.enum([...ALARM_RULE_NAMES, ...NOTE_RULE_NAMES]), z.enum([...ANOMALY_ACTIONS, "off"]))
        .optional()
        .describe("The same by rule (docs/anomalies.md); off counts in the user's own config alone"),
      webhook: webhook
        .nullish()
        .describe(
          "Is told of each anomaly whose action is notify or stronger; counts in the user's own config alone",
        ),
    })
    .nullish()
    .describe("Detection of what is unusual"),
  telemetry: z
    .strictObject({
      endpoint: address
        .optional()
        .describe("An OTLP/HTTP endpoint; nothing: OTEL_EXPORTER_OTLP_ENDPOINT, else off"),
      headers: z
        .record(z.string(), z.string())
        .optional()
        .describe('Sent with it; write secrets as "${VAR}"'),
      prometheus: z.boolean().optional().describe("Whether the HTTP front has /metrics (default false)"),
    })
    .nullish()
    .describe("Traces and metrics, without contents; counts in the user's own config alone"),
  model: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("The model whose prices are used where the client tells none"),
});

export type AuditSection = z.output<typeof auditSchema>;
