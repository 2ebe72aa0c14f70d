import type { CatalogEntry } from "../catalog/entry.ts";
import { toolWarnings } from "../engine/tool-warnings.ts";
import type { RunTier } from "../result/receipt.ts";
import { describeError, type Output } from "./output.ts";

/** Where a program runs, and why there. */
export function describeTier({ name, by, suggested, first, runtime }: RunTier): string {
  const why = {
    level: "securityLevel",
    mode: "sandboxMode",
    option: "option",
    risk: "risk",
    resume: "resumed",
  };
  const missing = suggested === undefined ? "" : `; its risk suggests ${suggested}, which is missing here`;
  const before = first === undefined ? "" : `, at first by ${why[first]}`;
  const where = runtime === undefined ? name : `${name}, ${runtime}`;
  return `tier ${where} (${why[by]}${before}${missing})`;
}

/** The line that introduces a server. */
export function serverHeading(entry: CatalogEntry, { style }: Output): string {
  const facts: string[] = [];
  const { typescript } = entry.identifiers;
  if (typescript !== entry.name) facts.push(`${typescript} in programs`);
  if (entry.status === "disabled") facts.push("disabled");
  if (entry.error?.code === "untrusted") facts.push(style("yellow", "not trusted yet"));
  else if (entry.status === "failed") facts.push(style("red", "failed"));
  if (entry.record) {
    const known = entry.status === "failed" ? " known from before" : "";
    facts.push(count(entry.record.tools.length, "tool") + known);
  }
  if (entry.status === "ready" && entry.at !== undefined) {
    facts.push(entry.from === "cache" ? `cached ${age(entry.at)}` : "live");
  }
  return `${style("bold", entry.name)}  ${style("dim", facts.join(" · "))}`;
}

/** What is wrong with a server, and what has changed, each on lines of its own. */
export function serverRemarks(entry: CatalogEntry, { style }: Output): string[] {
  const lines: string[] = [];
  if (entry.error) {
    lines.push(...describeError(entry.error, style).map((line) => `  ${line}`));
    if (entry.from === "cache" && entry.at !== undefined)
      lines.push(`    tried ${age(entry.at)}; --refresh tries again`);
  }
  for (const warning of entry.warnings) lines.push(`  ${style("yellow", "!")} ${warning}`);
  for (const tool of entry.record?.tools ?? []) {
    for (const warning of toolWarnings(tool))
      lines.push(`  ${style("yellow", "!")} ${tool.name}: ${warning}`);
  }
  return lines;
}

/** Changes of the last reading that found any: `changed write_file: description (since 3 days ago)`. */
export function changeLines(entry: CatalogEntry, { style }: Output): string[] {
  return entry.changes.slice(0, 10).map(({ kind, tool, paths, noticedAt, stoodSince }) => {
    const what = paths && paths.length > 0 ? `: ${paths.join(", ")}` : "";
    const before = stoodSince === undefined ? "" : `, as it was since ${day(stoodSince)}`;
    return `  ${style("magenta", "Δ")} ${kind} ${tool}${what} (noticed ${age(noticedAt)}${before})`;
  });
}

/** Some servers failing is news within a list; only when none is left did the command fail. */
export function isAllFailed(entries: readonly CatalogEntry[]): boolean {
  return entries.length > 0 && entries.every(({ status }) => status === "failed");
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** "3.4 MB", as the config has sizes. */
export function describeBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)));
  const size = bytes / 1024 ** step;
  return `${step === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${UNITS[step]}`;
}

export function age(at: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000));
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  return `${count(Math.round(seconds / 86_400), "day")} ago`;
}

export function shorten(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(1, columns - 1))}…`;
}

/** The first sentence of a description, on one line. */
export function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return /^.+?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line;
}

function day(at: string): string {
  return at.slice(0, 10);
}
