import { isRecord } from "../text/is-record.ts";
import { toVisibleText } from "./safe-text.ts";
import { toKeyText } from "./shape-text.ts";

/** Text that a reader can't take for a number, a word of JSON, an empty cell, or the end of a cell. */
const BARE = /^(?!(?:true|false|null|NaN)$)[^\s"|[\]{}…][^\n\r\t"|…]*(?<!\s)$/;

/**
 * Objects with mostly the same keys as a header and rows, each key written once. Undefined when they are not alike.
 * Text stands bare where that can't be mistaken, else as JSON; an absent key is an empty cell.
 */
export function toTable(
  head: readonly unknown[],
  tail: readonly unknown[],
  gap: readonly string[],
  maxColumns: number,
  cell: (value: unknown) => string,
): string | undefined {
  const rows = [...head, ...tail];
  if (rows.length < 2) return undefined;
  const columns = new Set<string>();
  let filled = 0;
  for (const row of rows) {
    if (!isRecord(row)) return undefined;
    const keys = Object.keys(row);
    filled += keys.length;
    for (const key of keys) columns.add(key);
    if (columns.size * rows.length > 4 * filled + 64 * rows.length) return undefined;
  }
  if (columns.size === 0 || columns.size * rows.length > filled * 1.5) return undefined;
  const shown = [...columns].slice(0, maxColumns);
  const more = columns.size - shown.length;
  const header = shown.map((key) => toKeyText(key).replaceAll("|", "\\u007c"));
  if (more > 0) header.push(`…${more} more keys`);
  const toRow = (row: unknown) => shown.map((key) => cellText(row, key, cell)).join("|");
  return [header.join("|"), ...head.map(toRow), ...gap, ...tail.map(toRow)].join("\n");
}

function cellText(row: unknown, key: string, cell: (value: unknown) => string): string {
  if (typeof row !== "object" || row === null || !Object.hasOwn(row, key)) return "";
  const value: unknown = Reflect.get(row, key);
  const text = cell(value);
  // Only whole text may lose its quotes: a cut one ends with how much is missing.
  const isWhole = typeof value === "string" && text.startsWith('"') && text.endsWith('"');
  if (isWhole && BARE.test(value) && Number.isNaN(Number(value)) && toVisibleText(value) === value)
    return value;
  return text.replaceAll("|", "\\u007c");
}
