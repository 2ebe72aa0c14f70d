import type { ServerRecord, ToolRecord } from "../../../catalog/tool.ts";

/** Where a tool's types are declared for the check. No server's name has a `$`, so nothing else is called that. */
export function typeNamespace(tool: ToolRecord, server: ServerRecord): string {
  return `${serverNamespace(server)}.${tool.identifiers.typescript}`;
}

/** The type of a server's global. The compiler names types without their namespace, so this name says whose it is. */
export function serverType(server: ServerRecord): string {
  return `$Tools_${server.identifiers.typescript}`;
}

/** The server's identifier in a message of the compiler about its global. */
export function serverInMessage(message: string): string | undefined {
  return /'\$Tools_([\p{ID_Continue}]+)'/u.exec(message)?.[1];
}

export function serverNamespace(server: ServerRecord): string {
  return `$${server.identifiers.typescript}`;
}
