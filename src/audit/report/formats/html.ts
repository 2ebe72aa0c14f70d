import { formatCell, formatCount, formatFigure } from "../format-figure.ts";
import { toListCommand } from "../list-command.ts";
import { isFigure } from "../number-traces.ts";
import {
  type ReportCell,
  type ReportChart,
  type ReportColumn,
  type ReportControl,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
  SUPPORTS_NOTE,
} from "../report-document.ts";
import { toFacts, toTraceIntroduction, toVerificationSummary } from "./front-matter.ts";
import { REPORT_STYLE } from "./html-style.ts";
import { toHtmlText as text } from "./html-text.ts";
import { isChartEmpty, toSvgCharts } from "./svg-chart.ts";

/** Nothing is loaded, nothing runs, nothing is sent: whatever names the log has in it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const WIDE_COLUMNS = 6;

/** One file that needs nothing else. */
export function toHtml(document: ReportDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(document.title)}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
${toHeader(document)}
<main>
${toVerdict(document)}
${toContents(document)}
${toGapList(document)}
<h2 id="controls">Controls, and the evidence that supports them</h2>
${document.controls.map(toControl).join("\n")}
${document.sections.map(toSection).join("\n")}
${toTraces(document)}
</main>
<footer><p>${text(SUPPORTS_NOTE)}</p></footer>
</body>
</html>
`;
}

function toHeader(document: ReportDocument): string {
  const facts = toFacts(document).map(([name, value]) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`);
  const tiles = document.headline.map(
    ({ name, figure }) => `<li><b>${text(formatFigure(figure))}</b><span>${text(name)}</span></li>`,
  );
  return `<header>
<h1>${text(document.title)}</h1>
<dl class="facts">${facts.join("")}</dl>
<p class="supports">${text(SUPPORTS_NOTE)}</p>
<ul class="tiles">${tiles.join("")}</ul>
</header>`;
}

function toVerdict(document: ReportDocument): string {
  const { tone, title, lines } = toVerificationSummary(document);
  const [first = "", ...others] = lines;
  const list =
    others.length === 0 ? "" : `<ul>${others.map((line) => `<li>${text(line)}</li>`).join("")}</ul>`;
  return `<section class="verdict ${tone}" aria-label="Verification of the log"><strong>Verification of the log: ${text(title)}</strong><p>${text(first)}</p>${list}</section>`;
}

function toContents({ sections }: ReportDocument): string {
  const entries = [
    ["gaps", "What is missing"],
    ["controls", "Controls"],
    ...sections.map(({ id, title }) => [id, title]),
    ["traces", "Traces"],
  ];
  const items = entries.map(([id = "", title = ""]) => `<li><a href="#${text(id)}">${text(title)}</a></li>`);
  return `<nav aria-label="Contents"><ul>${items.join("")}</ul></nav>`;
}

function toGapList({ gaps }: ReportDocument): string {
  const items = gaps.map(
    ({ id, text: said, fix }) =>
      `<li>${text(said)}.${fix === undefined ? "" : ` <span class="fix">${text(fix)}.</span>`} <code class="gap-id">${text(id)}</code></li>`,
  );
  const list = items.length === 0 ? "<p>No gap was found.</p>" : `<ul class="gaps">${items.join("")}</ul>`;
  return `<h2 id="gaps">What is missing</h2>\n${list}`;
}

function toControl({ id, title, evidence, figures, statements, gaps, trace }: ReportControl): string {
  const rows = figures.map(
    ({ name, figure }) =>
      `<tr><td>${text(name)}</td><td class="number${figure.value === 0 ? " zero" : ""}">${text(formatFigure(figure))}</td></tr>`,
  );
  const list = (items: readonly string[]) =>
    `<ul>${items.map((item) => `<li>${text(item)}</li>`).join("")}</ul>`;
  const missing =
    gaps.length === 0 ? "<p>Nothing that the log can tell.</p>" : list(gaps.map((gap) => gap.text));
  const settings = statements.length === 0 ? "" : `<h4>Also</h4>${list(statements)}`;
  return `<section class="control"><h3>${text(id)}: ${text(title)}</h3>
<p>Supported by: ${text(evidence)}${trace === undefined ? "" : ` <span class="trace"><a href="#${trace}">${trace}</a></span>`}</p>
<div class="columns"><div><table><tbody>${rows.join("")}</tbody></table></div><div><h4>Missing</h4>${missing}${settings}</div></div></section>`;
}

function toSection({ id, title, about, charts, tables, notes }: ReportSection): string {
  return `<section><h2 id="${text(id)}">${text(title)}</h2>
<p class="about">${text(about)}</p>
${charts.map((chart, index) => toChart(chart, `${id}-${index}`)).join("\n")}
${tables.map(toTable).join("\n")}
${notes.map((note) => `<p class="note">${text(note)}</p>`).join("\n")}</section>`;
}

function toChart(chart: ReportChart, id: string): string {
  if (isChartEmpty(chart)) return "";
  const legend = chart.parts.map(({ name, tone }) => `<li><i class="${tone}"></i>${text(name)}</li>`);
  return `<figure><figcaption>${text(chart.title)}<ul class="legend">${legend.join("")}</ul></figcaption>${toSvgCharts(chart, text(id))}</figure>`;
}

function toTable({ title, columns, rows, rest, empty }: ReportTable): string {
  const heading = `<h3>${text(title)}</h3>`;
  if (rows.length === 0) return `${heading}<p class="empty">${text(empty)}</p>`;
  const isTraced = rows.some(({ trace }) => trace !== undefined);
  const head = columns.map(
    ({ name, kind }) => `<th scope="col"${kind === "number" ? ' class="number"' : ""}>${text(name)}</th>`,
  );
  if (isTraced) head.push('<th scope="col" class="trace">Trace</th>');
  const body = rows.map(({ cells, trace }) => {
    const shown = cells.map((cell, index) => toCell(cell, columns[index]));
    const link = trace === undefined ? "" : `<a href="#${trace}">${trace}</a>`;
    if (isTraced) shown.push(`<td class="trace" data-name="Trace">${link}</td>`);
    return `<tr>${shown.join("")}</tr>`;
  });
  const isWide = columns.length >= WIDE_COLUMNS;
  const below = rest === undefined ? "" : `<p class="rest">${text(rest)}</p>`;
  return `${heading}<div class="scroll"><table${isWide ? ' class="wide-table"' : ""}><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table></div>${below}`;
}

function toCell(cell: ReportCell, column: ReportColumn | undefined): string {
  const classes = [
    ...(column?.kind === "number" ? ["number"] : []),
    ...(isFigure(cell) && cell.value === 0 ? ["zero"] : []),
    ...(cell === "" ? ["blank"] : []),
    ...(typeof cell === "object" && ("event" in cell || "hash" in cell) ? ["id"] : []),
    ...(typeof cell === "object" && "at" in cell ? ["time"] : []),
  ];
  const hint = typeof cell === "object" && "hash" in cell ? ` title="${text(cell.hash)}"` : "";
  const marks = classes.length === 0 ? "" : ` class="${classes.join(" ")}"`;
  return `<td${marks} data-name="${text(column?.name ?? "")}"${hint}>${text(formatCell(cell))}</td>`;
}

function toTraces(document: ReportDocument): string {
  const rows = document.traces.flatMap(({ id, what, figures }) => [
    `<tr id="${id}"><th scope="rowgroup" colspan="3">${id} ${text(what)}</th></tr>`,
    ...figures.map(({ name, figure: { events } }) => {
      const note = events.note === undefined ? "" : ` (${text(events.note)})`;
      const sample = events.sample.length === 0 ? "" : `<br>${text(events.sample.join(" "))}`;
      return `<tr><td>${text(name)}</td><td class="number">${formatCount(events.count)}</td><td><code>${text(toListCommand(events.filter, document.period))}</code>${note}<span class="id zero">${sample}</span></td></tr>`;
    }),
  ]);
  return `<section class="traces"><h2 id="traces">Traces: where each figure comes from</h2>
<p class="about">${text(toTraceIntroduction(document))}</p>
<table><thead><tr><th scope="col">Figure</th><th scope="col" class="number">Events</th><th scope="col">Command, and the first ids</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></section>`;
}
