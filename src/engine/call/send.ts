import type { Catalog } from "../../catalog/catalog.ts";
import type { ToolResult } from "../../mcp/unwrap.ts";
import type { CallResult, NextStage } from "./call.ts";

/** The end of the way out: the one place that calls a server. */
export function createSend(catalog: Pick<Catalog, "connection">): NextStage {
  return async ({ id, server, tool, args, timeoutMs, signal, meta, trace }) => {
    const connection = catalog.connection(server.name);
    trace.isSent = true;
    const limits = timeoutMs === undefined ? { signal } : { signal, timeoutMs };
    const options = meta === undefined ? limits : { ...limits, meta };
    const { value, content, notANumber, ttlMs, large } = await connection.callTool(tool, args, options);
    const from = { server: server.name, tool: tool.name, callId: id };
    // Each by its name: to spread the result would take as long as all stages together.
    return { value, content, notANumber, ttlMs, large, from } satisfies Record<keyof ToolResult, unknown> &
      Pick<CallResult, "from">;
  };
}
