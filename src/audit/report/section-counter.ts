import type { LogFilter } from "../query/filter.ts";
import type { LoggedEvent } from "../reader.ts";
import type { Figure } from "./figure.ts";
import type { FigureName } from "./figure-names.ts";
import type { ReportPeriod, ReportSection } from "./report-document.ts";

/** Counts for one section, an event at a time; what it keeps stays small whatever it is given. */
export type SectionCounter = {
  add(event: LoggedEvent): void;
  finish(): CountedSection;
};

export type CountedSection = {
  readonly section: ReportSection;
  /** Those that controls and gaps refer to. */
  readonly figures: Partial<Record<FigureName, Figure>>;
};

export type CountingScope = {
  readonly period: ReportPeriod;
  /** The filter, within the period. */
  within(filter: LogFilter): LogFilter;
};

export function createCountingScope(period: ReportPeriod): CountingScope {
  return {
    period,
    within: ({ where, ...filter }) => ({
      from: period.from,
      to: period.to,
      ...filter,
      // An empty name stands for what has none: it is sealed, or of another form.
      ...(where && { where: where.map((one) => (one.is === "" ? { ...one, is: null } : one)) }),
    }),
  };
}
