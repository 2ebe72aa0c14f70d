import type { EventClass } from "../event.ts";

/** How many days events of each class are kept; `null`: for ever. */
export type RetentionDays = Readonly<Record<EventClass, number | null>>;

/** What the config says when the report is made; it may have said something else before. */
export type ReportSettings = {
  /** The folder brings settings that are not used, since nobody trusted it: what stands here may not be what held. */
  readonly isUntrusted?: boolean;
  readonly auditLogging: boolean;
  readonly onFailure: "stop" | "continue";
  readonly contents: "none" | "code" | "all";
  /** By the settings, or seen from the newest events. */
  readonly encrypt: boolean;
  readonly store: "sqlite" | "postgres";
  /** Of the connection to PostgreSQL. */
  readonly storeTls?: "on" | "off" | "unknown";
  readonly retention: RetentionDays;
  readonly archive: boolean;
  readonly anchors: number;
  readonly anomalies: boolean;
  readonly piiTokenization: boolean;
  readonly securityLevel: string;
  readonly servers: { readonly local: number; readonly https: number; readonly plainHttp: number };
};
