import type { EventAction } from "../event.ts";
import type { Figure } from "./figure.ts";
import { isFigure } from "./number-traces.ts";
import type { ReportSection } from "./report-document.ts";

/** Marks figures that come from what events detail, where some of those events are sealed and can't be read here. */
export type SealedMarks = {
  onFigure(figure: Figure): Figure;
  onSection(section: ReportSection): ReportSection;
};

const FROM_DETAILS: ReadonlySet<string> = new Set(["values", "tokens", "bytes", "usd"]);

/** @param actions those of which events are sealed */
export function createSealedMarks(actions: ReadonlySet<EventAction>): SealedMarks {
  const onFigure = (figure: Figure): Figure => {
    const { filter } = figure.events;
    const isTouched = filter.actions?.some((action) => actions.has(action)) ?? false;
    // What has not a field is counted with those that are sealed: nothing is missing there.
    const isAsked = filter.where?.some(({ field, is }) => field.startsWith("details.") && is !== null);
    return isTouched && (isAsked || FROM_DETAILS.has(figure.unit)) ? { ...figure, isPartial: true } : figure;
  };
  return {
    onFigure,
    onSection: (section) => ({
      ...section,
      tables: section.tables.map((table) => ({
        ...table,
        rows: table.rows.map((row) => ({
          ...row,
          cells: row.cells.map((cell) => (isFigure(cell) ? onFigure(cell) : cell)),
        })),
      })),
    }),
  };
}
