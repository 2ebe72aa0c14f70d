import type { ToolRecord } from "../../catalog/tool.ts";
import { toEffect } from "../../policy/permissions/verbs.ts";

const MARKS = {
  reads: "r",
  writes: "w",
  destroys: "!",
  sends: "!",
  pays: "!",
  publishes: "!",
  unknown: "?",
} as const;

/** What a tool is taken for where its calls are decided on. */
export function toEffectMark(tool: ToolRecord): string {
  return MARKS[toEffect(tool)];
}
