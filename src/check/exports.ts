import type { Program } from "oxc-parser";
import type { Edit } from "./imports.ts";
import type { Parsed } from "./oxc.ts";

/** Exports mean nothing in a program that is run, except that a default export is what it is about. */
export type Exports = { readonly edits: readonly Edit[]; readonly ending: string };

export function toExports(source: string, parsed: Parsed, fresh: string): Exports {
  const edits: Edit[] = emptyExports(source, parsed);
  let ending = "";
  for (const { start, end, entries } of parsed.module.staticExports) {
    const [entry] = entries;
    if (entry === undefined) continue;
    const isDefault = entry.exportName.kind === "Default" && (entry.exportName.start ?? end) < entry.start;
    if (isDefault) {
      const main = defaultExport(source, entry, fresh);
      edits.push({ start, end: entry.start, text: main.text });
      if (main.name !== undefined && !isCalled(main.name, parsed)) ending = toEnding(main.name);
    } else if (entry.moduleRequest === null && entry.end === end) {
      edits.push({ start, end: entry.start, text: "" });
    } else {
      edits.push({ start, end, text: ";" });
    }
  }
  return { edits, ending };
}

type ExportEntry = Parsed["module"]["staticExports"][number]["entries"][number];

/** `export default function main() {…}` keeps its name; anything without one gets one. */
function defaultExport(source: string, entry: ExportEntry, fresh: string): { text: string; name?: string } {
  const { kind, name } = entry.localName;
  if (kind !== "Name" || name === null) return { text: `const ${fresh}d=`, name: `${fresh}d` };
  const isFunction = /^(?:async\b|function\b)/.test(source.slice(entry.start, entry.start + 8));
  return { text: "", ...(isFunction && !entry.isType ? { name } : {}) };
}

/** A default export that can be called is called, any other is the result. */
function toEnding(name: string): string {
  return `return typeof ${name} === "function" ? await ${name}() : ${name};`;
}

/** Whether the program calls its default export itself, outside of any function. */
function isCalled(name: string, parsed: Parsed): boolean {
  const tree = parsed.tree();
  return tree?.body.some((statement) => callsAtTop(statement, name)) ?? false;
}

function callsAtTop(node: unknown, name: string): boolean {
  if (typeof node !== "object" || node === null) return false;
  if (Array.isArray(node)) return node.some((item) => callsAtTop(item, name));
  const type = "type" in node ? node.type : undefined;
  if (typeof type === "string" && /Function|Class/.test(type)) return false;
  if (type === "CallExpression" && "callee" in node && isIdentifier(node.callee, name)) return true;
  return Object.values(node).some((child) => callsAtTop(child, name));
}

function isIdentifier(node: unknown, name: string): boolean {
  return typeof node === "object" && node !== null && "name" in node && node.name === name;
}

/** `export {}` is not in the module record. */
function emptyExports(source: string, parsed: Parsed): Edit[] {
  if (!/\bexport\s*\{\s*\}/.test(source)) return [];
  const body: Program["body"] = parsed.tree()?.body ?? [];
  return body.flatMap((statement) => {
    const isEmpty =
      statement.type === "ExportNamedDeclaration" &&
      statement.declaration === null &&
      statement.specifiers.length === 0;
    return isEmpty ? [{ start: statement.start, end: statement.end, text: ";" }] : [];
  });
}
