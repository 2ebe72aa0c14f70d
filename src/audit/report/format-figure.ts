import type { Figure, FigureUnit } from "./figure.ts";
import type { ReportCell, ReportPeriod } from "./report-document.ts";

/** A figure as a person reads it. */
export function formatFigure({
  value,
  unit,
  isAbout,
  isPartial,
}: Pick<Figure, "value" | "unit" | "isAbout" | "isPartial">): string {
  if (isPartial) return value === 0 ? "unknown (sealed)" : `${formatValue(value, unit)} or more (sealed)`;
  return `${isAbout ? "≈ " : ""}${formatValue(value, unit)}`;
}

export function formatValue(value: number, unit: FigureUnit): string {
  switch (unit) {
    case "ms":
      return formatDuration(value);
    case "bytes":
      return formatBytes(value);
    case "usd":
      return `$${value < 100 ? value.toFixed(2) : formatCount(Math.round(value))}`;
    default:
      return formatCount(Math.round(value));
  }
}

export function formatCount(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** "1 event", "2 events", "2 connections of programs". */
export function toCounted(value: number, what: string): string {
  return `${formatCount(value)} ${value === 1 ? what : what.replace(/(?= of |$)/, "s")}`;
}

export function formatDuration(ms: number): string {
  // 999.7 ms would be 1000 ms.
  if (ms < 999.5) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_597_000) return `${(ms / 60_000).toFixed(1)} min`;
  return ms < 172_800_000 ? `${(ms / 3_600_000).toFixed(1)} h` : `${(ms / 86_400_000).toFixed(1)} days`;
}

function formatBytes(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB", "PB"];
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return step === 0 ? `${bytes} B` : `${(bytes / 1000 ** step).toFixed(1)} ${units[step]}`;
}

/** To the second, UTC. */
export function formatTime(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString().slice(0, 19).replace("T", " ") : "unknown";
}

export function formatPeriod({ from, to }: ReportPeriod): string {
  return `${formatTime(from)} to ${formatTime(to)} UTC`;
}

export function formatCell(cell: ReportCell): string {
  if (typeof cell === "string") return cell;
  if ("event" in cell) return cell.event;
  if ("at" in cell) return formatTime(cell.at);
  if ("hash" in cell) return cell.hash.slice(0, 12);
  return formatFigure(cell);
}
