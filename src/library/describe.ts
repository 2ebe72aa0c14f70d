import type { CatalogEntry } from "../catalog/entry.ts";
import type { Engine } from "../engine/engine.ts";
import type { KeyholeStats, ServerState, Tool } from "./keyhole.ts";

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

export async function toKeyholeStats(
  engine: Pick<Engine, "stats" | "tasks" | "skills">,
  entries: readonly CatalogEntry[],
): Promise<KeyholeStats> {
  const { runs, failed, calls, tokens } = await engine.stats();
  await engine.skills.store.look();
  const used = entries.filter(isUsable);
  return {
    servers: used.length,
    readyServers: used.filter(({ status }) => status === "ready").length,
    tools: used.reduce((sum, { record }) => sum + (record?.tools.length ?? 0), 0),
    skills: engine.skills.store.list().length,
    ...engine.tasks(),
    runs,
    failedRuns: failed,
    calls,
    tokens,
  };
}

function isUsable({ status }: CatalogEntry): boolean {
  return status !== "disabled";
}
