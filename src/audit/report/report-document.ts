import type { EventAction } from "../event.ts";
import type { Figure } from "./figure.ts";
import type { ReportSettings } from "./report-settings.ts";

export const FRAMEWORKS = ["soc2", "hipaa", "gdpr"] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/** Times are milliseconds since 1970; `to` itself is not in it. */
export type ReportPeriod = { readonly from: number; readonly to: number };

/** A text, a figure, the id of an event, or a time. */
export type ReportCell =
  | string
  | Figure
  | { readonly event: string }
  | { readonly at: number }
  | { readonly hash: string };

export type ReportRow = {
  readonly cells: readonly ReportCell[];
  /** Under which its figures stand in the list of traces. */
  readonly trace?: string;
};

export type ReportColumn = { readonly name: string; readonly kind: "text" | "number" };

export type ReportTable = {
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** Of what is not shown. */
  readonly rest?: string;
  /** Said where there is no row. */
  readonly empty: string;
  /** Events without whose details there is no row: where they are sealed, an empty table says nothing. */
  readonly from?: readonly EventAction[];
};

export type ChartTone = "plain" | "good" | "warning" | "bad";

export type ChartBar = {
  readonly label: string;
  /** One above (or behind) the other, in the order of the chart's parts. */
  readonly values: readonly number[];
};

export type ReportChart = {
  readonly title: string;
  /** Columns: over time. Bars: by name. */
  readonly kind: "columns" | "bars";
  readonly parts: readonly { readonly name: string; readonly tone: ChartTone }[];
  readonly bars: readonly ChartBar[];
};

export type ReportSection = {
  readonly id: string;
  readonly title: string;
  /** What is counted here, and from which events. */
  readonly about: string;
  readonly charts: readonly ReportChart[];
  readonly tables: readonly ReportTable[];
  readonly notes: readonly string[];
};

export type ReportGap = {
  readonly id: string;
  readonly text: string;
  readonly fix?: string;
  readonly figure?: Figure;
};

export type ReportControl = {
  readonly id: string;
  readonly title: string;
  /** What the evidence is, in words. */
  readonly evidence: string;
  readonly figures: readonly { readonly name: string; readonly figure: Figure }[];
  /** What of the settings or of the verification supports it. */
  readonly statements: readonly string[];
  readonly gaps: readonly ReportGap[];
  readonly trace?: string;
};

export type ReportVerification =
  | {
      readonly status: "intact" | "broken";
      readonly events: number;
      readonly problems: readonly string[];
      /** With those that are not shown. */
      readonly problemCount: number;
      readonly tookMs?: number;
    }
  | { readonly status: "not verified"; readonly reason: string };

/** What all formats show: nothing is counted after this. */
export type ReportDocument = {
  readonly title: string;
  readonly framework: Framework;
  readonly period: ReportPeriod;
  readonly made: { readonly at: number; readonly by: string; readonly keyhole: string };
  readonly log: {
    readonly project: string;
    readonly store: string;
    readonly firstAt?: number;
    readonly lastAt?: number;
  };
  readonly settings: ReportSettings;
  /** How many events of the period were counted. */
  readonly counted: number;
  readonly verification: ReportVerification;
  readonly headline: readonly { readonly name: string; readonly figure: Figure }[];
  readonly gaps: readonly ReportGap[];
  readonly controls: readonly ReportControl[];
  readonly sections: readonly ReportSection[];
  /** A line for each row that has figures: where each of them comes from. */
  readonly traces: readonly ReportTrace[];
};

export type ReportTrace = {
  readonly id: string;
  readonly what: string;
  readonly figures: readonly { readonly name: string; readonly figure: Figure }[];
};

export const SUPPORTS_NOTE =
  "This report names evidence that supports controls. It does not say that anybody or anything is compliant: that is for an auditor to judge, who sees more than this log.";
