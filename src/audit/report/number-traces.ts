import type { Figure } from "./figure.ts";
import { formatCell } from "./format-figure.ts";
import type {
  ReportCell,
  ReportControl,
  ReportDocument,
  ReportRow,
  ReportTable,
  ReportTrace,
} from "./report-document.ts";

/** Gives each row that has figures a number, under which the list at the end of the report says where they come from. */
export function numberTraces(document: ReportDocument): ReportDocument {
  const traces: ReportTrace[] = [];
  const enter = (what: string, figures: ReportTrace["figures"]): { trace?: string } => {
    if (figures.length === 0) return {};
    const id = `T${traces.length + 1}`;
    traces.push({ id, what, figures });
    return { trace: id };
  };
  const ofControl = (control: ReportControl): ReportControl => ({
    ...control,
    ...enter(`Control ${control.id}`, control.figures),
  });
  const ofRow = (section: string, { columns }: ReportTable, row: ReportRow): ReportRow => {
    const figures = row.cells.flatMap((cell, index) =>
      isFigure(cell) ? [{ name: columns[index]?.name ?? "", figure: cell }] : [],
    );
    const name = row.cells[0] === undefined ? "" : formatCell(row.cells[0]);
    return { ...row, ...enter(`${section}: ${name}`, figures) };
  };
  enter("In short", document.headline);
  const controls = document.controls.map(ofControl);
  const sections = document.sections.map((section) => ({
    ...section,
    tables: section.tables.map((table) => ({
      ...table,
      rows: table.rows.map((row) => ofRow(section.title, table, row)),
    })),
  }));
  return { ...document, controls, sections, traces };
}

export function isFigure(cell: ReportCell): cell is Figure {
  return typeof cell === "object" && "unit" in cell;
}
