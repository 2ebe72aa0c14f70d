import type { ServerDefinition } from "../config/server-definition.ts";
import { nearestName } from "../text/nearest-name.ts";
import type { DatedDefinition } from "./changes.ts";
import { type ServerNames, toIdentifiers } from "./names.ts";
import type { Learner } from "./observed/learner.ts";
import type { ServerRecord, ToolRecord } from "./tool.ts";

/** What was read from a server, seen through the user's settings: which tools are wanted, and whether it is trusted. */
export function toServerRecord(
  {
    name,
    settings,
    fingerprint,
  }: Pick<ServerDefinition, "name" | "settings"> & { readonly fingerprint: string },
  names: ServerNames,
  reading: {
    tools: readonly DatedDefinition[];
    info?: { readonly instructions?: string; readonly version?: string };
  },
  learner: Pick<Learner, "typeOf" | "contradictionsOf">,
): ServerRecord {
  const { includeTools, excludeTools = [], trusted } = settings;
  // Names are given before tools are taken out: hiding one tool must not rename another.
  const toolNames = reading.tools.map((tool) => tool.name);
  const typescript = toIdentifiers(toolNames, "typescript");
  const python = toIdentifiers(toolNames, "python");
  const wanted = reading.tools.filter(
    (tool) => (includeTools?.includes(tool.name) ?? true) && !excludeTools.includes(tool.name),
  );
  const tools = wanted.map((tool): ToolRecord => {
    const key = { server: names.folder, tool: tool.name, hash: tool.hash, version: reading.info?.version };
    return {
      ...tool,
      server: name,
      fingerprint,
      trusted,
      identifiers: {
        typescript: typescript.get(tool.name) ?? tool.name,
        python: python.get(tool.name) ?? tool.name,
      },
      // Looked up when it is asked for: what is learned while programs run must not make the records others.
      get observed() {
        return tool.outputSchema === undefined ? learner.typeOf(key) : undefined;
      },
      get contradictions() {
        return tool.outputSchema === undefined ? undefined : learner.contradictionsOf(key);
      },
    };
  });
  return {
    name,
    identifiers: names.identifiers,
    folder: names.folder,
    instructions: reading.info?.instructions,
    tools,
  };
}

/** A misspelt name in `excludeTools` would leave a tool exposed without a word. */
export function unknownNames(
  { settings }: Pick<ServerDefinition, "settings">,
  tools: readonly Pick<DatedDefinition, "name">[],
): string[] {
  const names = tools.map(({ name }) => name);
  return (["includeTools", "excludeTools"] as const).flatMap((key) =>
    (settings[key] ?? [])
      .filter((name) => !names.includes(name))
      .map((name) => {
        const near = nearestName(name, names);
        return `"${key}" names "${name}", which is no tool of this server${near ? `; did you mean "${near}"?` : ""}`;
      }),
  );
}
