import type { Telemetry } from "../../audit/telemetry/telemetry.ts";
import { toTraceMeta } from "../../audit/telemetry/trace-context.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { type ErrorCode, toKeyholeError } from "../../errors.ts";
import type { Call, CallStage } from "./call.ts";

/**
 * Tells the server in which trace it is called, and how long that took. It stands next to the server: what is measured is the
 * server's time, not ours. Where nothing is measured, what the client said of its trace is passed on.
 */
export function createTrace(telemetry: Telemetry, catalog: Pick<Catalog, "connection">): CallStage {
  return async (call, next) => {
    const parent = call.run.request?.trace;
    if (!telemetry.isOn) return next(parent === undefined ? call : { ...call, meta: toTraceMeta(parent) });
    const { tool, server } = call;
    const labels = {
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool.name,
      "keyhole.server": server.name,
      ...toAddress(call),
    };
    const span = telemetry.startSpan({
      name: `tools/call ${tool.name}`,
      kind: "client",
      parent,
      attributes: { ...labels, "keyhole.call.id": call.id },
      duration: { name: "mcp.client.operation.duration", labels },
    });
    const traced = span.context === undefined ? call : { ...call, meta: toTraceMeta(span.context) };
    try {
      const result = await next(traced);
      span.end({ attributes: toProtocol(catalog, server.name) });
      return result;
    } catch (error) {
      const errorType = toErrorType(toKeyholeError(error).code);
      span.end({ errorType, attributes: toProtocol(catalog, server.name) });
      throw error;
    }
  };
}

/** The tool ran, and said that it failed. */
function toErrorType(code: ErrorCode): string {
  return code === "tool_failed" ? "tool_error" : code;
}

/** As it is configured: variables are not put in, for there may be secrets in them. */
function toAddress({ server: { definition } }: Call): Record<string, string | undefined> {
  const transport = definition?.transport;
  if (transport === undefined || transport.type === "stdio") return { "network.transport": "pipe" };
  const url = URL.canParse(transport.url) ? new URL(transport.url) : undefined;
  const usual = url?.protocol === "http:" ? "80" : "443";
  return {
    "network.transport": "tcp",
    ...(url && { "server.address": url.hostname, "server.port": url.port || usual }),
  };
}

/** Known once it is connected. */
function toProtocol(catalog: Pick<Catalog, "connection">, server: string): Record<string, string> {
  const status = catalog.connection(server).status();
  return status.state === "connected" ? { "mcp.protocol.version": status.info.protocolVersion } : {};
}
