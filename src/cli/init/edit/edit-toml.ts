import { stringify } from "smol-toml";
import type { KeyPath } from "../../../config/files/key-path.ts";
import type { ServersEdit, WrittenEntry } from "./edit-servers.ts";
import type { Range } from "./text-range.ts";
import { readStatements, type TomlStatement } from "./toml-statements.ts";

/** Takes whole statements out and puts tables in; where a server is written in another way, the caller notices. */
export function editToml(text: string, { path, remove, add }: ServersEdit): string | undefined {
  const ranges = remove.map((name) => statementRanges(text, [...path, name]));
  if (ranges.some((found) => found.length === 0)) return undefined;
  const cuts = ranges.flat().sort((one, other) => one.start - other.start);
  const tables = [...add].map(([name, entry]) => toTable(path, name, entry));
  // In the place of what goes, if that was a table: what follows it is a table too, or nothing.
  const [first] = cuts;
  const place = first?.isTable ? first.start : undefined;
  let result = "";
  let from = 0;
  for (const { start, end } of cuts) {
    result += text.slice(from, start);
    if (start === place) result += joined(tables, text.slice(end) !== "");
    from = end;
  }
  result += text.slice(from);
  if (place === undefined && tables.length > 0) {
    const gap = result.trim() === "" ? "" : result.endsWith("\n") ? "\n" : "\n\n";
    result += gap + joined(tables, false);
  }
  const edited = result.trim() === "" ? "" : result;
  return text.includes("\r\n") ? edited.replace(/\r?\n/g, "\r\n") : edited;
}

/** The statements of a server as they are written, if they are tables that can stand anywhere. */
export function sourceInToml(text: string, path: KeyPath): string | undefined {
  const ranges = statementRanges(text, path);
  if (ranges.length === 0 || ranges.some(({ isTable }) => !isTable)) return undefined;
  return `${ranges.map(({ start, end }) => text.slice(start, end).trim()).join("\n\n")}\n`;
}

type StatementRange = Range & { isTable: boolean };

/** Each run of statements under this path, with the comments in it and the blank lines behind it. */
function statementRanges(text: string, path: KeyPath): StatementRange[] {
  const ranges: StatementRange[] = [];
  let isRun = false;
  for (const statement of readStatements(text)) {
    const isInside = isUnder(statement, path);
    const last = ranges.at(-1);
    if (isInside && isRun && last !== undefined) last.end = statement.end;
    else if (isInside)
      ranges.push({ start: statement.start, end: statement.end, isTable: statement.kind === "table" });
    isRun = isInside;
  }
  for (const range of ranges) {
    const [blank = ""] = /^(?:[ \t]*\r?\n)*/.exec(text.slice(range.end)) ?? [];
    range.end += blank.length;
  }
  return ranges;
}

function isUnder(statement: TomlStatement, path: KeyPath): boolean {
  return path.every((step, depth) => statement.path[depth] === step);
}

function toTable(path: KeyPath, name: string, { value, source }: WrittenEntry): string {
  if (source !== undefined) return source;
  let data: object = { [name]: value };
  for (const step of [...path].reverse()) data = { [step]: data };
  return `${stringify(data).trim()}\n`;
}

function joined(tables: readonly string[], isFollowed: boolean): string {
  return tables.length === 0 ? "" : tables.join("\n") + (isFollowed ? "\n" : "");
}
