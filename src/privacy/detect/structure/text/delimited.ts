import { readHeader, type TableColumns } from "../json/tables.ts";
import { learnName } from "../names/known-names.ts";
import { isHeaderCell } from "./cells.ts";
import { type Decoded, decodePart, plainPart } from "./decoded.ts";
import { addValue, type TextWalk } from "./fields.ts";

const DELIMITERS = ["\t", "|", ";", ","] as const;
const MAX_HEADER_LENGTH = 4_000;
const MAX_QUOTED = 20_000;

/** CSV, TSV and tables of bars: a line that names columns, and the lines under it. */
export function addTables(walk: TextWalk): void {
  const { text } = walk;
  let at = 0;
  while (at < text.length) {
    const lineEnd = endOfLine(text, at);
    const found = lineEnd < text.length ? headerAt(text, at, lineEnd) : undefined;
    at = found === undefined ? lineEnd + 1 : addRows(walk, found.table, found.delimiter, lineEnd + 1);
  }
}

function headerAt(
  text: string,
  start: number,
  end: number,
): { table: TableColumns; delimiter: string } | undefined {
  if (end - start < 3 || end - start > MAX_HEADER_LENGTH) return undefined;
  const header = text.slice(start, end);
  const below = text.slice(end + 1, Math.min(endOfLine(text, end + 1), end + 1 + MAX_HEADER_LENGTH));
  for (const delimiter of DELIMITERS) {
    if (!header.includes(delimiter)) continue;
    if (!below.includes(delimiter) && !(delimiter === "|" && isRuleLine(below))) continue;
    const { cells } = readRecord(text, start, delimiter);
    const keys = cells.map((cell) => cell.text.trim());
    if (keys.filter((key) => key !== "").length < 2 || !keys.every(isHeaderCell)) continue;
    const row = readRecord(text, end + 1, delimiter);
    if (row.cells.length !== cells.length && !isRuleLine(below)) continue;
    const table = readHeader(keys);
    if (table !== undefined) return { table, delimiter };
  }
  return undefined;
}

/** Goes down to the first line that has no columns, and says where that begins. */
function addRows(walk: TextWalk, table: TableColumns, delimiter: string, from: number): number {
  const { text, options } = walk;
  let at = from;
  while (at < text.length) {
    const { cells, end } = readRecord(text, at, delimiter);
    const line = text.slice(at, Math.min(end, at + 200));
    if (cells.length < 2 && !isRuleLine(line)) return at;
    if (!isRuleLine(line)) {
      const names: string[] = [];
      cells.forEach((cell, column) => {
        const verdict = table.verdicts[column];
        addValue(walk, verdict, cell, table.keys[column]);
        if (verdict?.class === "NAME") names.push(cell.text);
      });
      if (names.length > 1 && options.names !== undefined) learnName(options.names, names.join(" "));
    }
    at = end + 1;
  }
  return at;
}

function isRuleLine(line: string): boolean {
  return line.includes("-") && /^[\s|+:=-]+$/.test(line);
}

/** A record's cells, without the quotes around them. A quoted cell may have line breaks in it. */
function readRecord(text: string, start: number, delimiter: string): { cells: Decoded[]; end: number } {
  const cells: Decoded[] = [];
  let at = start;
  const isBar = delimiter === "|";
  if (isBar) {
    while (text.charAt(at) === " ") at++;
    if (text.charAt(at) === "|") at++;
  }
  for (;;) {
    const cell = readCell(text, at, delimiter);
    const isLast = text.charAt(cell.end) !== delimiter;
    if (!(isBar && isLast && cell.value.text.trim() === "")) cells.push(cell.value);
    if (isLast) return { cells, end: cell.end };
    at = cell.end + 1;
  }
}

function readCell(text: string, start: number, delimiter: string): { value: Decoded; end: number } {
  let at = start;
  while (delimiter !== "\t" && text.charAt(at) === " ") at++;
  if (text.charAt(at) === '"') {
    const quoted = readQuoted(text, at, delimiter);
    if (quoted !== undefined) return quoted;
  }
  let end = start;
  while (end < text.length && text.charAt(end) !== delimiter && text.charAt(end) !== "\n") end++;
  return { value: plainPart(text, start, end), end };
}

function readQuoted(
  text: string,
  start: number,
  delimiter: string,
): { value: Decoded; end: number } | undefined {
  let at = start + 1;
  let isDoubled = false;
  const limit = Math.min(text.length, start + MAX_QUOTED);
  for (; at < limit; at++) {
    if (text.charAt(at) !== '"') continue;
    if (text.charAt(at + 1) !== '"') break;
    isDoubled = true;
    at++;
  }
  let end = at + 1;
  while (end < text.length && (text.charAt(end) === " " || text.charAt(end) === "\r")) end++;
  if (end < text.length && text.charAt(end) !== delimiter && text.charAt(end) !== "\n") return undefined;
  const value = isDoubled
    ? decodePart(text, start + 1, at, (place) =>
        text.startsWith('""', place) ? { text: '"', length: 2 } : undefined,
      )
    : plainPart(text, start + 1, Math.min(at, text.length));
  return { value, end: Math.min(end, text.length) };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}
