import type { CatalogEntry } from "../../catalog/entry.ts";
import type { Learner } from "../../catalog/observed/learner.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import { findMisfits } from "../../schema/misfits.ts";
import { parseOutputSchema } from "../../schema/parse-schema.ts";
import type { TypeNode } from "../../schema/type-tree.ts";
import type { CallStage } from "./call.ts";

const declaredTypes = new WeakMap<ToolRecord, TypeNode>();

/** Learns from results: their shape where the tool declares none, else where they contradict what is declared. */
export function createLearn(learner: Learner): CallStage {
  return async (call, next) => {
    const result = await next(call);
    learn(learner, call, result.large === undefined ? result.value : result.large.sample);
    return result;
  };
}

function learn(
  learner: Learner,
  { server, tool }: { server: CatalogEntry; tool: ToolRecord },
  value: unknown,
): void {
  const { name, hash } = tool;
  const key = { server: server.folder, tool: name, hash, version: server.info?.version };
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
