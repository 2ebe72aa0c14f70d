import type { OpenSpan, Telemetry } from "../../audit/telemetry/telemetry.ts";
import { readTraceContext } from "../../audit/telemetry/trace-context.ts";
import type { Session } from "../../session.ts";

/** A client's request as its front knows it. */
export type FrontRequest = {
  /** One of our own two tools; nothing where there is no such tool. */
  readonly tool: string | undefined;
  /** As the client sent it: its word. */
  readonly meta: unknown;
  readonly id: string | number;
  readonly transport: "pipe" | "tcp";
  readonly protocolVersion: string | undefined;
  readonly session: Pick<Session, "id">;
};

const MAX_ID = 64;

/** The span of a request at the front; its parent is what the client says. */
export function openRequestSpan(telemetry: Telemetry, request: FrontRequest): OpenSpan {
  const parent = readTraceContext(request.meta);
  if (!telemetry.isOn) return telemetry.startSpan({ name: "", kind: "server", parent });
  const { tool, transport, protocolVersion } = request;
  const labels = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    "network.transport": transport,
    "mcp.protocol.version": protocolVersion,
  };
  const ids = {
    "jsonrpc.request.id": String(request.id).slice(0, MAX_ID),
    "mcp.session.id": request.session.id,
  };
  return telemetry.startSpan({
    name: tool === undefined ? "tools/call" : `tools/call ${tool}`,
    kind: "server",
    parent,
    attributes: { ...labels, ...ids },
    duration: { name: "mcp.server.operation.duration", labels },
  });
}
