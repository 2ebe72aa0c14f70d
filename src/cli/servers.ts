import type { CatalogEntry } from "../catalog/entry.ts";
import type { CommandHandler } from "./command.ts";
import { changeLines, firstSentence, isAllFailed, serverHeading, serverRemarks } from "./format.ts";
import { withCatalog } from "./read-catalog.ts";

/** Always asks the servers: whether they answer now is the question. */
export const servers: CommandHandler = (context) => {
  const { output } = context;
  return withCatalog(
    context,
    async ({ entries }) => {
      if (output.json) output.printJson({ servers: entries.map(describeServer) });
      else {
        for (const entry of entries) {
          output.print(serverHeading(entry, output));
          for (const line of [
            ...facts(entry),
            ...serverRemarks(entry, output),
            ...changeLines(entry, output),
          ])
            output.print(line);
        }
      }
      return isAllFailed(entries) ? 1 : 0;
    },
    { refresh: true },
  );
};

/** A server as data, without its tools. */
export function describeServer(entry: CatalogEntry) {
  const { name, identifiers, folder, status, from, at, info, record, definition, warnings, changes, error } =
    entry;
  return {
    name,
    identifier: identifiers.typescript,
    pythonIdentifier: identifiers.python,
    folder,
    status,
    tools: record?.tools.length ?? 0,
    about: aboutOf(entry),
    from,
    at,
    version: info?.version,
    protocolVersion: info?.protocolVersion,
    era: info?.era,
    transport: info?.transport ?? definition?.transport.type,
    source: definition?.source.file,
    warnings,
    changes,
    error: error?.toJSON(),
  };
}

function aboutOf({ info, record }: CatalogEntry): string | undefined {
  return record?.instructions ? firstSentence(record.instructions) : info?.title;
}

function facts({ info, definition }: CatalogEntry): string[] {
  const lines: string[] = [];
  if (info)
    lines.push(
      `  ${info.title ?? "a server without a name"} ${info.version ?? ""}, MCP ${info.protocolVersion} over ${info.transport}`,
    );
  if (definition) lines.push(`  from ${definition.source.file}`);
  return lines;
}
