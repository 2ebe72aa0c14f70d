import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { checkedTypes } from "./declarations.ts";
import type { ModuleRecord } from "./oxc.ts";
import type { References } from "./references.ts";
import { childOf, childrenOf, type SyntaxNode, textOf } from "./syntax-path.ts";

export type FoundTool = { readonly tool: ToolRecord; readonly server: ServerRecord };

/** The tool that the innermost call around a place calls. */
export function calledTool(
  path: readonly SyntaxNode[],
  module: ModuleRecord,
  references: References,
): FoundTool | undefined {
  const call = path.findLast(({ type }) => type === "CallExpression");
  if (call === undefined) return undefined;
  const callee = childOf(call, "callee");
  const name = textOf(callee) ?? textOf(childOf(callee, "property"));
  if (name === undefined) return undefined;
  if (name === "callMCPTool") return byWireName(textOf(childrenOf(call, "arguments")[0]) ?? "", references);
  const imported = importedName(name, module) ?? name;
  return byName(imported, textOf(childOf(callee, "object")), references);
}

/** The tool whose result a message of the compiler mentions. */
export function toolWithResult(message: string, references: References): FoundTool | undefined {
  for (const [server, tools] of references) {
    for (const tool of tools) {
      if (message.includes(`'${checkedTypes(tool, server).response}'`)) return { tool, server };
    }
  }
  return undefined;
}

function byName(name: string, server: string | undefined, references: References): FoundTool | undefined {
  const found = [...references].flatMap(([record, tools]) =>
    [...tools]
      .filter((tool) => tool.identifiers.typescript === name)
      .map((tool) => ({ tool, server: record })),
  );
  return found.find((candidate) => candidate.server.identifier === server) ?? found[0];
}

function byWireName(name: string, references: References): FoundTool | undefined {
  for (const [server, tools] of references) {
    for (const tool of tools) if (name === `${server.name}__${tool.name}`) return { tool, server };
  }
  return undefined;
}

function importedName(local: string, module: ModuleRecord): string | undefined {
  const entries = module.staticImports.flatMap((statement) => statement.entries);
  return entries.find((entry) => entry.localName.value === local)?.importName.name ?? undefined;
}
