import type { FoundConfig } from "./clients/client-file.ts";
import { type LoadOptions, type Places, toPlaces } from "./places.ts";
import { CLIENT_IDS, type ClientId } from "./server-definition.ts";

export type { FoundConfig } from "./clients/client-file.ts";
export type { ClientId } from "./server-definition.ts";

/** What each client has on this machine for this project; within a client, what wins comes first. */
export async function findClientConfigs(options: LoadOptions): Promise<FoundConfig[]> {
  const found = await Promise.all(CLIENT_IDS.map((client) => findClientConfig(client, options)));
  return found.flat();
}

export async function findClientConfig(client: ClientId, options: LoadOptions): Promise<FoundConfig[]> {
  const find = await finderFor(client);
  const found = await find(toPlaces(options));
  noteHidden(found);
  return found;
}

function noteHidden(found: FoundConfig[]): void {
  const winners = new Map<string, FoundConfig>();
  for (const config of found) {
    for (const { name } of config.servers) {
      const winner = winners.get(name);
      if (winner === undefined) winners.set(name, config);
      else {
        const text = `server "${name}" of ${config.file} (${config.scope}) is hidden by ${winner.file} (${winner.scope})`;
        config.notices.push(text);
      }
    }
  }
}

async function finderFor(client: ClientId): Promise<(places: Places) => Promise<FoundConfig[]>> {
  switch (client) {
    case "claude-code":
      return (await import("./clients/claude-code.ts")).findClaudeCode;
    case "claude-desktop":
      return (await import("./clients/claude-desktop.ts")).findClaudeDesktop;
    case "cursor":
      return (await import("./clients/cursor.ts")).findCursor;
    case "vscode":
      return (await import("./clients/vscode.ts")).findVsCode;
    case "codex":
      return (await import("./clients/codex.ts")).findCodex;
    case "gemini":
      return (await import("./clients/gemini.ts")).findGemini;
  }
}
