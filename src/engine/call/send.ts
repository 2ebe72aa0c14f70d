import type { Catalog } from "../../catalog/catalog.ts";
import type { NextStage } from "./call.ts";

/** The end of the way out: the one place that calls a server. */
export function createSend(catalog: Pick<Catalog, "connection">): NextStage {
  return async ({ id, server, tool, args, timeoutMs, signal, trace }) => {
    const connection = catalog.connection(server.name);
    trace.isSent = true;
    const options = timeoutMs === undefined ? { signal } : { signal, timeoutMs };
    const result = await connection.callTool(tool, args, options);
    return { ...result, from: { server: server.name, tool: tool.name, callId: id } };
  };
}
