import type { ToolRecord } from "../../catalog/tool.ts";
import { toEffect } from "../../policy/permissions/verbs.ts";
import type { Callee } from "../../result/call-log.ts";
import type { ToolMatch } from "./find-tool.ts";

const callees = new WeakMap<ToolRecord, Callee>();

/** A tool as a failed program's answer names it. What can't be told counts as a write: to name one call too many does no harm. */
export function toCallee({ server, tool }: ToolMatch): Callee {
  const known = callees.get(tool);
  if (known !== undefined) return known;
  const callee = {
    name: `${server.identifiers.typescript}.${tool.identifiers.typescript}`,
    isRead: toEffect(tool) === "reads",
  };
  callees.set(tool, callee);
  return callee;
}
