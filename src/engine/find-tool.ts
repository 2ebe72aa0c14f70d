import type { CatalogEntry } from "../catalog/entry.ts";
import type { ToolRecord } from "../catalog/tool.ts";
import { nearestKey } from "../config/nearest-key.ts";
import { KeyholeError } from "../errors.ts";

export type FoundTool = { readonly entry: CatalogEntry; readonly tool: ToolRecord };

/**
 * The tool that a program means: servers by identifier or configured name, tools by their name in either language or by
 * the server's own. Both come from the program, so they are compared, never used as keys.
 */
export function findTool(entries: readonly CatalogEntry[], server: string, name: string): FoundTool {
  const entry = entries.find((candidate) => candidate.identifier === server || candidate.name === server);
  if (!entry) throw unknownServer(entries, server);
  const tools = entry.record?.tools ?? [];
  const tool =
    tools.find(({ identifiers }) => identifiers.typescript === name) ??
    tools.find((candidate) => candidate.name === name) ??
    tools.find(({ identifiers }) => identifiers.python === name);
  if (tool) return { entry, tool };
  if (!entry.record && entry.error) throw entry.error;
  const near = nearestKey(
    name,
    tools.map(({ identifiers }) => identifiers.typescript),
  );
  throw new KeyholeError("tool_unknown", `Server "${entry.name}" has no tool "${name}"`, {
    server: entry.name,
    tool: name,
    hint: near === undefined ? "Find its tools with searchTools" : `Did you mean "${near}"?`,
  });
}

/** `server`, or `server__tool` by any of their names. */
export function assertTool(entries: readonly CatalogEntry[], name: string): void {
  if (entries.some((entry) => entry.identifier === name || entry.name === name)) return;
  const cut = name.indexOf("__");
  if (cut < 1) throw unknownServer(entries, name);
  findTool(entries, name.slice(0, cut), name.slice(cut + 2));
}

function unknownServer(entries: readonly CatalogEntry[], server: string): KeyholeError {
  const names = entries.map(({ identifier }) => identifier);
  const near = nearestKey(server, names);
  return new KeyholeError("server_unknown", `There is no server "${server}"`, {
    server,
    hint: near === undefined ? `Servers: ${names.join(", ")}` : `Did you mean "${near}"?`,
  });
}
