import type { EventAction } from "../event.ts";
import { UNNAMED_ROW } from "./count/named-table.ts";
import type { Figure } from "./figure.ts";
import { isFigure } from "./number-traces.ts";
import type { ReportCell, ReportSection, ReportTable } from "./report-document.ts";

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
    // What has not a field is counted with those that are sealed: nothing is missing there.
    const isAsked = filter.where?.some(({ field, is }) => field.startsWith("details.") && is !== null);
    return isTouched(figure) && (isAsked || FROM_DETAILS.has(figure.unit))
      ? { ...figure, isPartial: true }
      : figure;
  };
  return {
    onFigure,
    onSection: (section) => ({
      ...section,
      tables: section.tables.map(({ from = [], ...table }) => ({
        ...table,
        ...(from.some((action) => actions.has(action)) && toSealedTable(table)),
        rows: table.rows.map((row) => ({ ...row, cells: row.cells.map(onCell) })),
      })),
    }),
  };

  function onCell(cell: ReportCell, _index: number, cells: readonly ReportCell[]): ReportCell {
    if (isFigure(cell)) return onFigure(cell);
    return cell === UNNAMED_ROW && cells.some((each) => isFigure(each) && isTouched(each))
      ? SEALED_NAME
      : cell;
  }

  function isTouched({ events: { filter } }: Figure): boolean {
    return filter.actions?.some((action) => actions.has(action)) ?? false;
  }
}

const SEALED_NAME = "(sealed, or no name)";

/** That nothing is in it says nothing, and there may be more than is in it. */
function toSealedTable({ rows, rest }: ReportTable): Pick<ReportTable, "empty" | "rest"> {
  const more = "what sealed events would tell is not in it: it can't be read without their key";
  return {
    empty: "Unknown: the events that would tell are sealed, and can't be read without their key.",
    ...(rows.length > 0 && { rest: rest === undefined ? more : `${rest}; ${more}` }),
  };
}
