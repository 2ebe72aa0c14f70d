import { findTool, type NameIndex, nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord, ToolRecord } from "../../../catalog/tool.ts";
import type { ModuleRecord } from "../prepare/oxc.ts";
import { type SyntaxNode, syntaxChild, syntaxChildren, textOf } from "../prepare/syntax-path.ts";
import { mentionsType } from "../typescript-7.ts";
import { checkedTypes } from "./declarations.ts";
import type { References } from "./references.ts";

export type ServerTool = { readonly tool: ToolRecord; readonly server: ServerRecord };

/** The tool that the innermost call around a place calls. */
export function calledTool(
  path: readonly SyntaxNode[],
  module: ModuleRecord,
  references: References,
): ServerTool | undefined {
  const call = path.findLast(({ type }) => type === "CallExpression");
  if (call === undefined) return undefined;
  const callee = syntaxChild(call, "callee");
  const name = textOf(callee) ?? textOf(syntaxChild(callee, "property"));
  if (name === undefined) return undefined;
  if (name === "callMCPTool")
    return byWireName(textOf(syntaxChildren(call, "arguments")[0]) ?? "", references);
  const imported = importedName(name, module) ?? name;
  return byName(imported, textOf(syntaxChild(callee, "object")), references);
}

/** The tool whose result a message of the compiler mentions. */
export function toolWithResult(message: string, references: References): ServerTool | undefined {
  for (const [server, tools] of references) {
    for (const tool of tools) {
      if (mentionsType(message, checkedTypes(tool, server).response)) return { tool, server };
    }
  }
  return undefined;
}

function byName(name: string, server: string | undefined, references: References): ServerTool | undefined {
  const found = [...references].flatMap(([record, tools]) => {
    const meant = findTool(record, name);
    return meant.kind === "one" && tools.has(meant.value) ? [{ tool: meant.value, server: record }] : [];
  });
  const owner = server === undefined ? undefined : indexOf(references).server(server);
  return found.find((one) => owner?.kind === "one" && one.server === owner.value) ?? found[0];
}

function byWireName(name: string, references: References): ServerTool | undefined {
  const meant = indexOf(references).tool(name);
  return meant.kind === "one" ? meant.value : undefined;
}

const indexes = new WeakMap<References, NameIndex<ServerRecord>>();

function indexOf(references: References): NameIndex<ServerRecord> {
  const known = indexes.get(references) ?? nameIndexOf([...references.keys()]);
  indexes.set(references, known);
  return known;
}

function importedName(local: string, module: ModuleRecord): string | undefined {
  const entries = module.staticImports.flatMap((statement) => statement.entries);
  return entries.find((entry) => entry.localName.value === local)?.importName.name ?? undefined;
}
