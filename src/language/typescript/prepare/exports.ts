import type { Program } from "oxc-parser";
import { type ExportEntry, exportStatements } from "./export-statements.ts";
import type { Edit } from "./imports.ts";
import type { Parsed } from "./oxc.ts";

/** Exports mean nothing in a program that is run, except that a default export is what it is about. */
export type Exports = {
  readonly edits: readonly Edit[];
  /** The name under which the program has its default export. */
  readonly defaultName: string | undefined;
};

/** What a default export is called that has no name. */
export const defaultNameOf = (fresh: string): string => `${fresh}d`;

export function toExports(source: string, parsed: Parsed, fresh: string): Exports {
  const edits: Edit[] = emptyExports(source, parsed);
  let defaultName: string | undefined;
  for (const { start, end, entries } of exportStatements(parsed)) {
    const [entry] = entries;
    if (entry === undefined) continue;
    defaultName = namedDefault(entries) ?? defaultName;
    const isDefault = entry.exportName.kind === "Default" && (entry.exportName.start ?? end) < entry.start;
    if (isDefault) {
      const main = defaultExport(source, entry, fresh);
      edits.push({ start, end: entry.start, text: main.text });
      defaultName = main.name ?? defaultName;
    } else if (entry.moduleRequest === null && entry.end === end) {
      edits.push({ start, end: entry.start, text: "" });
    } else {
      edits.push({ start, end, text: ";" });
    }
  }
  return { edits, defaultName };
}

/** `export default function main() {…}` keeps its name; anything without one gets one. */
function defaultExport(source: string, entry: ExportEntry, fresh: string): { text: string; name?: string } {
  const { kind, name } = entry.localName;
  if (kind !== "Name" || name === null) {
    const given = defaultNameOf(fresh);
    return { text: `const ${given}=`, name: given };
  }
  const isFunction = /^(?:async\b|function\b)/.test(source.slice(entry.start, entry.start + 8));
  return { text: "", ...(isFunction && !entry.isType ? { name } : {}) };
}

/** `export { main as default }`. */
function namedDefault(entries: readonly ExportEntry[]): string | undefined {
  const entry = entries.find(({ exportName, isType }) => exportName.name === "default" && !isType);
  return entry?.moduleRequest === null ? (entry.localName.name ?? undefined) : undefined;
}

/** `export {}` is not in the module record. */
function emptyExports(source: string, parsed: Parsed): Edit[] {
  if (!/\bexport\s*\{\s*\}/.test(source)) return [];
  const body: Program["body"] = parsed.tree().body;
  return body.flatMap((statement) => {
    const isEmpty =
      statement.type === "ExportNamedDeclaration" &&
      statement.declaration === null &&
      statement.specifiers.length === 0;
    return isEmpty ? [{ start: statement.start, end: statement.end, text: ";" }] : [];
  });
}
