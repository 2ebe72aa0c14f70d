import type { ToolRecord } from "../../catalog/tool.ts";
import { isGrave, toEffect } from "../../policy/permissions/verbs.ts";
import type { RiskLevel } from "../../policy/risk/score.ts";

/** What is changed only goes so far back; what goes to others does not come back at all. */
export function toCallRisk(tool: ToolRecord): RiskLevel {
  const effect = toEffect(tool);
  if (isGrave(effect)) return "high";
  return effect === "reads" ? "low" : "medium";
}

/** @param tools of each call its own; none of a command, or of a tool that is gone, which may do anything */
export function toGravest(tools: readonly (ToolRecord | undefined)[]): RiskLevel {
  const risks = tools.map((tool) => (tool === undefined ? "medium" : toCallRisk(tool)));
  return (["high", "medium"] as const).find((risk) => risks.includes(risk)) ?? "low";
}
