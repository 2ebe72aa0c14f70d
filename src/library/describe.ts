import type { CatalogEntry } from "../catalog/entry.ts";
import type { ServerState, Tool } from "./keyhole.ts";

export function toTools(entries: readonly CatalogEntry[]): Tool[] {
  return entries.filter(isUsable).flatMap(({ identifiers: names, record }) =>
    (record?.tools ?? []).map((tool): Tool => {
      const { server, name, identifiers, title, description, inputSchema, outputSchema } = tool;
      return {
        server,
        tool: name,
        function: `${names.typescript}.${identifiers.typescript}`,
        ...(title === undefined ? {} : { title }),
        description,
        inputSchema,
        ...(outputSchema === undefined ? {} : { outputSchema }),
        ...tool.annotations,
        trusted: tool.trusted,
      };
    }),
  );
}

export function toServerStates(entries: readonly CatalogEntry[]): ServerState[] {
  return entries.map(({ name, identifiers, status, record, error }) => ({
    name,
    identifier: identifiers.typescript,
    status,
    tools: record?.tools.length ?? 0,
    ...(error === undefined ? {} : { error }),
  }));
}

function isUsable({ status }: CatalogEntry): boolean {
  return status !== "disabled";
}
