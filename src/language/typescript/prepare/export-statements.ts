import type { Parsed } from "./oxc.ts";
import type { SyntaxNode } from "./syntax-path.ts";

export type ExportStatement = Parsed["module"]["staticExports"][number];
export type ExportEntry = ExportStatement["entries"][number];

/**
 * The exports by the statements in which they stand. `import { a } from "b"; export { a }` is an export of "b" to the parser,
 * which gives it the place of the import.
 */
export function exportStatements({ module, tree }: Parsed): ExportStatement[] {
  const all = module.staticExports;
  if (all.every(isInPlace)) return [...all];
  const found = new Map<number, ExportStatement>();
  const body: SyntaxNode[] = tree().body;
  for (const statement of all) {
    for (const entry of statement.entries) {
      const own = isWithin(entry, statement)
        ? statement
        : body.find((candidate) => isWithin(entry, candidate));
      const { start, end } = own ?? statement;
      const known = found.get(start);
      found.set(start, { start, end, entries: [...(known?.entries ?? []), entry] });
    }
  }
  return [...found.values()];
}

/** Whether it has its own request, and is no export of what was imported elsewhere. */
export function isFrom({ start }: ExportStatement, { moduleRequest }: ExportEntry): boolean {
  return moduleRequest !== null && moduleRequest.start > start;
}

function isInPlace(statement: ExportStatement): boolean {
  return statement.entries.every((entry) => isWithin(entry, statement));
}

function isWithin({ start }: { readonly start: number }, around: { start: number; end: number }): boolean {
  return start >= around.start && start <= around.end;
}
