import type { Parsed } from "../prepare/oxc.ts";
import { type SyntaxNode, syntaxChild, textOf } from "../prepare/syntax-path.ts";

const NONE: ReadonlySet<string> = new Set();

/** Names that are types alone, of those that a text may export by `export { … }`. */
export function findTypeNames(source: string, parsed: Parsed): ReadonlySet<string> {
  if (!/\bexport\s*\{/.test(source)) return NONE;
  const types = new Set<string>();
  const values = new Set<string>();
  const statements: SyntaxNode[] = parsed.tree().body;
  for (const statement of statements) {
    const node = syntaxChild(statement, "declaration") ?? statement;
    const name = textOf(syntaxChild(node, "id"));
    if (name === undefined) continue;
    if (/^TS(?:TypeAlias|Interface)Declaration$/.test(node.type)) types.add(name);
    else values.add(name);
  }
  for (const { entries } of parsed.module.staticImports)
    for (const { isType, localName } of entries) if (isType) types.add(localName.value);
  for (const name of values) types.delete(name);
  return types;
}
