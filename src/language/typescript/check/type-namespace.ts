import type { ServerRecord, ToolRecord } from "../../../catalog/tool.ts";

/** Where a tool's types are declared for the check. No server's name has a `$`, so nothing else is called that. */
export function typeNamespace(tool: ToolRecord, server: ServerRecord): string {
  return `${serverNamespace(server)}.${tool.identifiers.typescript}`;
}

/** How the types of servers' globals begin. The compiler names types without their namespace, so the name says whose it is. */
export const SERVER_TYPE = "$Tools_";

export function serverType(server: ServerRecord): string {
  return `${SERVER_TYPE}${server.identifiers.typescript}`;
}

export function serverNamespace(server: ServerRecord): string {
  return `$${server.identifiers.typescript}`;
}
