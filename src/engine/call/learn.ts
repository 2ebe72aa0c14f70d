import type { Catalog } from "../../catalog/catalog.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import { findMisfits } from "../../schema/misfits.ts";
import { parseOutputSchema } from "../../schema/parse-schema.ts";
import type { TypeNode } from "../../schema/type-tree.ts";
import type { FoundTool } from "./find-tool.ts";

const declaredTypes = new WeakMap<ToolRecord, TypeNode>();

/** Learns from a result: its shape where the tool declares none, else where it contradicts what is declared. */
export function learn({ learner }: Catalog, { entry, tool }: FoundTool, value: unknown): void {
  const { name, hash } = tool;
  const key = { server: entry.folder, tool: name, hash, version: entry.info?.version };
  if (tool.outputSchema === undefined) learner.observe(key, value);
  else learner.contradict(key, () => findMisfits(value, declaredType(tool)));
}

function declaredType(tool: ToolRecord): TypeNode {
  const known = declaredTypes.get(tool);
  if (known !== undefined) return known;
  const { type } = parseOutputSchema(tool.outputSchema);
  declaredTypes.set(tool, type);
  return type;
}
