/** One line of a chart: a bar of two parts, the first within the second. */
export type ChartRow = {
  readonly label: string;
  readonly value: number;
  /** Of the value; the rest of the bar is lighter. */
  readonly part?: number;
  /** Behind the bar. */
  readonly figures: readonly string[];
};

export type ChartOptions = {
  readonly columns: number;
  /** Whether block characters can be shown. */
  readonly hasBlocks: boolean;
};

const MAX_COLUMNS = 80;
const MAX_LABEL = 28;
const MIN_LABEL = 8;
const MIN_BAR = 8;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Bars that can be compared with each other, in lines no wider than the terminal, and than 80. */
export function toChart(rows: readonly ChartRow[], { columns, hasBlocks }: ChartOptions): string[] {
  const most = Math.max(...rows.map(({ value }) => value), 0);
  const widths = columnWidths(rows);
  const figures = widths.reduce((sum, width) => sum + width + 2, 0);
  const free = Math.min(columns, MAX_COLUMNS) - 4 - figures;
  const longest = Math.max(...rows.map((row) => row.label.length), 0);
  const label = Math.min(longest, MAX_LABEL, Math.max(MIN_LABEL, free - MIN_BAR));
  const width = Math.max(MIN_BAR, free - label);
  return rows.map((row) => {
    const bar = toBar(row, most, width, hasBlocks).padEnd(width);
    const behind = row.figures.map((figure, place) => `  ${figure.padStart(widths[place] ?? 0)}`).join("");
    return `  ${toLabel(row.label, label, hasBlocks)}  ${bar}${behind}`.trimEnd();
  });
}

function columnWidths(rows: readonly ChartRow[]): number[] {
  const widths: number[] = [];
  for (const { figures } of rows)
    for (const [place, figure] of figures.entries())
      widths[place] = Math.max(widths[place] ?? 0, figure.length);
  return widths;
}

/** What is not nothing shows. */
function toBar({ value, part }: ChartRow, most: number, width: number, hasBlocks: boolean): string {
  if (most <= 0 || value <= 0) return "";
  const whole = (value / most) * width;
  if (part === undefined) return hasBlocks ? toBlocks(whole) : "#".repeat(Math.max(1, Math.round(whole)));
  const length = Math.max(1, Math.round(whole));
  const dark = Math.min(length, part <= 0 ? 0 : Math.max(1, Math.round((part / value) * length)));
  const [full, light] = hasBlocks ? ["█", "░"] : ["#", "."];
  return full.repeat(dark) + light.repeat(length - dark);
}

function toBlocks(length: number): string {
  const eighths = Math.max(1, Math.round(length * 8));
  return "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "");
}

function toLabel(text: string, width: number, hasBlocks: boolean): string {
  if (text.length <= width) return text.padEnd(width);
  const mark = hasBlocks ? "…" : "~";
  return `${text.slice(0, width - 1)}${mark}`;
}

/** By what the environment says of its letters. */
export function canShowBlocks(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): boolean {
  if (env["TERM"] === "dumb" || env["TERM"] === "linux") return false;
  if (platform === "win32") return env["WT_SESSION"] !== undefined || env["TERM_PROGRAM"] !== undefined;
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return /utf-?8/i.test(locale);
}
