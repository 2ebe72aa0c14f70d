import type { TokenCounter } from "../tokens/tokens.ts";
import { describeBinary } from "./binary.ts";
import { cutEnd, findLargest, isWithin, toMaxChars } from "./fit.ts";
import { toCountText } from "./number-text.ts";
import { toDetail } from "./preview.ts";
import { sliceEnd, sliceStart, toVisibleLines } from "./safe-text.ts";
import { parseContainer, toShortLine } from "./summary.ts";

export type ShownLog = {
  readonly level: "log" | "info" | "debug" | "warn" | "error";
  readonly text: string;
  /** Said by Keyhole: a program that printed nothing else has printed nothing. */
  readonly isNotice?: true;
};

type Line = { readonly entry: ShownLog; readonly times: number };

const LEVELS = 24;
/** One with more values is not parsed to show its shape: several of them are held at a time. */
const MAX_PARSED_VALUES = 50_000;

/** All of it, as it is saved: nothing escaped, nothing left out. */
export function toWholeLog(logs: readonly ShownLog[]): string {
  return logs.map((entry) => `${prefix(entry)}${entry.text}\n`).join("");
}

/** The whole as the model would see it, or undefined when it is over the budget or has bytes in it. */
export function toShortLog(
  logs: readonly ShownLog[],
  budgetTokens: number,
  counter: TokenCounter,
): string | undefined {
  const maxChars = toMaxChars(budgetTokens);
  let chars = 0;
  for (const entry of logs) {
    chars += entry.text.length + 1;
    if (chars > maxChars || describeBinary(entry.text) !== undefined) return undefined;
  }
  const text = logs.map((entry) => prefix(entry) + toVisibleLines(entry.text)).join("\n");
  return isWithin(text, budgetTokens, counter) ? text : undefined;
}

/** Both ends of a log, more of the end: that is where a program was when it stopped. */
export function toLogSummary(logs: readonly ShownLog[], budgetTokens: number, counter: TokenCounter): string {
  const lines = toLines(logs);
  const parsed = new Map<ShownLog, unknown>();
  const title = `${toCountText(logs.length)} log ${logs.length === 1 ? "entry" : "entries"}`;
  const render = (level: number) => {
    const detail = toDetail(level);
    const { head, tail, omitted } = pickEnds(lines, detail.items);
    const toText = ({ entry, times }: Line) =>
      `${prefix(entry)}${entryText(entry, level, parsed)}${times > 1 ? ` (${toCountText(times)} times)` : ""}`;
    const gap = omitted === 0 ? [] : [`…${toCountText(omitted)} more…`];
    return [title, ...head.map(toText), ...gap, ...tail.map(toText)].join("\n");
  };
  return findLargest(LEVELS, render, budgetTokens, counter) ?? cutEnd(title, budgetTokens, counter);
}

function entryText(entry: ShownLog, level: number, parsed: Map<ShownLog, unknown>): string {
  const detail = toDetail(level);
  const maxChars = detail.textChars * 4;
  const { text } = entry;
  const binary = describeBinary(text);
  if (binary !== undefined) return binary;
  if (text.length <= maxChars) return toVisibleLines(text);
  if (!parsed.has(entry)) parsed.set(entry, parseContainer(text, MAX_PARSED_VALUES));
  const value = parsed.get(entry);
  if (value !== undefined) return toShortLine(value, detail);
  const tail = Math.floor(maxChars / 3);
  const left = toCountText(text.length - maxChars);
  const [start, end] = [sliceStart(text, maxChars - tail), sliceEnd(text, tail)];
  return `${toVisibleLines(start)}…${left} characters left out…${toVisibleLines(end)}`;
}

/** Entries that repeat the one before are one line. */
function toLines(logs: readonly ShownLog[]): Line[] {
  const lines: { entry: ShownLog; times: number }[] = [];
  for (const entry of logs) {
    const last = lines.at(-1);
    if (last !== undefined && last.entry.text === entry.text && last.entry.level === entry.level)
      last.times++;
    else lines.push({ entry, times: 1 });
  }
  return lines;
}

function pickEnds(lines: readonly Line[], count: number) {
  if (lines.length <= 3 * count) return { head: lines, tail: [], omitted: 0 };
  return { head: lines.slice(0, count), tail: lines.slice(-2 * count), omitted: lines.length - 3 * count };
}

function prefix(entry: ShownLog): string {
  return entry.level === "warn" || entry.level === "error" ? `${entry.level}: ` : "";
}
