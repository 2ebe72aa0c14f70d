import { toExcerpt } from "../../../../text/plain-text.ts";
import { formatCell, formatCount, formatFigure, formatPeriod } from "../../format-figure.ts";
import { toListCommand } from "../../list-command.ts";
import {
  type ReportChart,
  type ReportDocument,
  type ReportTable,
  SUPPORTS_NOTE,
} from "../../report-document.ts";
import { toFacts, toTraceIntroduction, toVerificationSummary } from "../front-matter.ts";
import { isChartEmpty } from "../svg-chart.ts";
import { createPdfFlow, type PdfFlow } from "./pdf-flow.ts";

const FONTS_NOTE =
  "Characters that the fonts of this file do not have are written as [U+4E2D]; the other formats have them.";

/** For paper: the same sections in the same order as in the other formats. */
export function toPdf(document: ReportDocument): Buffer {
  const { title, made, period, controls, sections, gaps } = document;
  const flow = createPdfFlow(`${title} · ${formatPeriod(period)}`);
  flow.heading(title, 1);
  flow.table({
    columns: [
      { name: "About this report", isNumber: false },
      { name: "", isNumber: false },
    ],
    rows: toFacts(document).map(([name, value]) => [name, value]),
  });
  flow.panel("What this is", [SUPPORTS_NOTE], "plain");
  const verification = toVerificationSummary(document);
  flow.panel(`Verification of the log: ${verification.title}`, verification.lines, verification.tone);
  addFigures(flow, "In short", document.headline);

  flow.heading("What is missing", 2);
  if (gaps.length === 0) flow.text("No gap was found.");
  for (const { text, fix } of gaps) flow.bullet(`${text}.${fix === undefined ? "" : ` ${fix}.`}`);

  flow.heading("Controls, and the evidence that supports them", 2);
  for (const control of controls) {
    flow.heading(`${control.id}: ${control.title}`, 3);
    flow.text(`Supported by: ${control.evidence}${control.trace === undefined ? "" : ` (${control.trace})`}`);
    addFigures(flow, "Evidence", control.figures);
    for (const statement of control.statements) flow.bullet(statement);
    if (control.gaps.length === 0) flow.bullet("Missing: nothing that the log can tell");
    for (const { text } of control.gaps) flow.bullet(`Missing: ${text}`);
  }
  for (const section of sections) {
    flow.heading(section.title, 2);
    flow.text(section.about, { ink: "soft" });
    for (const chart of section.charts) addChart(flow, chart);
    for (const table of section.tables) addTable(flow, table);
    for (const note of section.notes) flow.text(note, { ink: "soft" });
  }
  addTraces(flow, document);
  return flow.finish({ title, author: toExcerpt(made.by, 100), at: made.at });
}

function addFigures(flow: PdfFlow, name: string, figures: ReportDocument["headline"]): void {
  flow.table({
    columns: [
      { name, isNumber: false },
      { name: "Figure", isNumber: true },
    ],
    rows: figures.map(({ name: what, figure }) => [what, formatFigure(figure)]),
  });
}

function addChart(flow: PdfFlow, chart: ReportChart): void {
  if (isChartEmpty(chart)) return;
  flow.heading(chart.title, 3);
  flow.legend(chart.parts.map(({ name, tone }) => ({ name, ink: tone })));
  flow.bars(
    chart.bars.map(({ label, values }) => ({
      label,
      values,
      shown: values
        .filter((value, index) => index === 0 || value > 0)
        .map(formatCount)
        .join(" + "),
    })),
    chart.parts.map(({ tone }) => tone),
  );
}

function addTable(flow: PdfFlow, { title, columns, rows, rest, empty }: ReportTable): void {
  flow.heading(title, 3);
  if (rows.length === 0) {
    flow.text(empty, { ink: "soft" });
    return;
  }
  const isTraced = rows.some(({ trace }) => trace !== undefined);
  flow.table({
    columns: [
      ...columns.map(({ name, kind }, index) => {
        const cell = rows[0]?.cells[index];
        const isId = typeof cell === "object" && ("event" in cell || "hash" in cell);
        return { name, isNumber: kind === "number", ...(isId && { font: "mono" as const }) };
      }),
      ...(isTraced ? [{ name: "Trace", isNumber: true }] : []),
    ],
    rows: rows.map(({ cells, trace }) => [...cells.map(formatCell), ...(isTraced ? [trace ?? ""] : [])]),
  });
  if (rest !== undefined) flow.text(rest, { ink: "soft", size: 8.5 });
}

function addTraces(flow: PdfFlow, document: ReportDocument): void {
  flow.heading("Traces: where each figure comes from", 2);
  flow.text(`${toTraceIntroduction(document)} ${FONTS_NOTE}`, { ink: "soft" });
  flow.table({
    columns: [
      { name: "Trace", isNumber: false },
      { name: "What", isNumber: false, maxWidth: 130 },
      { name: "Events", isNumber: true },
      { name: "Command, and the first ids", isNumber: false, font: "mono" },
    ],
    rows: document.traces.flatMap(({ id, what, figures }) =>
      figures.map(({ name, figure: { events } }, index) => [
        index === 0 ? id : "",
        index === 0 ? `${what}: ${name}` : name,
        formatCount(events.count),
        [
          toListCommand(events.filter, document.period),
          events.note ?? "",
          events.sample.slice(0, 3).join(" "),
        ]
          .filter((part) => part !== "")
          .join(" | "),
      ]),
    ),
  });
}
