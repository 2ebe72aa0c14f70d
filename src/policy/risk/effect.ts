import type { ToolRecord } from "../../catalog/tool.ts";

/** What a tool does to the world. */
export type Effect = "reads" | "writes" | "destroys" | "sends" | "pays" | "publishes" | "unknown";

export type EffectOf = (tool: ToolRecord) => Effect;
