import { formatCount } from "../format-figure.ts";
import type { ReportChart } from "../report-document.ts";
import { toHtmlText } from "./html-text.ts";

type Size = { readonly name: "wide" | "narrow"; readonly width: number };

const SIZES: readonly Size[] = [
  { name: "wide", width: 960 },
  { name: "narrow", width: 350 },
];
const CHARACTER = 7.2;

/** Drawn twice, for wide screens and narrow ones, so that letters are never scaled down; only one of them is shown. */
export function toSvgCharts(chart: ReportChart, id: string): string {
  return SIZES.map((size) => (chart.kind === "columns" ? toColumns : toBars)(chart, size, id)).join("");
}

/** A chart without anything in it says nothing. */
export function isChartEmpty({ bars }: ReportChart): boolean {
  return bars.every(({ values }) => values.every((value) => value === 0));
}

function toColumns(chart: ReportChart, size: Size, id: string): string {
  const { bars, parts } = chart;
  const height = 240;
  const [top, bottom] = [14, height - 26];
  const most = toRound(Math.max(1, ...bars.map(sumOf)));
  const left = Math.ceil(formatCount(most).length * CHARACTER) + 10;
  const step = (size.width - left) / Math.max(1, bars.length);
  const scale = (value: number) => (value / most) * (bottom - top);
  const every = Math.ceil((Math.max(...bars.map(({ label }) => label.length)) * CHARACTER + 14) / step);
  const grid = [0, 0.5, 1].map((part) => {
    const y = round(bottom - part * (bottom - top));
    const label = part === 0.5 && most % 2 === 1 ? "" : formatCount(most * part);
    return `<line x1="${left}" x2="${size.width}" y1="${y}" y2="${y}"/><text class="axis" x="${left - 6}" y="${y + 4}" text-anchor="end">${label}</text>`;
  });
  const drawn = bars.map((bar, index) => {
    const x = round(left + index * step + step * 0.12);
    const width = round(Math.max(1, step * 0.76));
    let y = bottom;
    const pieces = bar.values.map((value, part) => {
      if (value === 0) return "";
      // What is there is seen, however little it is.
      const tall = Math.max(2, scale(value));
      y -= tall;
      return `<rect class="bar ${parts[part]?.tone ?? "plain"}" x="${x}" y="${round(y)}" width="${width}" height="${round(tall)}"/>`;
    });
    const isLabelled = index % every === 0 && (index + every <= bars.length || every === 1 || index === 0);
    const label = isLabelled
      ? `<text class="axis" x="${round(left + index * step + (every === 1 ? step / 2 : step * 0.12))}" y="${height - 8}" text-anchor="${every === 1 ? "middle" : "start"}">${toHtmlText(bar.label)}</text>`
      : "";
    return `<g><title>${toHtmlText(describe(chart, index))}</title>${pieces.join("")}</g>${label}`;
  });
  return wrap(chart, size, height, `${grid.join("")}${drawn.join("")}`, id);
}

function toBars(chart: ReportChart, size: Size, id: string): string {
  const { bars, parts } = chart;
  const row = 28;
  const height = bars.length * row + 4;
  const longest = Math.max(...bars.map(({ label }) => label.length));
  const left = Math.min(size.width * 0.4, longest * CHARACTER + 12);
  const most = Math.max(1, ...bars.map(sumOf));
  const right = Math.max(...bars.map((bar) => toShownValues(bar.values).length)) * CHARACTER + 12;
  const scale = (value: number) => (value / most) * Math.max(40, size.width - left - right);
  const shownLength = Math.floor((left - 8) / CHARACTER);
  const drawn = bars.map((bar, index) => {
    const y = index * row + 4;
    let x = left;
    const pieces = bar.values.map((value, part) => {
      if (value === 0) return "";
      const width = Math.max(2, scale(value));
      const piece = `<rect class="bar ${parts[part]?.tone ?? "plain"}" x="${round(x)}" y="${y}" width="${round(width)}" height="${row - 10}"/>`;
      x += width;
      return piece;
    });
    const label = bar.label.length > shownLength ? `${bar.label.slice(0, shownLength - 1)}…` : bar.label;
    return `<g><title>${toHtmlText(describe(chart, index))}</title><text x="${round(left - 8)}" y="${y + 14}" text-anchor="end">${toHtmlText(label)}</text>${pieces.join("")}<text class="axis" x="${round(x + 6)}" y="${y + 14}">${toShownValues(bar.values)}</text></g>`;
  });
  return wrap(chart, size, height, drawn.join(""), id);
}

function wrap(chart: ReportChart, { name, width }: Size, height: number, inner: string, id: string): string {
  const label = `${id}-${name}`;
  const all = chart.bars.map((_, index) => describe(chart, index)).join("; ");
  return `<svg class="${name}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${label}-t ${label}-d"><title id="${label}-t">${toHtmlText(chart.title)}</title><desc id="${label}-d">${toHtmlText(all)}</desc>${inner}</svg>`;
}

function describe({ parts, bars }: ReportChart, index: number): string {
  const bar = bars[index];
  const said = parts.map(({ name }, part) => `${formatCount(bar?.values[part] ?? 0)} ${name}`);
  return `${bar?.label ?? ""}: ${said.join(", ")}`;
}

function toShownValues(values: readonly number[]): string {
  const shown = values.filter((value, index) => index === 0 || value > 0);
  return shown.map(formatCount).join(" + ");
}

const sumOf = ({ values }: { readonly values: readonly number[] }) =>
  values.reduce((sum, value) => sum + value, 0);

const round = (value: number) => Math.round(value * 10) / 10;

const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The next whole number that is easy to read. */
function toRound(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const fitting = STEPS.map((step) => step * power).find((one) => one >= value && Number.isInteger(one));
  return fitting ?? 10 * power;
}
