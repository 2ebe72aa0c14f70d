import { toVisibleText } from "../../../text/plain-text.ts";
import { formatCell, formatCount, formatFigure, toCounted } from "../format-figure.ts";
import { toListCommand } from "../list-command.ts";
import {
  type ReportChart,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
  SUPPORTS_NOTE,
} from "../report-document.ts";
import { toFacts, toTraceIntroduction, toVerificationSummary } from "./front-matter.ts";

const BAR_WIDTH = 32;

export function toMarkdown(document: ReportDocument): string {
  return `${[
    ...toHead(document),
    ...toGaps(document),
    ...toControlLines(document),
    ...document.sections.flatMap(toSectionLines),
    ...toTraceLines(document),
  ].join("\n")}\n`;
}

function toHead(document: ReportDocument): string[] {
  const { title, lines } = toVerificationSummary(document);
  return [
    `# ${toInline(document.title)}`,
    "",
    ...toFacts(document).map(([name, value]) => `- **${name}**: ${toInline(value)}`),
    "",
    `> ${SUPPORTS_NOTE}`,
    "",
    "## In short",
    "",
    ...toTableLines(
      ["What", "How many"],
      ["text", "number"],
      document.headline.map(({ name, figure }) => [name, formatFigure(figure)]),
    ),
    "",
    `## Verification of the log: ${title}`,
    "",
    ...lines.map((line, index) => (index === 0 ? toInline(line) : `- ${toInline(line)}`)),
    "",
  ];
}

function toGaps({ gaps }: ReportDocument): string[] {
  return [
    "## What is missing",
    "",
    ...(gaps.length === 0
      ? ["No gap was found."]
      : gaps.map(({ id, text, fix }) => `- \`${id}\`: ${toInline(text)}${fix ? `. ${toInline(fix)}` : ""}`)),
    "",
  ];
}

function toControlLines({ controls }: ReportDocument): string[] {
  return [
    "## Controls, and the evidence that supports them",
    "",
    ...controls.flatMap(({ id, title, evidence, figures, statements, gaps, trace }) => [
      `### ${toInline(id)}: ${toInline(title)}`,
      "",
      `Supported by: ${toInline(evidence)}${trace ? ` (${trace})` : ""}`,
      "",
      ...toTableLines(
        ["Evidence", "Figure"],
        ["text", "number"],
        figures.map(({ name, figure }) => [name, formatFigure(figure)]),
      ),
      "",
      ...statements.map((statement) => `- ${toInline(statement)}`),
      gaps.length === 0
        ? "- Missing: nothing that the log can tell"
        : `- Missing: ${gaps.map(({ text }) => toInline(text)).join("; ")}`,
      "",
    ]),
  ];
}

function toSectionLines({ title, about, charts, tables, notes }: ReportSection): string[] {
  return [
    `## ${toInline(title)}`,
    "",
    toInline(about),
    "",
    ...charts.flatMap(toChartLines),
    ...tables.flatMap(toReportTable),
    ...notes.flatMap((note) => [toInline(note), ""]),
  ];
}

function toReportTable({ title, columns, rows, rest, empty }: ReportTable): string[] {
  if (rows.length === 0) return [`### ${toInline(title)}`, "", toInline(empty), ""];
  const isTraced = rows.some(({ trace }) => trace !== undefined);
  return [
    `### ${toInline(title)}`,
    "",
    ...toTableLines(
      [...columns.map(({ name }) => name), ...(isTraced ? ["Trace"] : [])],
      [...columns.map(({ kind }) => kind), "text"],
      rows.map(({ cells, trace }) => [...cells.map(formatCell), ...(isTraced ? [trace ?? ""] : [])]),
    ),
    "",
    ...(rest === undefined ? [] : [toInline(rest), ""]),
  ];
}

/** Padded, so that it can be read as it is in a terminal. */
function toTableLines(
  names: readonly string[],
  kinds: readonly ("text" | "number")[],
  rows: readonly (readonly string[])[],
): string[] {
  const texts = [names, ...rows].map((row) => row.map(toInline));
  const widths = names.map((_, index) => Math.max(3, ...texts.map((row) => (row[index] ?? "").length)));
  const pad = (text: string, index: number) =>
    kinds[index] === "number" ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0);
  const line = (row: readonly string[]) => `| ${row.map(pad).join(" | ")} |`;
  const rule = widths.map((width, index) =>
    kinds[index] === "number" ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return [line(texts[0] ?? []), `| ${rule.join(" | ")} |`, ...texts.slice(1).map(line)];
}

function toChartLines({ title, parts, bars }: ReportChart): string[] {
  const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const most = Math.max(0, ...totals);
  if (most === 0) return [];
  const width = Math.max(...bars.map(({ label }) => label.length));
  return [
    `${toInline(title)} (${parts.map(({ name }, index) => `${MARKS[index % MARKS.length]} ${name}`).join(", ")})`,
    "",
    "```",
    ...bars.map(({ label, values }, index) => {
      const drawn = values.map((value, part) =>
        (MARKS[part % MARKS.length] ?? "").repeat(Math.ceil((value / most) * BAR_WIDTH)),
      );
      return `${label.replaceAll("`", "'").padEnd(width)}  ${drawn.join("")} ${formatCount(totals[index] ?? 0)}`;
    }),
    "```",
    "",
  ];
}

const MARKS = ["█", "▒", "░"] as const;

function toTraceLines(document: ReportDocument): string[] {
  return [
    "## Traces: where each figure comes from",
    "",
    toInline(toTraceIntroduction(document)),
    "",
    ...document.traces.flatMap(({ id, what, figures }) => [
      `- **${id}** ${toInline(what)}`,
      ...figures.map(({ name, figure: { events } }) => {
        const sample = events.sample.length === 0 ? "" : `, first ${events.sample.map(toCode).join(" ")}`;
        const note = events.note === undefined ? "" : ` (${toInline(events.note)})`;
        const command = toCode(toListCommand(events.filter, document.period));
        return `  - ${toInline(name)}: ${toCounted(events.count, "event")}${sample}, ${command}${note}`;
      }),
    ]),
  ];
}

/** Names of tools may have anything in them; underscores within a word mean nothing to Markdown. */
function toInline(text: string): string {
  return toVisibleText(text)
    .replace(/[\r\n\u2028\u2029]+/g, " ")
    .replace(/[\\`*[\]<>|~&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\$&");
}

/** A text that has backticks needs more of them around it. */
function toCode(text: string): string {
  const plain = toVisibleText(text.replace(/[\r\n\u2028\u2029]+/g, " "));
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${plain}${fence}` : `${fence} ${plain} ${fence}`;
}
